// Package scenario projects the cash of the coming months under hypothetical changes: another net
// burn, extra amounts, payment of all overdue receivables, a lost customer. It also stores these
// scenarios.
package scenario

import (
	"math"
	"math/bits"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Limits of BurnPercent: -100 means no net burn, and 1000 eleven times the current one.
const (
	leastBurnPercent = -100
	mostBurnPercent  = 1000
)

// Changes are hypothetical changes to the coming months. Screens must label results computed from
// them as hypothetical. The zero value changes nothing. Amounts are USD cents, positive for money
// coming in. A zero date means the current month.
type Changes struct {
	BurnPercent int64 // change of the net burn, leastBurnPercent to mostBurnPercent

	Monthly     int64 // extra amount each month, from MonthlyFrom on
	MonthlyFrom civil.Date

	Once   int64 // one-off amount at the beginning of OnceIn
	OnceIn civil.Date

	Overdue bool // all overdue receivables are paid now

	Customer     int64 // monthly revenue of the lost customer; not negative
	CustomerLost civil.Date
}

// Baseline is the current state, as the server reports it: the day, spendable cash and monthly
// net burn in USD cents, and the overdue receivables.
type Baseline struct {
	Day        civil.Date
	Cash, Burn int64
	Overdue    figures.Total
}

// Balance is the cash on a day, in USD cents.
type Balance struct {
	Day   civil.Date
	Cents int64
}

// Projection is the projected cash: balances in order of days, with linear change between them
// and two on a day when the cash jumps. If the cash runs out, Ends is set, Runway is how
// long it lasts, rounded down as the server does, and the last balance is zero. Otherwise
// it lasts over a hundred years. Excluded is the number of paid receivables of unknown
// amount, which make all figures lower bounds.
type Projection struct {
	Balances []Balance
	RunsOut  bool
	Runway   apiclient.Months
	Excluded int64
}

// Mark returns figures.AtLeast if Excluded makes the figures lower bounds, else "".
func (p Projection) Mark() string { return figures.Total{Excluded: p.Excluded}.Mark() }

// After returns the cash so many months after from, or 0 after the end.
func (p Projection) After(months int, from civil.Date) int64 {
	day := from.AddMonths(months)
	cents := int64(0)
	for _, b := range p.Balances {
		if b.Day.After(day) {
			return cents
		}
		cents = b.Cents
	}
	if p.RunsOut {
		return 0
	}
	return cents
}

// Project projects the cash from start. Months begin on start's day of the month, and count
// as the calendar month in which they begin. One-off amounts come at the beginning of a
// month, the others evenly through it. It returns false if a figure is unknown or
// overflows.
func (c Changes) Project(s Baseline) (Projection, bool) {
	burn, ok := changed(s.Burn, c.BurnPercent)
	if !ok || c.Overdue && (s.Overdue.Unknown || s.Overdue.Cents < 0) || c.Customer < 0 {
		return Projection{}, false
	}
	left := s.Cash
	path := Projection{Balances: []Balance{{s.Day, left}}}
	if c.Overdue {
		path.Excluded = s.Overdue.Excluded
	}
	for month := range figures.Horizon {
		day := s.Day.AddMonths(month)
		jump, ok := c.oneOff(s, month)
		if left, ok = add(left, jump, ok); !ok {
			return Projection{}, false
		}
		if jump != 0 {
			path.Balances = append(path.Balances, Balance{day, max(0, left)})
		}
		fall, ok := c.decrease(s.Day, month, burn)
		if !ok {
			return Projection{}, false
		}
		if left <= 0 || fall >= left {
			return path.end(s.Day, int64(month)*10+tenths(left, fall)), true
		}
		if left, ok = money.Add(left, -fall); !ok {
			return Projection{}, false
		}
		path.Balances = append(path.Balances, Balance{s.Day.AddMonths(month + 1), left})
	}
	return path, true
}

func (p Projection) end(from civil.Date, tenths int64) Projection {
	p.RunsOut, p.Runway = true, apiclient.MonthsOf(tenths)
	day := from.AddMonths(int(tenths / 10)).AddDays(int(tenths%10) * 3)
	// A tenth counts as three days, which may fall short of a long month and exceed
	// February.
	if last := p.Balances[len(p.Balances)-1].Day; day.Before(last) {
		day = last
	}
	p.Balances = append(p.Balances, Balance{Day: day})
	return p
}

// oneOff returns the sum of the one-off amounts at the beginning of a month.
func (c Changes) oneOff(s Baseline, month int) (cents int64, ok bool) {
	ok = true
	if c.Once != 0 && monthsUntil(c.OnceIn, s.Day) == month {
		cents = c.Once
	}
	if c.Overdue && month == 0 {
		cents, ok = money.Add(cents, s.Overdue.Cents)
	}
	return cents, ok
}

// decrease returns how much the cash falls in a month; negative if it rises.
func (c Changes) decrease(today civil.Date, month int, burn int64) (cents int64, ok bool) {
	cents, ok = burn, true
	if monthsUntil(c.MonthlyFrom, today) <= month {
		cents, ok = add(cents, -c.Monthly, c.Monthly != math.MinInt64)
	}
	if monthsUntil(c.CustomerLost, today) <= month {
		cents, ok = add(cents, c.Customer, ok)
	}
	// The smallest integer cannot be negated.
	return cents, ok && cents != math.MinInt64
}

func add(a, b int64, ok bool) (int64, bool) {
	sum, fits := money.Add(a, b)
	return sum, ok && fits
}

// monthsUntil returns how many months ahead a month is; the zero date is this month.
func monthsUntil(month, today civil.Date) int {
	if month.IsZero() {
		return 0
	}
	return month.MonthsSince(today)
}

// changed returns the burn changed by a percentage, rounded to a cent.
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

// tenths returns how many tenths of a month the remaining cash lasts, rounded down.
func tenths(left, fall int64) int64 {
	if left <= 0 || fall <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(left), 10)
	n, _ := bits.Div64(high, low, uint64(fall))
	return int64(n)
}
