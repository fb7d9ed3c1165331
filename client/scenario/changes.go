// Package scenario projects the cash of the coming months under hypothetical changes: another net
// burn, additional amounts, payment of all overdue receivables, a lost customer. It also stores
// such scenarios.
package scenario

import (
	"math"
	"math/bits"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Limits of BurnPercent. At -100 there is no net burn, and at 1000 it is eleven times the current
// one.
const (
	leastBurnPercent = -100
	mostBurnPercent  = 1000
)

// Changes are hypothetical changes to the coming months. Screens must label what is computed from
// them as hypothetical. The zero value changes nothing. Amounts are in minor units of Currency, and
// positive for money in. A zero date means the current month.
type Changes struct {
	Currency string // "" without amounts

	BurnPercent int64 // change of the net burn in percent; leastBurnPercent to mostBurnPercent

	Monthly     int64 // additional amount each month, beginning in MonthlyFrom
	MonthlyFrom civil.Date

	Once   int64 // one-off amount at the beginning of the month OnceIn
	OnceIn civil.Date

	Overdue bool // all overdue receivables are paid now

	Customer     int64 // monthly revenue of a customer who leaves; not negative
	CustomerLost civil.Date
}

// Baseline is the current state, as the server reports it: the day, the spendable cash and monthly
// net burn in minor units of Currency, and the overdue receivables.
type Baseline struct {
	Currency   string
	Day        civil.Date
	Cash, Burn int64
	Overdue    figures.Total
}

// Balance is the cash on a day, in minor units.
type Balance struct {
	Day   civil.Date
	Cents int64
}

// Projection is the projected cash. Balances are in the order of their days. Between two of them
// the cash changes evenly, and a day on which it jumps has two. If the cash runs out, RunsOut is
// true, Runway is how long the cash lasts, rounded down as the server does, and the last balance is
// zero. Otherwise the cash lasts for over a hundred years. Excluded is the number of receivables
// that a scenario assumes to be paid although there is no exchange rate for them. They make all
// figures lower bounds.
type Projection struct {
	Currency string
	Balances []Balance
	RunsOut  bool
	Runway   apiclient.Months
	Excluded int64
}

// Mark returns figures.AtLeast if Excluded makes all figures lower bounds, and else
// figures.NoMark.
func (p Projection) Mark() figures.Mark { return p.total(0).Mark() }

// total returns an amount of the projection.
func (p Projection) total(minor int64) figures.Total {
	return figures.Total{Minor: minor, Currency: p.Currency, Excluded: p.Excluded}
}

// After returns the cash at the given number of months after startDate. After the last balance it
// returns 0.
func (p Projection) After(months int, startDate civil.Date) int64 {
	day := startDate.AddMonths(months)
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

// Project projects the cash from the baseline s. A month begins on the same day of the month as
// s.Day, and counts as the calendar month in which it begins. One-off amounts are added at the
// beginning of a month, other amounts evenly during it. Project returns false if a figure is
// unknown or overflows, or if the amounts are in another currency than the figures.
func (c Changes) Project(s Baseline) (Projection, bool) {
	burn, ok := changedBurn(s.Burn, c.BurnPercent)
	if !ok || !c.fits(s.Currency) || c.Overdue && (s.Overdue.Unknown || s.Overdue.Minor < 0) || c.Customer < 0 {
		return Projection{}, false
	}
	left := s.Cash
	path := Projection{Currency: s.Currency, Balances: []Balance{{s.Day, left}}}
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
			return path.end(s.Day, int64(month)*10+runwayTenths(left, fall)), true
		}
		if left, ok = money.Add(left, -fall); !ok {
			return Projection{}, false
		}
		path.Balances = append(path.Balances, Balance{s.Day.AddMonths(month + 1), left})
	}
	return path, true
}

// fits reports whether the amounts, if there are any, are in the currency of the figures.
func (c Changes) fits(currency string) bool { return c.Currency == "" || c.Currency == currency }

func (p Projection) end(from civil.Date, tenths int64) Projection {
	p.RunsOut, p.Runway = true, apiclient.MonthsOf(tenths)
	day := from.AddMonths(int(tenths / 10)).AddDays(int(tenths%10) * 3)
	// A tenth of a month counts as three days. The day is therefore inexact, but must not be before
	// the last balance.
	if last := p.Balances[len(p.Balances)-1].Day; day.Before(last) {
		day = last
	}
	p.Balances = append(p.Balances, Balance{Day: day})
	return p
}

// oneOff returns the sum of the one-off amounts at the beginning of the month with this number.
func (c Changes) oneOff(s Baseline, month int) (cents int64, ok bool) {
	ok = true
	if c.Once != 0 && monthsUntil(c.OnceIn, s.Day) == month {
		cents = c.Once
	}
	if c.Overdue && month == 0 {
		cents, ok = money.Add(cents, s.Overdue.Minor)
	}
	return cents, ok
}

// decrease returns how much the cash decreases in the month with this number. If the cash
// increases, it is negative.
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

// monthsUntil returns how many months ahead of today the month is. The zero date means the current
// month.
func monthsUntil(month, today civil.Date) int {
	if month.IsZero() {
		return 0
	}
	return month.MonthsSince(today)
}

// changedBurn returns the net burn after a change in percent, rounded to a cent.
func changedBurn(burn, percent int64) (int64, bool) {
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

// runwayTenths returns for how many runwayTenths of a month the cash lasts, if it falls by
// monthlyFall cents a month. The result is rounded down.
func runwayTenths(cash, monthlyFall int64) int64 {
	if cash <= 0 || monthlyFall <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(cash), 10)
	n, _ := bits.Div64(high, low, uint64(monthlyFall))
	return int64(n)
}
