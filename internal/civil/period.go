package civil

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Period is a range of days that includes both From and To. A zero From or To means that the range
// has no such end.
type Period struct{ From, To Date }

// Month returns the first day of the month that the period is. It returns false if the period is
// not one whole month.
func (p Period) Month() (first Date, ok bool) {
	return p.From, p.From.Day() == 1 && p.To == p.From.LastOfMonth()
}

// String returns text such as "2026-01-01..2026-03-31", or the date of a single day. It leaves out
// an end that is zero, as in "2026-01-01..".
func (p Period) String() string {
	if p.From == p.To {
		return p.From.String()
	}
	return p.From.String() + ".." + p.To.String()
}

// ErrPeriod means that a text is not a period.
var ErrPeriod = errors.New("not a date: try 2026-03-31, oct, q3, 2026-03, 2026-01-01.., last month, ytd, 90d")

// ParsePeriod reads a period in the past as people type it. It accepts days (2026-03-31, 31
// Dec), months (2026-03, October, Oct 2025), quarters (2026-Q1, Q3), years, and words:
// today, yesterday, this or last week, month, quarter or year, mtd, qtd, ytd, last N days,
// weeks or months, or 90d, 12w and 6m for short. Two of these with ".." between them are a
// range, whose start or end may be left out; so are "from A to B", "from A", "since A", "to
// B" and "until B". Names without a year mean the latest that has begun, or in a range the
// latest before its end. Weeks begin on Monday. today is the current day in UTC. Errors are
// ErrPeriod, ErrNumbers or a sentence about the order of the dates.
func ParsePeriod(text string, today Date) (Period, error) {
	text = withDots(normalize(text))
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		return parseOnePeriod(text, today, today)
	}
	first, last = strings.TrimSpace(first), strings.TrimSpace(last)
	if first == "" && last == "" {
		return Period{}, ErrPeriod
	}
	var p Period
	end := today
	if last != "" {
		span, err := parseOnePeriod(last, today, today)
		if err != nil {
			return Period{}, err
		}
		if p.To = span.To; span.From.Before(end) {
			end = p.To
		}
	}
	if first != "" {
		span, err := parseOnePeriod(first, today, end)
		if err != nil {
			return Period{}, err
		}
		p.From = span.From
	}
	if first != "" && last != "" && p.From.After(p.To) {
		return Period{}, fmt.Errorf("%s is after %s: the earlier date comes first", p.From, p.To)
	}
	return p, nil
}

// withDots replaces the words of a range, such as "from" and "to", with "..".
func withDots(text string) string {
	for _, word := range []string{"from ", "since "} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			first, last, _ := strings.Cut(rest, " to ")
			return first + ".." + last
		}
	}
	for _, word := range []string{"to ", "until "} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			return ".." + rest
		}
	}
	return text
}

// parseOnePeriod parses a period without "..". A name without a year, such as October, means the
// latest such period that begins on or before lastDay.
func parseOnePeriod(text string, today, lastDay Date) (Period, error) {
	if d, err := Parse(text); err == nil {
		return checkYears(Period{d, d})
	}
	if p, ok := parseCalendar(text); ok {
		return checkYears(p)
	}
	if p, ok := parseWords(text, today); ok {
		return checkYears(p)
	}
	if p, ok := parseNamed(text, lastDay, latestBegun); ok {
		return checkYears(p)
	}
	return Period{}, parseError(text, ErrPeriod)
}

// checkYears returns an error for years that the form YYYY-MM-DD cannot express.
func checkYears(p Period) (Period, error) {
	if p.From.Year() < 1 || p.To.Year() > 9999 {
		return Period{}, ErrPeriod
	}
	return p, nil
}

// parseCalendar parses years, months and quarters such as 2026, 2026-03 and 2026-q1.
func parseCalendar(text string) (Period, bool) {
	year, part, hasPart := strings.Cut(text, "-")
	y, ok := number(year, 4)
	if !ok || len(year) != 4 || y == 0 {
		return Period{}, false
	}
	if !hasPart {
		return Period{New(y, time.January, 1), New(y, time.December, 31)}, true
	}
	if quarter, ok := strings.CutPrefix(part, "q"); ok {
		n, ok := number(quarter, 1)
		if !ok || n < 1 || n > 4 {
			return Period{}, false
		}
		return quarterOf(New(y, time.Month(3*n), 1)), true
	}
	m, ok := number(part, 2)
	if !ok || m < 1 || m > 12 {
		return Period{}, false
	}
	first := New(y, time.Month(m), 1)
	return Period{first, first.LastOfMonth()}, true
}

func parseWords(text string, today Date) (Period, bool) {
	switch text {
	case "today":
		return Period{today, today}, true
	case "yesterday":
		return Period{today.AddDays(-1), today.AddDays(-1)}, true
	case "mtd":
		return Period{today.FirstOfMonth(), today}, true
	case "qtd":
		return Period{quarterOf(today).From, today}, true
	case "ytd":
		return Period{New(today.Year(), time.January, 1), today}, true
	}
	if p, ok := parseLast(text, today); ok {
		return p, true
	}
	which, unit, _ := strings.Cut(text, " ")
	switch which {
	case "this":
		return relativePeriod(unit, today, 0)
	case "last":
		if p, ok := relativePeriod(unit, today, -1); ok {
			return p, true
		}
		return parseLast(unit, today)
	}
	return Period{}, false
}

// relativePeriod returns a week, month, quarter or year relative to the current one. away is 0 for
// the current one and -1 for the one before.
func relativePeriod(unit string, today Date, away int) (Period, bool) {
	month := today.FirstOfMonth()
	switch unit {
	case "week":
		monday := today.AddDays(-(int(today.Weekday())+6)%7 + 7*away)
		return Period{monday, monday.AddDays(6)}, true
	case "month":
		first := month.AddMonths(away)
		return Period{first, first.LastOfMonth()}, true
	case "quarter":
		return quarterOf(month.AddMonths(3 * away)), true
	case "year":
		y := today.Year() + away
		return Period{New(y, time.January, 1), New(y, time.December, 31)}, true
	}
	return Period{}, false
}

// parseLast parses text such as 30d and 30 days. It returns the last 30 days, including today.
func parseLast(text string, today Date) (Period, bool) {
	n, of, ok := parseCount(text)
	if !ok || n == 0 {
		return Period{}, false
	}
	switch of {
	case days:
		return Period{today.AddDays(1 - n), today}, true
	case weeks:
		return Period{today.AddDays(1 - 7*n), today}, true
	case months:
		return Period{today.AddMonths(-n).AddDays(1), today}, true
	}
	return Period{}, false
}

func quarterOf(d Date) Period {
	first := New(d.Year(), (d.Month()-1)/3*3+1, 1)
	return Period{first, first.AddMonths(2).LastOfMonth()}
}

// number parses text that consists only of decimal digits. It returns false for other text, and for
// more than most digits.
func number(text string, most int) (int, bool) {
	if text == "" || len(text) > most {
		return 0, false
	}
	return digits(text)
}
