package bookrules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bankName is a name by which other banks' statements may call an account's bank, as words. sure is
// false for a name that may well be that of somebody else: a single word such as "UNION", or a part
// of the account's own name.
type bankName struct {
	words string
	sure  bool
}

// banksOf returns the names of an account's bank: the bank in its files without its legal form,
// with and without the word "bank", and known short forms. If the files do not say the bank, the
// names come from a number with words, such as "Mercury Checking ••1234". A name that the user gave
// the account may name the bank as well.
func banksOf(a Account) (names []bankName) {
	add := func(text string, sure bool) {
		if letters(text) >= 4 && !slices.ContainsFunc(names, func(n bankName) bool { return n.words == text }) {
			names = append(names, bankName{text, sure && isSureBank(text)})
		}
	}
	full := trimWords(words(a.Bank), bankSuffixes)
	add(full, true)
	add(trimWords(full, bankForms), true)
	for _, short := range [...]struct{ name, short string }{
		{"AMERICAN EXPRESS", "AMEX"}, {"BANK OF AMERICA", "BOFA"}, {"JPMORGAN CHASE", "CHASE"}, {"CITIBANK", "CITI"},
		{"DEUTSCHE KREDITBANK", "DKB"},
	} {
		if strings.Contains(full, short.name) {
			add(short.short, true)
		}
	}
	if len(names) == 0 {
		add(trimWords(words(a.Number), accountWords, bankForms), false)
	}
	if a.Renamed {
		add(words(a.Name), false)
		add(trimWords(words(a.Name), accountWords, bankForms), false)
	}
	return names
}

// isSureBank reports whether a name is unlikely to be that of somebody else.
func isSureBank(name string) bool {
	return strings.Contains(name, " ") || slices.ContainsFunc(bankForms, func(form string) bool {
		return len(form) >= 4 && strings.HasSuffix(name, form)
	})
}

// trimWords removes words with digits and words of the lists from the end of a text.
func trimWords(text string, lists ...[]string) string {
	rest := strings.Fields(text)
	for len(rest) > 0 {
		last := rest[len(rest)-1]
		if !hasDigit(last) && !slices.ContainsFunc(lists, func(list []string) bool { return slices.Contains(list, last) }) {
			break
		}
		rest = rest[:len(rest)-1]
	}
	return strings.Join(rest, " ")
}

func hasDigit(text string) bool { return strings.IndexFunc(text, unicode.IsDigit) >= 0 }

// Words in the texts of lines around the name of a bank.
var (
	// bankSuffixes end the legal names of banks and companies.
	bankSuffixes = slices.Concat(legalForms, []string{
		"N", "A", "NA", "ASSOCIATION", "ASSN", "FSB", "SSB", "USA", "UK", "EG", "SE", "NV", "AS", "ASA", "OYJ", "UAB",
	})
	// bankForms are what banks are, which other statements often leave out.
	bankForms = []string{
		"BANK", "BANKING", "NATIONAL", "BANQUE", "BANCO", "BANCA", "SPARKASSE",
	}
	// accountWords are in the names of accounts.
	accountWords = []string{
		"ACCOUNT", "ACCT", "AC", "ACC", "CHECKING", "CHK", "SAVINGS", "SAVING", "SAV", "CARD", "CRD", "BUSINESS",
		"BUS", "BIZ", "MONEY", "MARKET", "MMA", "OPERATING", "CURRENT", "DEPOSIT", "RESERVE", "KONTO", "GIROKONTO",
		"TAGESGELD", "TAGESGELDKONTO", "GESCHÄFTSKONTO", "GESCHAEFTSKONTO", "FESTGELD", "SPARKONTO", "COMPTE",
		"COURANT", "LIVRET", "CUENTA", "CONTO", "REKENING", "SPAARREKENING", "ENDING", "XX", "XXX", "XXXX", "MAIN",
		"USD", "EUR", "GBP", "CHF",
	}
	// movementWords say that money moves between banks.
	movementWords = slices.Concat(transferWords, paymentWords, []string{
		"ACH", "WIRE", "WIRES", "FEDWIRE", "EFT", "RTP", "FEDNOW", "SEPA", "SWIFT", "CHAPS", "BACS", "FPS",
		"TRANSFERS", "DEPOSIT", "WITHDRAWAL", "ÜBERWEISUNG", "UEBERWEISUNG", "ECHTZEITÜBERWEISUNG", "DAUERAUFTRAG",
		"GUTSCHRIFT", "LASTSCHRIFT", "VIR", "PRELEVEMENT", "PRÉLÈVEMENT", "TRANSFERENCIA", "TRASPASO", "BONIFICO",
		"GIROCONTO", "OVERBOEKING", "OVERSCHRIJVING", "PRZELEW", "OVERFÖRING", "OVERFØRSEL", "TILISIIRTO",
		"TRANSFERÊNCIA",
	})
	// besideNames are words beside names that are not part of them: prepositions, directions,
	// channels, and labels of references.
	besideNames = []string{
		"FROM", "TO", "INTO", "BY", "AT", "FOR", "ON", "VON", "AN", "NACH", "ZU", "ZUR", "BEI", "AUF", "DE", "DEPUIS",
		"VERS", "À", "PARA", "DESDE", "DA", "VAN", "NAAR", "AAN", "FRA", "TIL", "FRÅN", "TILL", "DO", "IN", "OUT",
		"INCOMING", "OUTGOING", "INBOUND", "OUTBOUND", "CREDIT", "DEBIT", "CR", "DR", "ONLINE", "MOBILE", "INTERNET",
		"WEB", "PPD", "CCD", "CTX", "TEL", "EXTERNAL", "INTERNAL", "INSTANT", "ELECTRONIC", "DOMESTIC",
		"INTERNATIONAL", "INTL", "AUTOMATIC", "AUTO", "PAY", "RECURRING", "SCHEDULED", "BANK", "ACCOUNT", "ACCT",
		"CHECKING", "CHK", "SAVINGS", "SAV", "CARD", "CRD", "KONTO", "COMPTE", "CUENTA", "CONTO", "REF", "REFERENCE",
		"TRN", "TRACE", "ID", "CONF", "CONFIRMATION", "NO", "NR", "NUM", "NUMBER", "DATE", "DES", "DESC", "DESCR",
		"ENTRY", "SEC", "IND", "INDN", "NAME", "CO", "ORIG", "ORIGINATOR", "BNF", "BENEFICIARY", "PAYEE", "PAYER",
		"SENDER", "RECIPIENT", "RECEIVER", "VERWENDUNGSZWECK", "MOTIF", "TRANSACTION",
	}
)

// isBesideNames reports whether a word beside a name is not part of the name.
func isBesideNames(word string) bool {
	if word == fieldEnd || hasDigit(word) {
		return true
	}
	return slices.Contains(besideNames, word) || slices.Contains(movementWords, word)
}

// fieldEnd is a word in evidenceText.fields between the parts of a text.
const fieldEnd = "|"

// namesBank reports whether the text names a bank as whole words that are not a part of a longer
// name, such as "UNION" in "Union Square Hotels", and not as a route.
func (t *evidenceText) namesBank(name string) bool {
	if t.fields == nil {
		t.fields = fieldWords(t.upper)
	}
	wanted := strings.Fields(name)
	for at := 1; at+len(wanted) < len(t.fields); at++ {
		after := at + len(wanted)
		if !slices.Equal(t.fields[at:after], wanted) || !isBesideNames(t.fields[at-1]) {
			continue
		}
		for slices.Contains(bankForms, t.fields[after]) || slices.Contains(bankSuffixes, t.fields[after]) {
			after++
		}
		if isBesideNames(t.fields[after]) {
			return true
		}
	}
	return false
}

// fieldWords returns the words of a text in capitals, with fieldEnd at its ends and wherever a
// label or another part of the text ends. It leaves out routes: the banks through which money came.
func fieldWords(upper string) []string {
	fields := []string{fieldEnd}
	end := func() {
		if fields[len(fields)-1] != fieldEnd {
			fields = append(fields, fieldEnd)
		}
	}
	for text := upper; text != ""; {
		at := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if at < 0 {
			at = len(text)
		}
		if at > 0 {
			fields = append(fields, text[:at])
		}
		if at == len(text) {
			break
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if strings.ContainsRune(":;/|·\n=?>", r) {
			end()
		}
		text = text[at+size:]
	}
	end()
	return withoutRoutes(fields)
}

// routeLabels are the words before the name of a bank through which money came.
var routeLabels = [][]string{
	{"VIA"}, {"THROUGH"}, {"THRU"}, {"INTERMEDIARY"}, {"CORRESPONDENT"}, {"SND", "BK"}, {"SNDBK"}, {"SNDR", "BK"},
	{"SENDING", "BANK"}, {"SENDER", "BANK"}, {"SENDERS", "BANK"}, {"RCV", "BK"}, {"RECEIVING", "BANK"}, {"BNF", "BK"},
	{"BNFBK"}, {"BENEFICIARY", "BANK"}, {"ORIG", "BK"}, {"ORIGINATING", "BANK"}, {"ORDERING", "BANK"}, {"INT", "BK"},
	{"INTBK"}, {"INSTRUCTING", "BANK"}, {"PARTNER", "BANK"}, {"BIC"}, {"BLZ"}, {"DRAWN", "ON"},
}

// withoutRoutes removes the names of banks after the words of routeLabels.
func withoutRoutes(fields []string) []string {
	kept := fields[:0:0]
	for at := 0; at < len(fields); at++ {
		n := routeLabel(fields[at:])
		if n == 0 {
			kept = append(kept, fields[at])
			continue
		}
		if at += n; at < len(fields) && fields[at] == fieldEnd { // "VIA: CHASE"
			at++
		}
		for at < len(fields) && fields[at] != fieldEnd {
			at++
		}
		kept = append(kept, fieldEnd)
	}
	return kept
}

// routeLabel returns the number of words of the label of a route at the start of fields, and 0 if
// there is none.
func routeLabel(fields []string) int {
	for _, label := range routeLabels {
		if len(fields) > len(label) && slices.Equal(fields[:len(label)], label) {
			return len(label)
		}
	}
	return 0
}
