package why

import (
	"math"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/money"
)

// largestTenths is the largest cash with which tenths computes, in minor units.
const largestTenths = math.MaxInt64 / 10

// PastDueText says how long the cash lasts once the bills that are past due are paid: "13.1 months
// after $42,000.00 past due to vendors." The past net burn does not have these bills yet.
// PastDueText returns "" if nothing is past due, if the months stay the same, or if a part is
// unknown.
func PastDueText(c *figures.Cash, pastDue figures.Total) string {
	if c.Runway == nil || c.Spendable.Unknown || c.NetBurn.Unknown || c.NetBurn.Minor <= 0 || pastDue.Unknown ||
		pastDue.Minor <= 0 || pastDue.Currency != c.Spendable.Currency {
		return ""
	}
	left, ok := money.Add(c.Spendable.Minor, -pastDue.Minor)
	if !ok || left > largestTenths {
		return ""
	}
	mark := c.Mark()
	if mark == figures.NoMark && pastDue.Mark() == figures.AtMost {
		mark = figures.AtLeast
	} else if mark == figures.NoMark && pastDue.Mark() != figures.NoMark {
		mark = figures.Partial
	}
	months := apiclient.MonthsOf(tenths(max(0, left), c.NetBurn.Minor))
	if months.String() == c.Runway.String() {
		return ""
	}
	return mark.Sign() + months.String() + " months after " + pastDue.String() + " past due to vendors."
}
