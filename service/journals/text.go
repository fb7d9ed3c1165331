package journals

import (
	"math/big"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/service/statements/bank"
)

// decimal returns minor units as a plain number, such as -1234.56, without separators.
func decimal(minor int64, currency string) string {
	return strings.ReplaceAll(money.Format(minor, currency), ",", "")
}

// amount returns an amount with its currency, such as "-1234.56 USD".
func amount(minor int64, currency string) string { return decimal(minor, currency) + " " + currency }

// rateDecimals is the number of decimals of exchange rates. The weakest currencies have six digits
// in it.
const rateDecimals = 12

// rate returns the value of one unit of the rate's currency in US dollars, as a decimal.
func rate(r bank.Rate) string {
	text := big.NewRat(r.Numerator, r.Denominator).FloatString(rateDecimals)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// oneLine returns a text without control characters, and with single spaces instead of all white
// space.
func oneLine(text string) string { return strings.Join(strings.Fields(termtext.Line(text)), " ") }
