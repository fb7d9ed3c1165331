package civil

import (
	"errors"
	"strings"
)

// ErrDue means that a text is not a due date.
var ErrDue = errors.New("must be a date such as 2026-12-31, 31 Dec, net 30 or in 2 weeks")

// maxDaysAhead is the longest payment term that is accepted, in days from today.
const maxDaysAhead = 3650

// ParseDue parses a due date as users type it. It accepts dates (2026-12-31, 31 Dec), terms counted
// from today (net 30, +30, in 30 days, 30d, 2w, 3m), and the words today and tomorrow. A week,
// month or quarter (this month, next week, October, Q3, 2027-01, end of January) means its last
// day. A name without a year means the next such date. Blank text returns the zero date.
func ParseDue(text string, today Date) (Date, error) {
	text = normalize(text)
	if text == "" {
		return Date{}, nil
	}
	if day, err := Parse(text); err == nil {
		return day, nil
	}
	switch text {
	case "today":
		return today, nil
	case "tomorrow":
		return today.AddDays(1), nil
	}
	day, ok := parseFromNow(text, today)
	if !ok {
		day, ok = parseLastDay(text, today)
	}
	if !ok || day.Year() > 9999 {
		return Date{}, parseError(text, ErrDue)
	}
	return day, nil
}

// normalize returns text in lower case with single spaces between its words.
func normalize(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// parseFromNow parses terms such as net 30, +30, in 30 days and 30d.
func parseFromNow(text string, today Date) (Date, bool) {
	rest, net := strings.CutPrefix(text, "net")
	if !net {
		rest, net = strings.CutPrefix(text, "+")
	}
	if !net {
		rest = strings.TrimPrefix(text, "in ")
	}
	n, of, ok := parseCount(strings.TrimSpace(rest))
	if of == 0 && net {
		of = days
	}
	var day Date
	switch of {
	case days:
		day = today.AddDays(n)
	case weeks:
		day = today.AddDays(7 * n)
	case months:
		day = today.AddMonths(n)
	default:
		return Date{}, false
	}
	return day, ok && day.DaysSince(today) <= maxDaysAhead
}

// parseLastDay parses a period or the name of a day, and returns the last day of the period.
func parseLastDay(text string, today Date) (Date, bool) {
	if rest, end := strings.CutPrefix(text, "end of "); end {
		text = rest
		if _, whole := relativePeriod(rest, today, 0); whole {
			text = "this " + rest
		}
	}
	if which, unit, ok := strings.Cut(text, " "); ok && (which == "this" || which == "next") {
		away := 0
		if which == "next" {
			away = 1
		}
		p, ok := relativePeriod(unit, today, away)
		return p.To, ok
	}
	if p, ok := parseCalendar(text); ok && len(text) > len("2026") {
		return p.To, true
	}
	p, ok := parseNamed(text, today, nextNotEnded)
	return p.To, ok
}
