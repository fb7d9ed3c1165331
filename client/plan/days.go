package plan

import (
	"time"

	"tarmac/internal/civil"
)

// calendar is a number of days, of which amounts fall on some. It knows their months, so that no
// day is computed twice.
type calendar struct {
	first  civil.Date
	days   int
	months []calendarMonth
}

type calendarMonth struct {
	first  civil.Date
	begins int // index of its first day; negative if it began before the calendar
	days   int
}

func newCalendar(first civil.Date, days int) *calendar {
	c := &calendar{first: first, days: days}
	month := first.FirstOfMonth()
	for begins := 1 - first.Day(); begins < days; {
		length := civil.DaysIn(month.Year(), month.Month())
		c.months = append(c.months, calendarMonth{month, begins, length})
		begins += length
		month = month.AddMonths(1)
	}
	return c
}

// addTo adds the minor units of an amount that comes as the line says to the sums of days. The
// parts of a month, or of another period of the line, add up to the amount.
func (l *Line) addTo(sums []int64, c *calendar, minor int64) {
	put := func(day int, part int64) {
		if day >= 0 && day < c.days {
			sums[day] += part
		}
	}
	switch l.Rhythm {
	case Once:
		put(l.On.DaysSince(c.first), minor)
	case Weekly:
		l.addWeeks(put, c, minor)
	default:
		months := l.Rhythm.months()
		for i := range c.months {
			l.addMonth(put, &c.months[i], months, minor)
		}
	}
}

// addMonth adds what falls on the days of a month of an amount that comes every few months.
func (l *Line) addMonth(put func(day int, part int64), m *calendarMonth, every int, minor int64) {
	if m.first.Before(l.From) || !l.To.IsZero() && m.first.After(l.To) {
		return
	}
	since := m.first.MonthsSince(l.From) % every
	if days := l.paidOn(); days != nil {
		if since == 0 {
			onDaysOf(put, m, days, minor)
		}
		return
	}
	period, before := m.days, 0 // days of the period, and those of it before the month
	if every > 1 {
		begins := m.first.AddMonths(-since)
		period, before = begins.AddMonths(every).DaysSince(begins), m.first.DaysSince(begins)
	}
	for day := range m.days {
		put(m.begins+day, evenly(minor, before+day, period))
	}
}

// onDaysOf adds an amount that is paid in equal parts on days of a month; the first one has what is
// left over. A day that the month lacks is its last.
func onDaysOf(put func(day int, part int64), m *calendarMonth, days []int, minor int64) {
	part := minor / int64(len(days))
	for i, day := range days {
		sum := part
		if i == 0 {
			sum += minor % int64(len(days))
		}
		put(m.begins+min(day, m.days)-1, sum)
	}
}

// paidOn returns the days of the month on which the amount is paid: a hire that has none is paid
// with its budget.
func (l *Line) paidOn() []int {
	if l.Days == nil && l.budget != nil && l.budget.Rhythm == l.Rhythm {
		return l.budget.Days
	}
	return l.Days
}

func (l *Line) addWeeks(put func(day int, part int64), c *calendar, minor int64) {
	begins, end := l.From.DaysSince(c.first), c.days
	if !l.To.IsZero() {
		end = min(end, l.To.LastOfMonth().DaysSince(c.first)+1)
	}
	weekday := c.first.Weekday()
	for day := max(0, begins); day < end; day++ {
		switch {
		case l.Weekday == nil:
			put(day, evenly(minor, (day-begins)%7, 7))
		case (weekday+time.Weekday(day%7))%7 == *l.Weekday:
			put(day, minor)
		}
	}
}

// evenly returns the part of an amount that falls on one of the days of a period, counted from 0.
func evenly(minor int64, day, days int) int64 {
	n := int64(days)
	return minor/n + minor%n*int64(day+1)/n - minor%n*int64(day)/n
}
