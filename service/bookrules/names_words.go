package bookrules

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameWord is a word of a name.
type nameWord struct {
	folded     string // letters and digits in capitals
	start, end int    // indexes in the name of its first byte and of the byte after it
	digits     int    // number of digits
	month      bool   // true for the name of a month, which is a reference like a number
}

// namedWords returns the words of a name that have letters or digits. In scripts that write no
// spaces between words, digits begin a word too.
func namedWords(name string) []nameWord {
	all := make([]nameWord, 0, strings.Count(name, " ")+1)
	start := 0
	for start < len(name) {
		w, next := wordFrom(name, start)
		if w.folded != "" {
			all = append(all, w)
		}
		start = next
	}
	return all
}

// firstFolded returns the first word of a name that has letters or digits, folded, or "".
func firstFolded(name string) string {
	for start := 0; start < len(name); {
		w, next := wordFrom(name, start)
		if w.folded != "" {
			return w.folded
		}
		start = next
	}
	return ""
}

// wordFrom returns the word that begins at an index of a name, and the index of the next word.
func wordFrom(name string, start int) (w nameWord, next int) {
	w = nameWord{start: start, end: len(name)}
	unspaced := false
	for at, r := range name[start:] {
		isDigit := unicode.IsDigit(r)
		if isSpace(r) || isDigit && unspaced {
			w.end = start + at
			break
		}
		if isDigit {
			w.digits++
		}
		unspaced = r >= firstUnspaced && unicode.In(r, unspacedScripts...)
	}
	w.folded = foldWord(name[start:w.end])
	w.month = monthNames[w.folded]
	next = w.end
	if next < len(name) && isSpace(rune(name[next])) {
		next++
	}
	return w, next
}

// isSpace reports whether a character stands between words.
func isSpace(r rune) bool { return r == ' ' || r == '*' || r == '#' }

// unspacedScripts are scripts that write no spaces between words.
var unspacedScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// firstUnspaced is a character before all those of unspacedScripts, the first letter of which is of
// Thai.
const firstUnspaced = '\u0E00'

// foldWord returns the letters and digits of a word, in capitals.
func foldWord(word string) string {
	plain := true
	for i := range len(word) {
		c := word[i]
		plain = plain && (c >= 'A' && c <= 'Z' || c >= '0' && c <= '9')
	}
	if plain {
		return word
	}
	var short [32]byte
	if folded, ascii := foldASCII(word, short[:0]); ascii {
		return string(folded)
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, word)
}

// foldASCII appends the letters and digits of a word to a buffer, in capitals. It returns false if
// the word has other characters than those of ASCII.
func foldASCII(word string, to []byte) (folded []byte, ascii bool) {
	for i := range len(word) {
		switch c := word[i]; {
		case c >= 'a' && c <= 'z':
			to = append(to, c-'a'+'A')
		case c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			to = append(to, c)
		case c >= utf8.RuneSelf:
			return nil, false
		}
	}
	return to, true
}

// referenceWords announce a reference. So does each of them with a number behind it, as in
// "INV-104".
var referenceWords = wordSet(`
	INV INVOICE INVOICES INVNO INVNR REF REFERENCE REFNO REFNR TRN TXN IMAD OMAD REMITTANCE REMIT
	RECHNUNG RECHNUNGEN RECHNUNGSNR RECHNUNGSNUMMER RECHN RECHNR RGNR RENR RNR BELEGNR KDNR KUNDENNR KUNDENNUMMER
	VERTRAGSNR AKTENZEICHEN VERWENDUNGSZWECK VWZ EREF KREF MREF SVWZ MANDATSREF MANDATSREFERENZ
	FACTURE FACTURES FACT RÉF RÉFÉRENCE MOTIF LIBELLE LIBELLÉ ECHEANCE ÉCHÉANCE RUM
	FACTURA FACTURAS REFERENCIA CONCEPTO RECIBO FATTURA FATTURE RIF CAUSALE FATURA FACTUUR FACTUURNR KENMERK
	BETALINGSKENMERK OMSCHRIJVING FAKTURA FAKTURANR FAKTURY TYTUŁEM`)

// numberedWords announce a reference if a number follows, and are ordinary words otherwise.
var numberedWords = wordSet(`
	TRANSACTION TRANS TRACE CONF CONFIRMATION ORDER PO BILL CASE ID NO NR NUM NUMBER RE RG FT FAC FRA NF NFE FV
	BELEG AUFTRAG BESTELLUNG MANDAT VERTRAG COMMANDE DOSSIER CONTRAT PEDIDO PEDIDON BESTELNR ORDRE OCR
	PAYMENTID BATCH SEQ STMT STATEMENT RUN PAYRUN LAUF MNDT DDI WEEK WK PERIOD 請求書 注文 発票 发票 订单`)

// monthNames are names of months and their abbreviations in the languages of most banks' texts.
var monthNames = wordSet(`
	JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER
	JAN FEB MAR APR JUN JUL AUG SEP SEPT OCT NOV DEC
	JANUAR FEBRUAR MÄRZ MAERZ MRZ MAI JUNI JULI OKTOBER OKT DEZEMBER DEZ
	JANVIER FEVRIER FÉVRIER AVRIL JUIN JUILLET AOUT AOÛT SEPTEMBRE OCTOBRE NOVEMBRE DECEMBRE DÉCEMBRE
	ENERO FEBRERO ABRIL MAYO JUNIO JULIO AGOSTO SEPTIEMBRE OCTUBRE NOVIEMBRE DICIEMBRE
	GENNAIO FEBBRAIO APRILE MAGGIO GIUGNO LUGLIO SETTEMBRE OTTOBRE DICEMBRE
	JANUARI FEBRUARI MAART MEI AUGUSTUS AUGUSTI`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// announces reports whether the word at an index announces a reference.
func announces(words []nameWord, at int) bool {
	w := &words[at]
	text := w.folded
	if w.digits > 0 {
		text = strings.TrimRightFunc(text, unicode.IsDigit)
		return len(text) < len(w.folded) && (referenceWords[text] || numberedWords[text])
	}
	return referenceWords[text] || numberedWords[text] && at+1 < len(words) && words[at+1].digits > 0
}

// withoutReference returns a name up to the first word, other than the first one, that announces a
// reference.
func withoutReference(name string) string {
	words := namedWords(name)
	for at := 1; at < len(words); at++ {
		if announces(words, at) {
			return trimName(name[:words[at].start])
		}
	}
	return name
}

// longNumber is the number of digits from which on a word is a reference and not part of a name.
const longNumber = 5

// withoutLongNumber returns a name up to the first word, other than the first one, that has five
// digits or more.
func withoutLongNumber(name string) string {
	if digits(name) < longNumber {
		return name
	}
	words := namedWords(name)
	for at := 1; at < len(words); at++ {
		if words[at].digits >= longNumber {
			return trimName(name[:words[at].start])
		}
	}
	return name
}

// withoutNumber returns a text without a reference at its beginning: a word such as "INV" with a
// number, a number of six digits, or a long word of letters and digits.
func withoutNumber(text string) string {
	const number = 6
	w, next := wordFrom(text, 0)
	switch {
	case w.digits == 0 && !referenceWords[w.folded] && !numberedWords[w.folded]:
		return text
	case w.digits == 0:
		second, after := wordFrom(text, next)
		if second.digits == 0 {
			return text
		}
		next = after
	case w.digits >= number && w.digits == utf8.RuneCountInString(w.folded):
	case isNumber(text[:w.end], text) && w.digits < len(w.folded):
	case !announces([]nameWord{w}, 0):
		return text
	}
	if rest := strings.TrimLeft(text[next:], " *#-,;:/·"); hasLetters(rest, 2) {
		return rest
	}
	return text
}
