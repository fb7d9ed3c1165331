// Package figures derives what several screens say from what the server said: the
// zero-cash date, the cash at the ends of past months, shares of a whole. All of
// it is integer arithmetic on values; nothing is derived from an unknown amount.
package figures

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Month is what the ledger's summary says of one calendar month (UTC).
type Month struct {
	First   civil.Date // its first day
	Summary apiclient.Summary
}

// Horizon is how many months ahead a runway is given a date: beyond a hundred years a
// date says no more than the number of months does.
const Horizon = 1200

// Dated reports whether a time that a server gives can be counted from. Years before
// 2000 and after 2199 are slips, such as a time that was never set.
func Dated(at time.Time) bool {
	year := at.UTC().Year()
	return year >= 2000 && year < 2200
}

// ZeroDate returns the day on which a runway of so many months ends, counted from
// when it was computed (UTC), and false where that is over a hundred years away or
// cannot be counted from. A tenth of a month counts as three days. It is an estimate,
// and has to be labelled as one.
func ZeroDate(asOf time.Time, runway apiclient.Months) (civil.Date, bool) {
	tenths := runway.Tenths()
	if tenths < 0 || tenths > Horizon*10 || !Dated(asOf) {
		return civil.Date{}, false
	}
	return civil.Of(asOf).AddMonths(int(tenths / 10)).AddDays(int(tenths%10) * 3), true
}

// ZeroMonth writes the month in which the cash of a position is gone: "2027-10",
// "over 100 years away", or a dash where the server gives no runway or no date that it
// can be counted from.
func ZeroMonth(c *apiclient.CashPosition) string {
	if c.RunwayMonths == nil || !Dated(c.AsOf) {
		return money.Dash
	}
	if day, ok := ZeroDate(c.AsOf, *c.RunwayMonths); ok {
		return YearMonth(day)
	}
	return "over 100 years away"
}

// YearMonth writes a date as its month: "2027-10".
func YearMonth(d civil.Date) string { return d.FirstOfMonth().String()[:7] }

// Flows returns the month's sums.
func (m Month) Flows() Flows { return FlowsOf(m.Summary, "") }

// MonthEnds walks back from today's cash through the ledger's monthly sums: the
// result holds what there was at the end of each month, the last of them today's.
// Rows without a USD rate are in no sum, so that a balance leaves out those of every
// month after its own. It is false when a figure does not fit.
func MonthEnds(cash int64, months []Month) ([]Sum, bool) {
	ends, left := make([]Sum, len(months)), int64(0)
	for i, m := range slices.Backward(months) {
		ends[i] = Sum{Cents: cash, Kind: Closing, Excluded: left}
		// The net is taken from its parts: negating the smallest integer overflows.
		before, ok := money.Add(cash, m.Summary.OutflowUSDCents)
		if !ok || m.Summary.InflowUSDCents < 0 {
			return nil, false
		}
		if cash, ok = money.Add(before, -m.Summary.InflowUSDCents); !ok {
			return nil, false
		}
		left = addCount(left, m.Summary.UnconvertedCount)
	}
	return ends, true
}

// Unconverted counts the rows of the months that have no USD rate and are therefore in
// none of their sums.
func Unconverted(months []Month) (n int64) {
	for _, m := range months {
		n = addCount(n, m.Summary.UnconvertedCount)
	}
	return n
}

// addCount adds two counts, which a server may make too large.
func addCount(a, b int64) int64 {
	if sum, ok := money.Add(a, max(0, b)); ok {
		return sum
	}
	return math.MaxInt64
}

// Shares returns the parts' shares of their sum in tenths of a percent. They add
// up to exactly 1000: what rounding down leaves over goes to the largest
// remainders. It is nil where shares mean nothing: a negative part, a sum of
// nothing or one that does not fit.
func Shares(parts []int64) []int64 {
	return Apportion(parts, 1000)
}

// Apportion divides n among the parts in proportion, by the largest remainders.
// It is nil where there is no proportion, as in Shares.
func Apportion(parts []int64, n int64) []int64 {
	var total int64
	for _, p := range parts {
		var ok bool
		if total, ok = money.Add(total, p); p < 0 || !ok {
			return nil
		}
	}
	if total == 0 || n < 0 {
		return nil
	}
	shares, remainders := make([]int64, len(parts)), make([]uint64, len(parts))
	left := n
	for i, p := range parts {
		high, low := bits.Mul64(uint64(p), uint64(n))
		share, remainder := bits.Div64(high, low, uint64(total))
		shares[i], remainders[i] = int64(share), remainder
		left -= int64(share)
	}
	for ; left > 0; left-- {
		largest := 0
		for i, r := range remainders {
			if r > remainders[largest] {
				largest = i
			}
		}
		shares[largest]++
		remainders[largest] = 0
	}
	return shares
}

// Percent writes tenths of a percent: "62.1%".
func Percent(tenths int64) string {
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + "%"
}

// At writes when something was so: "synced 14:02 UTC" on the same day, with the
// date on any other, and "" when nobody said or what was said is no date to go by.
func At(word string, at *time.Time, now time.Time) string {
	switch {
	case at == nil || !Dated(*at):
		return ""
	case civil.Of(*at) == civil.Of(now):
		return word + at.UTC().Format(" 15:04 UTC")
	}
	return word + at.UTC().Format(" 2006-01-02 15:04 UTC")
}

// Current reports whether a month is the one that now is in (UTC): its sums are
// sums so far.
func Current(first civil.Date, now time.Time) bool {
	return first.FirstOfMonth() == civil.Of(now).FirstOfMonth()
}
