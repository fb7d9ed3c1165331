// Package amount formats money for columns of tables. The sign follows the direction, unknown
// amounts are a dash, and decimal points line up.
package amount

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// fraction is the width of the decimal point and the decimal places: up to three, since some
// currencies have three.
const fraction = 4

// codes is the width of a space and a three-letter currency code.
const codes = 4

// Width is the width in cells that InOwnCurrency needs for an amount of up to six digits before the
// decimal point.
const Width = 1 + 7 + fraction + codes

// Widest is the width in cells that InOwnCurrency needs for the largest amount.
const Widest = 1 + 25 + fraction + codes

// narrow is the least number of minor units of any currency that may need more than Width.
const narrow = 1_000_000

// Needed returns the width in cells of InOwnCurrency for a, or 0 if Width is enough. Tables
// need it (see Widen), because an amount without its last digits reads as another one.
func Needed(a apiclient.Amount) int {
	if sum := figures.AmountOf(a); -narrow < sum.Minor && sum.Minor < narrow {
		return 0
	}
	return termtext.Width(InOwnCurrency(a, apiclient.Outflow))
}

// InOwnCurrency returns the amount a as text for a right-aligned column, in its own currency and
// followed by the currency code. An unknown amount is a dash with the code.
func InOwnCurrency(a apiclient.Amount, d apiclient.Direction) string {
	figure := aligned(a, d, fraction)
	code := a.Currency()
	if code == "" {
		return figure + strings.Repeat(" ", codes)
	}
	return figure + " " + termtext.Fit(code, codes-1)
}

// InColumn returns the amount a as text for a right-aligned column whose header names its currency.
// An unknown amount is a dash.
func InColumn(a apiclient.Amount, d apiclient.Direction) string {
	places := money.Exponent(a.Currency())
	if places > 0 {
		places++
	}
	return aligned(a, d, places)
}

func aligned(a apiclient.Amount, d apiclient.Direction, places int) string {
	sum := figures.AmountOf(a)
	if sum.Unknown {
		return money.Dash + strings.Repeat(" ", places)
	}
	figure := money.Format(sum.Minor, sum.Currency)
	after := 0
	if exponent := money.Exponent(sum.Currency); exponent > 0 {
		after = exponent + 1
	}
	return record.Sign(d) + figure + strings.Repeat(" ", max(0, places-after))
}
