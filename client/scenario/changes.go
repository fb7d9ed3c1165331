// Package scenario computes, describes and keeps what somebody supposes of the months ahead: a
// change of the burn, amounts, receivables that are paid, a customer who leaves.
package scenario

import (
	"math"
	"math/bits"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// The bounds of a supposed change of the net burn, in percent: without any burn at
// all, and eleven times as much.
const (
	leastBurnPercent = -100
	mostBurnPercent  = 1000
)

// Changes are what somebody supposes of the months ahead; the zero value supposes
// nothing. All of it is hypothetical, and has to be labelled as such. Amounts are
// USD cents, above zero for money that comes in. The zero date stands for the
// current month.
type Changes struct {
	BurnPercent int64 // how much more the net burn is, leastBurnPercent to mostBurnPercent

	Monthly     int64 // more or less every month, from MonthlyFrom on
	MonthlyFrom civil.Date

	Once   int64 // once, at the beginning of OnceIn
	OnceIn civil.Date

	Overdue bool // every overdue receivable is paid now

	Customer     int64 // what the customer who leaves pays a month; 0 or more
	CustomerGone civil.Date
}

// Start is what the path ahead begins with, as the server says it: the day, the
// spendable cash and the net burn a month, in USD cents, and what is overdue.
type Start struct {
	Day        civil.Date
	Cash, Burn int64
	Overdue    figures.Sum
}

// Balance is the cash on a day, in USD cents.
type Balance struct {
	Day   civil.Date
	Cents int64
}

// Path is the cash ahead: the balances in order of days, straight between two of
// them, two on a day where the cash jumps. Where it Ends, Runway is how long it
// lasts, rounded down as the server rounds, and the last balance is the zero;
// otherwise the cash lasts for over a hundred years. Excluded counts receivables that
// are paid and of which nobody knows how much they are, so that all of it is the least
// that it may be.
type Path struct {
	Balances []Balance
	Ends     bool
	Runway   apiclient.Months
	Excluded int64
}

// Mark returns what stands before the figures of the path: figures.AtLeast, or "".
func (p Path) Mark() string { return figures.Sum{Excluded: p.Excluded}.Mark() }

// After returns the cash so many months ahead: nothing past the end.
func (p Path) After(months int, from civil.Date) int64 {
	day := from.AddMonths(months)
	cents := int64(0)
	for _, b := range p.Balances {
		if b.Day.After(day) {
			return cents
		}
		cents = b.Cents
	}
	if p.Ends {
		return 0
	}
	return cents
}

// Ahead walks from the start through the months ahead: a month begins on the day of
// the month that it is now, and belongs to the calendar month in which it begins.
// One-off amounts come at its beginning, the rest evenly through it. It is false
// where a figure is not known or does not fit.
func (c Changes) Ahead(s Start) (Path, bool) {
	burn, ok := changed(s.Burn, c.BurnPercent)
	if !ok || c.Overdue && (s.Overdue.Unknown || s.Overdue.Cents < 0) || c.Customer < 0 {
		return Path{}, false
	}
	left := s.Cash
	path := Path{Balances: []Balance{{s.Day, left}}}
	if c.Overdue {
		path.Excluded = s.Overdue.Excluded
	}
	for month := range figures.Horizon {
		day := s.Day.AddMonths(month)
		jump, ok := c.jump(s, month)
		if left, ok = add(left, jump, ok); !ok {
			return Path{}, false
		}
		if jump != 0 {
			path.Balances = append(path.Balances, Balance{day, max(0, left)})
		}
		fall, ok := c.fall(s.Day, month, burn)
		if !ok {
			return Path{}, false
		}
		if left <= 0 || fall >= left {
			return path.end(s.Day, int64(month)*10+tenths(left, fall)), true
		}
		if left, ok = money.Add(left, -fall); !ok {
			return Path{}, false
		}
		path.Balances = append(path.Balances, Balance{s.Day.AddMonths(month + 1), left})
	}
	return path, true
}

func (p Path) end(from civil.Date, tenths int64) Path {
	p.Ends, p.Runway = true, apiclient.MonthsOf(tenths)
	day := from.AddMonths(int(tenths / 10)).AddDays(int(tenths%10) * 3)
	// Three days a tenth may come to less than a long month, and to more than February.
	if last := p.Balances[len(p.Balances)-1].Day; day.Before(last) {
		day = last
	}
	p.Balances = append(p.Balances, Balance{Day: day})
	return p
}

// jump is what comes at the beginning of a month.
func (c Changes) jump(s Start, month int) (cents int64, ok bool) {
	ok = true
	if c.Once != 0 && monthsUntil(c.OnceIn, s.Day) == month {
		cents = c.Once
	}
	if c.Overdue && month == 0 {
		cents, ok = money.Add(cents, s.Overdue.Cents)
	}
	return cents, ok
}

// fall is how much less cash there is after a month; below zero when there is more.
func (c Changes) fall(today civil.Date, month int, burn int64) (cents int64, ok bool) {
	cents, ok = burn, true
	if monthsUntil(c.MonthlyFrom, today) <= month {
		cents, ok = add(cents, -c.Monthly, c.Monthly != math.MinInt64)
	}
	if monthsUntil(c.CustomerGone, today) <= month {
		cents, ok = add(cents, c.Customer, ok)
	}
	// Its negation is needed, too.
	return cents, ok && cents != math.MinInt64
}

func add(a, b int64, ok bool) (int64, bool) {
	sum, fits := money.Add(a, b)
	return sum, ok && fits
}

// monthsUntil is how many months ahead a month is; the zero date is this month.
func monthsUntil(month, today civil.Date) int {
	if month.IsZero() {
		return 0
	}
	return month.MonthsSince(today)
}

// changed returns the burn changed by so many percent, to the nearest cent.
func changed(burn, percent int64) (int64, bool) {
	if burn < 0 || percent < leastBurnPercent || percent > mostBurnPercent {
		return 0, false
	}
	high, low := bits.Mul64(uint64(burn), uint64(100+percent))
	low, carry := bits.Add64(low, 50, 0)
	high += carry
	if high >= 100 {
		return 0, false
	}
	cents, _ := bits.Div64(high, low, 100)
	return int64(cents), cents <= math.MaxInt64
}

// tenths returns how many tenths of a month the rest lasts, rounded down.
func tenths(left, fall int64) int64 {
	if left <= 0 || fall <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(left), 10)
	n, _ := bits.Div64(high, low, uint64(fall))
	return int64(n)
}
