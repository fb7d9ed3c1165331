package scenario

import (
	"math"

	"tarmac/internal/civil"
)

// mostCents is the largest amount with which Weekly computes, in minor units. Its products and sums
// stay below the largest int64.
const mostCents = math.MaxInt64 / 4096

// Weekly returns what the changes add to the net of each of n weeks, in minor units. The first week
// begins on the day after today. Monthly amounts count from the first day of their month on, evenly
// over the days of each month; one-off amounts count on the first day of their month. What would
// have come before the first week is left out, except for one-off amounts of the current month.
// Weekly returns false if a figure is unknown or too large, or if the amounts are in another
// currency than the figures.
func (c Changes) Weekly(s Baseline, today civil.Date, n int) ([]int64, bool) {
	burn, ok := changedBurn(s.Burn, c.BurnPercent)
	if !ok || !c.fits(s.Currency) || c.Overdue && (s.Overdue.Unknown || s.Overdue.Minor < 0) || c.Customer < 0 {
		return nil, false
	}
	for _, cents := range [...]int64{burn, s.Burn, c.Monthly, c.Once, c.Customer, s.Overdue.Minor} {
		if cents > mostCents || cents < -mostCents {
			return nil, false
		}
	}
	nets := make([]int64, n)
	for i := range 7 * n {
		day := today.AddDays(i + 1)
		nets[i/7] += ofDay(c.inMonth(day, s.Burn-burn), day)
		if c.Once != 0 && day == firstDay(c.OnceIn, today) {
			nets[i/7] += c.Once
		}
	}
	if c.Overdue && n > 0 {
		nets[0] += s.Overdue.Minor
	}
	return nets, true
}

// inMonth returns what the changes add to the net of the month of a day. saved is by how much they
// reduce the net burn.
func (c Changes) inMonth(day civil.Date, saved int64) int64 {
	month := day.FirstOfMonth()
	if !month.Before(c.MonthlyFrom.FirstOfMonth()) {
		saved += c.Monthly
	}
	if !month.Before(c.CustomerLost.FirstOfMonth()) {
		saved -= c.Customer
	}
	return saved
}

// ofDay returns the part of a month's amount that counts for a day. The parts of all days add up to
// the amount.
func ofDay(monthly int64, day civil.Date) int64 {
	days := int64(civil.DaysIn(day.Year(), day.Month()))
	return monthly*int64(day.Day())/days - monthly*int64(day.Day()-1)/days
}

// firstDay returns the day on which a one-off amount of a month counts: the first of the month, or
// tomorrow if the month is the current one.
func firstDay(month, today civil.Date) civil.Date {
	if month.IsZero() || month.FirstOfMonth() == today.FirstOfMonth() {
		return today.AddDays(1)
	}
	return month.FirstOfMonth()
}
