// Package amount writes money as the screens show it: the sign from the
// direction, the dash for what nobody knows, columns that line up on the decimal
// point. Every amount of a list goes through here, so that what is true of one
// is true of all.
package amount

import (
	"strings"

	"tarmac/apiclient"
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

// Sign returns "+" for money in, "-" for money out, and "" for a direction that
// is neither: nothing is claimed that the server did not say (docs/api.md,
// Transaction).
func Sign(d apiclient.Direction) string {
	switch d {
	case apiclient.Inflow:
		return "+"
	case apiclient.Outflow:
		return "-"
	}
	return ""
}

// Text returns an amount for a sentence or a detail: "+$1,234.56",
// "-1,234.56 EUR", or the dash for an unknown one.
func Text(a apiclient.Amount, d apiclient.Direction) string {
	if !a.Known() {
		return money.Dash
	}
	return Sign(d) + a.String()
}

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
	return Sign(d) + figure + strings.Repeat(" ", max(0, places-after))
}

// Net returns a difference of USD cents with its sign: "+$1,234.56", "-$5.00",
// "$0.00".
func Net(cents int64) string {
	if cents > 0 {
		return "+" + money.USD(cents)
	}
	return money.USD(cents)
}
