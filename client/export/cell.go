package export

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/internal/money"
)

// Cell returns text from an untrusted source as a spreadsheet cell. If a spreadsheet could evaluate
// the text as a formula, Cell puts an apostrophe before it, even if the formula follows invisible
// characters. Do not use Cell for numbers that tarmac formats itself, because negative numbers
// would become text.
func Cell(text string) string {
	if text == "" || 'A' <= text[0] && text[0] <= 'Z' || 'a' <= text[0] && text[0] <= 'z' ||
		'0' <= text[0] && text[0] <= '9' {
		return text // fast path for most texts
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, isInvisible))
	if strings.ContainsRune(formulaSigns, first) || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") {
		return "'" + text
	}
	return text
}

// formulaSigns are the characters with which a formula may begin. Some spreadsheets also accept
// their full-width and small forms.
const formulaSigns = "=+-@" + "＝＋－＠" + "﹦﹢﹣﹫"

// isInvisible reports whether a spreadsheet may ignore r at the start of a cell: a space, a control
// character, or a character without width such as a byte order mark.
func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Z) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// cell returns a field as a CSV cell. Only text needs the function Cell; numbers and times are
// formatted by tarmac.
func cell(f *record.Field) string {
	switch f.Kind {
	case record.KindText, record.KindWords, record.KindJSON:
		return Cell(f.Raw())
	}
	return f.Raw()
}

// wholeUnits returns the name of the column with an amount in whole units, such as "total" for the
// field total_cents.
func wholeUnits(name string) string { return strings.TrimSuffix(name, "_cents") }

// amountCells returns an amount in minor and in whole units, such as "123456" and "1234.56". For an
// unknown amount it returns two dashes.
func amountCells(a apiclient.Amount) (inMinor, inWhole string) {
	minor, known := a.Minor()
	if !known {
		return money.Dash, money.Dash
	}
	return strconv.FormatInt(minor, 10), strings.ReplaceAll(money.Format(minor, a.Currency()), ",", "")
}

// Row returns the fields as text with tabs between them, for pasting into a spreadsheet. The
// spreadsheet evaluates no cell as a formula.
func Row(fields record.Object) string {
	cells := make([]string, len(fields))
	for i := range fields {
		f := &fields[i]
		cells[i] = Cell(f.TextOrDash())
		if f.Kind == record.KindAmount {
			cells[i] = amountForClipboard(f.TextOrDash())
		}
	}
	return strings.Join(cells, "\t")
}

// amountForClipboard returns an amount in a form that spreadsheets do not evaluate as a formula.
// They read -$5.00 as a number, but +5.00 EUR as a formula.
func amountForClipboard(text string) string {
	text = strings.TrimPrefix(text, "+")
	if strings.HasPrefix(text, "-$") {
		return text
	}
	return Cell(text)
}
