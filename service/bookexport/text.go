package bookexport

import (
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// decimal returns minor units as a plain number, such as -1234.56, without separators.
func decimal(minor int64, currency string) string {
	return strings.ReplaceAll(money.Format(minor, currency), ",", "")
}

// amount returns an amount with its currency, such as "-1234.56 USD".
func amount(minor int64, currency string) string { return decimal(minor, currency) + " " + currency }

// oneLine returns a text without control characters, and with single spaces instead of all white
// space.
func oneLine(text string) string { return strings.Join(strings.Fields(termtext.Line(text)), " ") }
