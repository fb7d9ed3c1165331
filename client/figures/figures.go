// Package figures computes the figures that several front ends show, such as the zero-cash date,
// past month-end balances and shares of a total. It uses integer arithmetic, and computes
// nothing from unknown amounts.
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

// Month is the summary of the transactions of one calendar month (UTC).
type Month struct {
	First   civil.Date // the first day of the month
	Summary apiclient.Summary
}

// Horizon is the longest runway, in months, that gets a zero-cash date. A date over a
// hundred years away adds nothing to the number of months.
const Horizon = 1200

// IsPlausible reports whether a server's time is plausible. Years before 2000 and after 2199 are
// mistakes, such as an unset time.
func IsPlausible(at time.Time) bool {
	year := at.UTC().Year()
	return year >= 2000 && year < 2200
}

// ZeroDate returns the estimated day (UTC) on which a runway computed at asOf ends. A tenth
// of a month counts as three days. It returns false for a runway above Horizon and for an
// implausible asOf.
func ZeroDate(asOf time.Time, runway apiclient.Months) (civil.Date, bool) {
	tenths := runway.Tenths()
	if tenths < 0 || tenths > Horizon*10 || !IsPlausible(asOf) {
		return civil.Date{}, false
	}
	return civil.Of(asOf).AddMonths(int(tenths / 10)).AddDays(int(tenths%10) * 3), true
}

// ZeroMonth returns the month in which cash runs out: "2027-10", "over 100 years away", or
// a dash without a runway or a plausible date.
func ZeroMonth(c *apiclient.CashPosition) string {
	if c.RunwayMonths == nil || !IsPlausible(c.AsOf) {
		return money.Dash
	}
	if day, ok := ZeroDate(c.AsOf, *c.RunwayMonths); ok {
		return YearMonth(day)
	}
	return "over 100 years away"
}

// YearMonth returns the month of a date: "2027-10".
func YearMonth(d civil.Date) string { return d.FirstOfMonth().String()[:7] }

// Flows returns the money in, the money out and the net of the month.
func (m Month) Flows() Flows { return FlowsOf(m.Summary, "") }

// MonthEnds returns the cash at the end of each month. The last balance is today's cash, and each
// earlier one is computed by subtracting the net of the following month. A balance therefore
// excludes the transactions without a USD rate of all later months. MonthEnds returns false on
// overflow.
func MonthEnds(cash int64, months []Month) ([]Total, bool) {
	ends, left := make([]Total, len(months)), int64(0)
	for i, m := range slices.Backward(months) {
		ends[i] = Total{Cents: cash, Kind: Balance, Excluded: left}
		// Negating the net would overflow for the smallest integer, so its parts are added.
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

// Unconverted returns the number of transactions without a USD rate in these months.
func Unconverted(months []Month) (n int64) {
	for _, m := range months {
		n = addCount(n, m.Summary.UnconvertedCount)
	}
	return n
}

// addCount adds two counts. It caps the result instead of overflowing, because a server may send
// any number.
func addCount(a, b int64) int64 {
	if sum, ok := money.Add(a, max(0, b)); ok {
		return sum
	}
	return math.MaxInt64
}

// Shares returns each part's share of the total in tenths of a percent, adding up to
// exactly 1000 by the largest-remainder method. It returns nil for a negative part, a total
// of zero or an overflow.
func Shares(parts []int64) []int64 {
	return Apportion(parts, 1000)
}

// Apportion divides n among the parts in proportion, by the largest-remainder method. It
// returns nil in the same cases as Shares.
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

// Percent formats tenths of a percent: "62.1%".
func Percent(tenths int64) string {
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + "%"
}

// At returns word followed by a time: "synced 14:02 UTC" for the current day, "synced 2026-11-20
// 14:02 UTC" for others. It returns "" for a missing or implausible time.
func At(word string, at *time.Time, now time.Time) string {
	switch {
	case at == nil || !IsPlausible(*at):
		return ""
	case civil.Of(*at) == civil.Of(now):
		return word + at.UTC().Format(" 15:04 UTC")
	}
	return word + at.UTC().Format(" 2006-01-02 15:04 UTC")
}

// Current reports whether first is in the current month (UTC), whose totals may still change.
func Current(first civil.Date, now time.Time) bool {
	return first.FirstOfMonth() == civil.Of(now).FirstOfMonth()
}
