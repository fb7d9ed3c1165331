package openitems

import (
	"strconv"
	"strings"
	"unicode"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/dates"
)

// writtenDate is a date whose day and month may be ambiguous.
type writtenDate struct {
	year, first, second int
	open                bool // true if first and second may be day and month or month and day
}

// readDate parses a date such as 2026-09-30, 9/30/2026, 30.09.26, 30 Sep 2026 or September 30,
// 2026. A time may follow.
func readDate(text string) (writtenDate, bool) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(parts) < 3 {
		return writtenDate{}, false
	}
	if day, _, ok := strings.Cut(parts[2], "T"); ok && len(parts[0]) == 4 {
		parts[2] = day
	}
	var values [3]int
	month := -1
	for i, part := range parts[:3] {
		value, err := strconv.Atoi(part)
		if err != nil {
			if value = dates.EnglishMonth(part); value == 0 || month >= 0 {
				return writtenDate{}, false
			}
			month = i
		}
		values[i] = value
	}
	switch {
	case month == 2:
		return writtenDate{}, false
	case month >= 0:
		return writtenDate{year: fullYear(values[2]), first: values[month], second: values[1-month]}, true
	case len(parts[0]) == 4:
		return writtenDate{year: values[0], first: values[1], second: values[2]}, true
	}
	if strings.Count(text, ".") >= 2 { // nobody writes the month first with points
		return writtenDate{year: fullYear(values[2]), first: values[1], second: values[0]}, true
	}
	return writtenDate{year: fullYear(values[2]), first: values[0], second: values[1], open: true}, true
}

// fullYear adds the century to a year of two digits. Open invoices are of this century.
func fullYear(year int) int {
	if year < 100 {
		return dates.FullYear(year, dates.NoTurn)
	}
	return year
}

// in returns the calendar date, with day and month in the given order. It returns false if that day
// does not exist.
func (w writtenDate) in(order bank.DateOrder) (civil.Date, bool) {
	switch {
	case !w.open || order == bank.MonthFirst:
		return bank.Day(w.year, w.first, w.second)
	case order == bank.YearFirst:
		return civil.Date{}, false
	}
	return bank.Day(w.year, w.second, w.first)
}
