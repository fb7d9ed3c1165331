package export

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/spreadsheet"
)

// cell returns a field as a CSV cell. Only text needs spreadsheet.Cell; numbers and times are
// formatted by tarmac.
func cell(f *record.Field) string {
	switch f.Kind {
	case record.KindText, record.KindWords, record.KindJSON:
		return spreadsheet.Cell(f.Raw())
	}
	return f.Raw()
}

// wholeUnits returns the name of the column with an amount in whole units, such as "total" for the
// field total_cents and "open" for open_minor.
func wholeUnits(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "_cents"), "_minor")
}

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
		cells[i] = spreadsheet.Cell(f.TextOrDash())
		if f.Kind == record.KindAmount {
			cells[i] = amountForClipboard(f.TextOrDash())
		}
	}
	return strings.Join(cells, "\t")
}

// amountForClipboard returns an amount in a form that spreadsheets do not evaluate as a formula.
// They read -$5.00 and -€5.00 as numbers, but +5.00 CHF as a formula.
func amountForClipboard(text string) string {
	text = strings.TrimPrefix(text, "+")
	if first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text, "-")); unicode.Is(unicode.Sc, first) {
		return text
	}
	return spreadsheet.Cell(text)
}
