package table

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tarmac/service/statements/bank"
)

// writtenAmount holds the parts of an amount as it is written in the file.
type writtenAmount struct {
	number string // digits, separators and sign, for bank.ParseAmount
	// currency is the ISO code of the currency next to the number. It is "" if there is none, or
	// only an ambiguous sign.
	currency string
	debit    bool // true if DR, DB, D or S stands next to the number
	credit   bool // true if CR, C or H stands next to the number
}

// currencySigns maps signs that only one currency uses to its ISO code.
var currencySigns = map[string]string{
	"€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₪": "ILS", "₫": "VND",
	"₦": "NGN", "฿": "THB",
	"R$": "BRL", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "US$": "USD", "C$": "CAD", "A$": "AUD", "NZ$": "NZD",
	"HK$": "HKD",
	"S$":  "SGD", "円": "JPY", "元": "CNY", "원": "KRW", "Fr": "CHF", "Fr.": "CHF", "SFr.": "CHF", "лв": "BGN",
	"грн": "UAH",
}

// vagueSigns lists signs that several currencies use.
var vagueSigns = []string{"$", "¥", "kr", "kr.", "Kr", "Kr."}

// scanAmount splits a text into a number and, if they are there, a sign, a currency and DR or CR.
// It returns false if the text is not an amount.
func scanAmount(text string) (writtenAmount, bool) {
	if isNumber(text) {
		return writtenAmount{number: text}, strings.ContainsAny(text, "0123456789")
	}
	if len(text) > 64 || !strings.ContainsAny(text, "0123456789") {
		return writtenAmount{}, false
	}
	var (
		number strings.Builder
		amount writtenAmount
	)
	for rest := text; rest != ""; {
		c, size := utf8.DecodeRuneInString(rest)
		switch {
		case c >= '0' && c <= '9' || strings.ContainsRune(".,'’", c):
			number.WriteRune(c)
		case strings.ContainsRune("+-()", c):
			number.WriteRune(c)
		case c == '−' || c == '–':
			number.WriteByte('-')
		case unicode.IsSpace(c) || c == '*':
			if next := strings.TrimLeftFunc(rest, unicode.IsSpace); number.Len() > 0 && next != "" && isDigit(next[0]) &&
				isDigit(text[len(text)-len(rest)-1]) {
				number.WriteByte(' ')
			}
		default:
			size = wordLength(rest)
			if !amount.addWord(rest[:size]) {
				return writtenAmount{}, false
			}
		}
		rest = rest[size:]
	}
	amount.number = number.String()
	return amount, true
}

// isNumber reports whether a text consists of digits, points, commas and signs only.
func isNumber(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isDigit(c) && c != '.' && c != ',' && c != '-' && c != '+' {
			return false
		}
	}
	return true
}

// wordLength returns the length of the word at the start of a text.
func wordLength(text string) int {
	for i, c := range text {
		if c >= '0' && c <= '9' || unicode.IsSpace(c) || strings.ContainsRune("+-()−–", c) {
			return max(i, 1)
		}
	}
	return len(text)
}

// addWord stores a word next to the number: a currency, DR or CR. It returns false for other words.
func (a *writtenAmount) addWord(word string) bool {
	switch upper := strings.ToUpper(strings.TrimSuffix(word, ".")); {
	case upper == "CR" || upper == "C" || upper == "H":
		a.credit = true
	case upper == "DR" || upper == "D" || upper == "S" || upper == "DB":
		a.debit = true
	case a.currency != "":
		return false
	case bank.IsCurrency(upper):
		a.currency = upper
	case currencySigns[word] != "":
		a.currency = currencySigns[word]
	case slices.Contains(vagueSigns, word):
	default:
		return false
	}
	return !a.debit || !a.credit
}

// minor returns the amount in minor units of the currency. An amount with DR is negative.
func (a writtenAmount) minor(mark byte, currency string) (int64, error) {
	minor, err := bank.ParseAmount(a.number, mark, currency)
	if a.debit && minor > 0 {
		minor = -minor
	}
	return minor, err
}
