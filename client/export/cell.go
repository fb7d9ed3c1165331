package export

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"tarmac/apiclient"
	"tarmac/internal/money"
)

// NewCSV returns a writer of comma-separated values as RFC 4180 has them.
func NewCSV(w io.Writer) *csv.Writer {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	return out
}

// Cell returns text from elsewhere as a spreadsheet takes it for text: what would begin a formula,
// after characters that nobody sees or not, gets an apostrophe before it. Numbers of our own need
// no guard: a negative one stays a number.
func Cell(text string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, unseen))
	if strings.ContainsRune(formulaSigns, first) || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") {
		return "'" + text
	}
	return text
}

// formulaSigns begin a formula, as they are or where a program takes their wide and small forms
// for them.
const formulaSigns = "=+-@" + "＝＋－＠" + "﹦﹢﹣﹫"

// unseen reports whether a program may drop a character at the beginning of a cell: spaces, controls
// and what has no width, such as a byte order mark.
func unseen(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Z) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// AmountColumns returns the names of an amount's two columns: the API's, such as total_cents, for
// minor units, and total for whole units.
func AmountColumns(name string) []string {
	return []string{name, strings.TrimSuffix(name, "_cents")}
}

// AmountCells returns an amount in minor and in whole units, "123456" and "1234.56", or twice the
// dash for one that nobody knows.
func AmountCells(a apiclient.Amount) []string {
	minor, known := a.Minor()
	if !known {
		return []string{money.Dash, money.Dash}
	}
	return []string{integer(minor), strings.ReplaceAll(money.Format(minor, a.Currency()), ",", "")}
}
