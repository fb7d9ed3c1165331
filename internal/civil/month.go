package civil

import (
	"errors"
	"strings"
)

// What may be wrong with a month.
var (
	ErrMonth     = errors.New("must be a month such as 2027-01, January or +3, for three months from now")
	ErrPastMonth = errors.New("must be this month or a later one")
	ErrFarMonth  = errors.New("must be within a hundred years")
)

// farthest is how many months ahead something may be planned.
const farthest = 1200

// ParseMonth reads this month or a later one, as people type it, as its first day:
// 2027-01, January 2027; January for the next one that is not over; +3, in 3 months
// and 3m from now; this month and next month. Nothing but blanks is this month.
func ParseMonth(text string, today Date) (Date, error) {
	text = folded(text)
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
		return Date{}, unreadable(text, ErrMonth)
	case month.Before(this):
		return Date{}, ErrPastMonth
	case month.MonthsSince(this) > farthest || month.Year() > 9999:
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

// parseMonthNamed parses a whole month, such as 2027-01 or January. Days and quarters are refused.
func parseMonthNamed(text string, today Date) (Date, bool) {
	p, ok := parseCalendar(text)
	if !ok {
		p, ok = parseNamed(text, today, ahead)
	}
	return p.From, ok && p.From.Day() == 1 && p.To == p.From.LastOfMonth()
}
