package bookrules

import (
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// conversionWords begin the text of an exchange between two balances at one provider.
var conversionWords = wordSet(`
	CONVERTED CONVERT CONVERSION CONVERSIONS EXCHANGED EXCHANGE FX UMTAUSCH KONVERTIERUNG WÄHRUNGSTAUSCH DEVISENTAUSCH
	UMRECHNUNG CONVERTI CHANGE CONVERTIDO CAMBIO CONVERSIÓN CONVERTITO CONVERSIONE CÂMBIO CONVERSÃO OMGEZET GEWISSELD
	WISSEL CONVERSIE VÄXLING VALUTAVÄXLING VEKSLING WYMIANA PRZEWALUTOWANIE`)

// quantity is an amount in a text with its currency.
type quantity struct {
	currency string
	minor    int64
}

// amountInText matches an amount with the code of its currency before or after it.
var amountInText = onFirstUse(`\b([A-Z]{3}) ?(\d[\d.,' ]*\d)|(\d[\d.,']*\d) ?([A-Z]{3})\b`)

// quantitiesIn returns the first amounts of a text that have a currency.
func quantitiesIn(text string) (found []quantity) {
	const most = 3
	for _, m := range amountInText().FindAllStringSubmatch(strings.ToUpper(text), most) {
		currency, digits := m[1]+m[4], strings.TrimSpace(m[2]+m[3])
		mark := byte('.')
		if at := strings.LastIndexAny(digits, ".,"); at >= 0 && digits[at] == ',' && len(digits)-at-1 != 3 {
			mark = ','
		}
		if minor, err := bank.ParseAmount(digits, mark, currency); err == nil && bank.IsCurrency(currency) {
			found = append(found, quantity{currency, minor})
		}
	}
	return found
}

// Converted returns what a line was exchanged for, if its text says so, such as "Converted
// 22,000.00 USD to 17,714.22 EUR". One of the two amounts must be that of the line.
func Converted(currency string, l bank.Line) (other bank.Original, ok bool) {
	text := cmpText(l)
	if !beginsConversion(text) {
		return other, false
	}
	amounts := quantitiesIn(text)
	if len(amounts) != 2 || amounts[0].currency == amounts[1].currency {
		return other, false
	}
	own := slices.IndexFunc(amounts, func(q quantity) bool {
		return q.currency == currency &&
			q.minor == magnitude(l.Minor)
	})
	if own < 0 {
		return other, false
	}
	to := amounts[1-own]
	return bank.Original{Currency: to.currency, Minor: to.minor}, true
}

// cmpText returns the text of a line that says what happened.
func cmpText(l bank.Line) string {
	if strings.TrimSpace(l.Description) == "" {
		return l.Counterparty
	}
	return l.Description
}

func beginsConversion(text string) bool {
	w, _ := wordFrom(text, 0)
	return conversionWords[w.folded]
}

// byPocket returns the evidence that a line is one side of an exchange or transfer between two
// balances at one provider: "Converted 22,000.00 USD to 17,714.22 EUR", "Exchanged to EUR" or "To
// EUR Main".
func (f *EvidenceFinder) byPocket(a Account, l *bank.Line) Evidence {
	currency := ""
	if other, converted := Converted(a.Currency, *l); converted {
		currency = other.Currency
	} else if currency = pocketIn(cmpText(*l)); currency == "" {
		return Evidence{}
	}
	var keys []int64
	for n := range f.accounts {
		k := &f.accounts[n]
		if k.Key != a.Key && k.Currency == currency && k.Role != Excluded && len(keys) <= mostOthers {
			keys = append(keys, k.Key)
		}
	}
	if len(keys) == 0 {
		return Evidence{Strength: NamedOwner, Origin: FromConversion}
	}
	return Evidence{Strength: WeakEvidence, Origin: FromConversion, Others: keys}
}

// pocketIn returns the currency of a text that says nothing but that money goes to or comes from a
// balance in a currency, or "".
func pocketIn(text string) string {
	const most = 8 // words
	if first := firstFolded(text); !toWords[first] && !fromWords[first] && !conversionWords[first] {
		return ""
	}
	all := namedWords(text)
	if len(all) < 2 || len(all) > most {
		return ""
	}
	currency := ""
	for n, w := range all {
		switch {
		case bank.IsCurrency(w.folded) && w.folded != "TOP":
			currency = w.folded
		case n == 0 || toWords[w.folded] || fromWords[w.folded] || slices.Contains(accountWords, w.folded) ||
			slices.Contains(pocketWords, w.folded):
		default:
			return ""
		}
	}
	return currency
}

// pocketWords are other words of providers for a balance than accountWords.
var pocketWords = []string{"BALANCE", "POCKET", "WALLET", "VAULT", "JAR", "POT", "SPACE", "UNTERKONTO"}
