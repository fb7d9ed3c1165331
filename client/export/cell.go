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

// Cell returns text from elsewhere as a spreadsheet takes it for text: what would begin a formula,
// after characters that nobody sees or not, gets an apostrophe before it. Numbers of our own need
// no guard: a negative one stays a number.
func Cell(text string) string {
	if text == "" || 'A' <= text[0] && text[0] <= 'Z' || 'a' <= text[0] && text[0] <= 'z' ||
		'0' <= text[0] && text[0] <= '9' {
		return text // most text, at less cost
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, unseen))
	if strings.ContainsRune(formulaSigns, first) || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") {
		return "'" + text
	}
	return text
}

// formulaSigns begin a formula, as they are or where a program takes their wide and small forms
// for them.
const formulaSigns = "=+-@" + "＝＋－＠" + "﹦﹢﹣﹫"

// unseen reports whether a program may drop a character at the beginning of a cell: spaces,
// controls and what has no width, such as a byte order mark.
func unseen(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Z) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// cell returns a field in a row of CSV. Numbers and times are written by this program and
// need no guard.
func cell(f *record.Field) string {
	switch f.Kind {
	case record.KindText, record.KindWords, record.KindJSON:
		return Cell(f.Raw())
	}
	return f.Raw()
}

// wholeUnits names the second column of an amount: total of total_cents.
func wholeUnits(name string) string { return strings.TrimSuffix(name, "_cents") }

// amountCells returns an amount in minor and in whole units, "123456" and "1234.56", or twice
// the dash for an unknown one.
func amountCells(a apiclient.Amount) (inMinor, inWhole string) {
	minor, known := a.Minor()
	if !known {
		return money.Dash, money.Dash
	}
	return strconv.FormatInt(minor, 10), strings.ReplaceAll(money.Format(minor, a.Currency()), ",", "")
}

// Row returns fields as a row for the clipboard, divided by tabs as a spreadsheet takes them,
// which computes none of them.
func Row(fields record.Object) string {
	cells := make([]string, len(fields))
	for i := range fields {
		f := &fields[i]
		cells[i] = Cell(f.Shown())
		if f.Kind == record.KindAmount {
			cells[i] = amountForClipboard(f.Shown())
		}
	}
	return strings.Join(cells, "\t")
}

// amountForClipboard returns a signed amount. A spreadsheet reads -$5.00 as a number and
// +5.00 EUR as a formula.
func amountForClipboard(text string) string {
	text = strings.TrimPrefix(text, "+")
	if strings.HasPrefix(text, "-$") {
		return text
	}
	return Cell(text)
}
