package civil

import (
	"errors"
	"strings"
)

// Errors that ParseMonth returns.
var (
	ErrMonth     = errors.New("must be a month such as 2027-01, January or +3, for three months from now")
	ErrPastMonth = errors.New("must be this month or a later one")
	ErrFarMonth  = errors.New("must be within a hundred years")
)

// maxMonthsAhead is the maximum number of months from today to an accepted month.
const maxMonthsAhead = 1200

// ParseMonth parses the current month or a later one as users type it, and returns the first day of
// that month. It accepts 2027-01, January 2027, January (the next one), +3, in 3 months, 3m, this
// month and next month. Blank text means the current month.
func ParseMonth(text string, today Date) (Date, error) {
	text = normalize(text)
	this := today.FirstOfMonth()
	month, ok := this, text == ""
	if !ok {
		month, ok = parseMonthFromNow(text, this)
	}
	if !ok {
		month, ok = parseMonthNamed(text, today)
	}
	switch {
	case !ok:
		return Date{}, parseError(text, ErrMonth)
	case month.Before(this):
		return Date{}, ErrPastMonth
	case month.MonthsSince(this) > maxMonthsAhead || month.Year() > 9999:
		return Date{}, ErrFarMonth
	}
	return month, nil
}

func parseMonthFromNow(text string, this Date) (Date, bool) {
	switch text {
	case "this month":
		return this, true
	case "next month":
		return this.AddMonths(1), true
	}
	rest, plus := strings.CutPrefix(text, "+")
	if !plus {
		rest = strings.TrimPrefix(text, "in ")
	}
	n, of, ok := parseCount(strings.TrimSpace(rest))
	return this.AddMonths(n), ok && (of == months || of == 0 && plus)
}

// parseMonthNamed parses a whole month, such as 2027-01 or January. It refuses days and quarters.
func parseMonthNamed(text string, today Date) (Date, bool) {
	p, ok := parseCalendar(text)
	if !ok {
		p, ok = parseNamed(text, today, nextNotEnded)
	}
	month, whole := p.Month()
	return month, ok && whole
}
