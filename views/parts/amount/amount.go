// Package amount writes money for the columns of the screens: the sign from the
// direction, the dash for unknown amounts, decimal points under each other.
package amount

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// fraction is the room right of the whole units: a point and three places, so
// that yen, dollars and dinars stand in one column.
const fraction = 4

// codes is the room for a currency's code after the figure, its blank included.
const codes = 4

// Width returns the cells that Own needs for the most common figures: a sign,
// seven digits with separators, the fraction and the code.
const Width = 1 + 9 + fraction + codes

// Own returns an amount in its own currency for a column aligned right: the
// figure, then the code, with the decimal points of all rows under each other.
// An unknown amount is the dash in the place of the units, with the code.
func Own(a apiclient.Amount, d apiclient.Direction) string {
	figure := aligned(a, d, fraction)
	code := a.Currency()
	if code == "" {
		return figure + strings.Repeat(" ", codes)
	}
	return figure + " " + termtext.Fit(code, codes-1)
}

// USD returns an amount in US dollars for a column aligned right, without code
// or sign of the currency: the header names it.
func USD(a apiclient.Amount, d apiclient.Direction) string { return aligned(a, d, 3) }

func aligned(a apiclient.Amount, d apiclient.Direction, places int) string {
	minor, known := a.Minor()
	if !known {
		return money.Dash + strings.Repeat(" ", places)
	}
	figure := money.Format(minor, a.Currency())
	after := 0
	if exponent := money.Exponent(a.Currency()); exponent > 0 {
		after = exponent + 1
	}
	return record.Sign(d) + figure + strings.Repeat(" ", max(0, places-after))
}

// Net returns a difference of USD cents with its sign: "+$1,234.56", "-$5.00",
// "$0.00".
func Net(cents int64) string {
	if cents > 0 {
		return "+" + money.USD(cents)
	}
	return money.USD(cents)
}
