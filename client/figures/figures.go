// Package figures computes figures that several front ends show, such as the zero-cash date, the
// cash at the ends of past months, and percentages of a total. It computes with integers, and never
// with unknown amounts.
package figures

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Month is the summary of all transactions in one calendar month (UTC).
type Month struct {
	First     civil.Date // first day of the month
	Summary   apiclient.Summary
	Missing   Missing // days that statements do not cover; set by Coverage.Cover
	NoRateOut int64   // number of transactions without an exchange rate that are money out, where it was read
}

// Horizon is the longest runway, in months, for which a zero-cash date is computed. A date more
// than a hundred years ahead says no more than the number of months.
const Horizon = 1200

// IsPlausible reports whether a time from the server is plausible. A year before 2000 or after 2199
// is a mistake, such as a time that was never set.
func IsPlausible(at time.Time) bool {
	year := at.UTC().Year()
	return year >= 2000 && year < 2200
}

// ZeroDate returns the estimated day (UTC) on which a runway ends that was computed at asOf. A
// tenth of a month counts as three days. It returns false if the runway exceeds Horizon or asOf is
// implausible.
func ZeroDate(asOf time.Time, runway apiclient.Months) (civil.Date, bool) {
	tenths := runway.Tenths()
	if tenths < 0 || tenths > Horizon*10 || !IsPlausible(asOf) {
		return civil.Date{}, false
	}
	return civil.Of(asOf).AddMonths(int(tenths / 10)).AddDays(int(tenths%10) * 3), true
}

// YearMonth returns the month of a date, such as "2027-10".
func YearMonth(d civil.Date) string { return d.FirstOfMonth().String()[:7] }

// Flows returns the money in, money out and net of the month.
func (m Month) Flows() Flows {
	f := FlowsOf(m.Summary, "")
	for _, t := range [...]*Total{&f.In, &f.Out, &f.Net} {
		*t = m.Missing.Of(*t, m.Summary.Count)
	}
	return f
}

// Name returns the name of the month with the days that are known of it, such as "2026-11 so far"
// for the current month, or "2026-11 until 12 Nov".
func (m Month) Name(now time.Time) string {
	name := YearMonth(m.First)
	if days := m.Missing.Days(); days != "" {
		return name + " " + days
	}
	if IsCurrentMonth(m.First, now) && !m.Missing.Any() {
		return name + " so far"
	}
	return name
}

// MonthEnds returns the cash at the end of each month, oldest first; the last one is today's. It
// returns nil if today's cash is unknown, if a sum does not fit into an integer, or if the newest
// month doesn't contain the time of the cash: around midnight at the end of a month, the two may be
// fetched in different months.
func (c Cash) MonthEnds(months []Month) []Total {
	if len(months) == 0 || !IsCurrentMonth(months[len(months)-1].First, c.Position.AsOf) {
		return nil
	}
	ends, ok := MonthEnds(c.OnHand, months)
	if !ok {
		return nil
	}
	return ends
}

// MonthEnds returns the cash at the end of each month. The last value is today's cash. Each earlier
// value is the next one minus the net of the month between them. An earlier value therefore ignores
// all later transactions without an exchange rate, and is unknown before a month of which nothing
// is known, and before days between statements that none of them covers. MonthEnds returns false if
// a value overflows.
func MonthEnds(cash Total, months []Month) ([]Total, bool) {
	ends := make([]Total, len(months))
	for i, m := range slices.Backward(months) {
		ends[i] = cash
		if i < len(months)-1 && m.Missing.Any() && !m.Missing.gap && !cash.Unknown {
			ends[i].LeftOut = cmp.Or(cash.LeftOut, m.Missing.Why())
		}
		switch flows := m.Flows(); {
		case cash.Unknown:
		case m.Missing.gap:
			cash = UnknownTotal(cash.Currency, Balance, m.Missing.Why())
		case flows.Net.Unknown && !flows.Net.Uncovered:
			cash.Unknown, cash.Reason = true, "No transaction of "+YearMonth(m.First)+" has a "+Rate(cash.Currency)+"."
		}
		if cash.Unknown {
			continue
		}
		// Outflow and inflow are applied one after the other: the net of both could be the
		// smallest integer, whose negation overflows.
		before, ok := money.Add(cash.Minor, m.Summary.OutflowMinor)
		if !ok || m.Summary.InflowMinor < 0 {
			return nil, false
		}
		if cash.Minor, ok = money.Add(before, -m.Summary.InflowMinor); !ok {
			return nil, false
		}
		cash.Excluded = addCount(cash.Excluded, m.Summary.UnconvertedCount)
	}
	return ends, true
}

// Unconverted returns the number of transactions without an exchange rate in all these months.
func Unconverted(months []Month) (n int64) {
	for _, m := range months {
		n = addCount(n, m.Summary.UnconvertedCount)
	}
	return n
}

// CurrencyOf returns the currency of the totals of months, or "" if there are none.
func CurrencyOf(months []Month) string {
	for _, m := range months {
		if m.Summary.Currency != "" {
			return m.Summary.Currency
		}
	}
	return ""
}

// InCurrency returns a title with the currency of what it is about, such as "Months, USD". If the
// currency is not known, it returns the title alone.
func InCurrency(title, currency string) string {
	if currency == "" {
		return title
	}
	return title + ", " + currency
}

// addCount adds two counts. Instead of overflowing, it returns the largest integer, because a
// server may send any number.
func addCount(a, b int64) int64 {
	if sum, ok := money.Add(a, max(0, b)); ok {
		return sum
	}
	return math.MaxInt64
}

// Shares returns the share of each part in the total, in tenths of a percent. By the
// largest-remainder method, they add up to exactly 1000. It returns nil if a part is negative, the
// total is zero, or the total overflows.
func Shares(parts []int64) []int64 {
	return Apportion(parts, 1000)
}

// Apportion divides n in proportion to the parts, by the largest-remainder method. It returns nil
// if a part is negative, the total is zero, or the total overflows.
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

// Share is a part's share in a total, in tenths of a percent. Whole is that total.
type Share struct {
	Tenths int64
	Known  bool
	Whole  Total
}

// Mark returns the mark of the share.
func (s Share) Mark() Mark {
	if s.Known && (s.Whole.LeavesOut() > 0 || s.Whole.LeftOut != "") {
		return Partial
	}
	return NoMark
}

// String returns the share with its mark, such as "~62.1%", or a dash if it is unknown.
func (s Share) String() string {
	if !s.Known {
		return money.Dash
	}
	return s.Mark().Sign() + Percent(s.Tenths)
}

// Percent formats tenths of a percent, for example 621 as "62.1%".
func Percent(tenths int64) string {
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + "%"
}

// WithTime returns the word followed by a time, such as "synced 14:02 UTC". If the time is not on
// the current day, the date precedes it, as in "synced 2026-11-20 14:02 UTC". It returns "" if the
// time is missing or implausible.
func WithTime(word string, at *time.Time, now time.Time) string {
	switch {
	case at == nil || !IsPlausible(*at):
		return ""
	case civil.Of(*at) == civil.Of(now):
		return word + at.UTC().Format(" 15:04 UTC")
	}
	return word + at.UTC().Format(" 2006-01-02 15:04 UTC")
}

// IsCurrentMonth reports whether a date is in the current month (UTC), whose totals may still
// change.
func IsCurrentMonth(date civil.Date, now time.Time) bool {
	return date.FirstOfMonth() == civil.Of(now).FirstOfMonth()
}
