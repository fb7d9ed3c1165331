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

// Cell returns untrusted text as a spreadsheet cell. It puts an apostrophe before text that a
// spreadsheet could evaluate as a formula, even if invisible characters precede the formula.
// Do not pass numbers that tarmac formats itself: negative ones would become text.
func Cell(text string) string {
	if text == "" || 'A' <= text[0] && text[0] <= 'Z' || 'a' <= text[0] && text[0] <= 'z' ||
		'0' <= text[0] && text[0] <= '9' {
		return text // the common case, quickly
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, isInvisible))
	if strings.ContainsRune(formulaSigns, first) || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") {
		return "'" + text
	}
	return text
}

// formulaSigns are the characters that begin a formula. Some spreadsheets also accept their
// full-width and small forms.
const formulaSigns = "=+-@" + "＝＋－＠" + "﹦﹢﹣﹫"

// isInvisible reports whether a spreadsheet may drop r at the start of a cell: a space, a control
// character or a character without width, such as a byte order mark.
func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Z) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// cell returns a field as a CSV cell. Numbers and times need no Cell, as tarmac formats them.
func cell(f *record.Field) string {
	switch f.Kind {
	case record.KindText, record.KindWords, record.KindJSON:
		return Cell(f.Raw())
	}
	return f.Raw()
}

// wholeUnits returns the name of an amount's second column: total for total_cents.
func wholeUnits(name string) string { return strings.TrimSuffix(name, "_cents") }

// amountCells returns an amount in minor and in whole units, "123456" and "1234.56", or two
// dashes for an unknown amount.
func amountCells(a apiclient.Amount) (inMinor, inWhole string) {
	minor, known := a.Minor()
	if !known {
		return money.Dash, money.Dash
	}
	return strconv.FormatInt(minor, 10), strings.ReplaceAll(money.Format(minor, a.Currency()), ",", "")
}

// Row returns the fields' text separated by tabs, to paste into a spreadsheet, where no cell
// becomes a formula.
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

// amountForClipboard returns an amount that spreadsheets do not evaluate as a formula. They read
// -$5.00 as a number but +5.00 EUR as a formula.
func amountForClipboard(text string) string {
	text = strings.TrimPrefix(text, "+")
	if strings.HasPrefix(text, "-$") {
		return text
	}
	return Cell(text)
}
