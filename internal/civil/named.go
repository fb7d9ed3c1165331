package civil

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"
)

// towards says which of many years a month, quarter or day without one is of.
type towards int

const (
	back  towards = iota // the most recent that has begun
	ahead                // the next that is not over
)

// ErrNumbers is returned for days such as 03/04/2026.
var ErrNumbers = errors.New("must be a date such as 2026-04-03 or 3 Apr 2026: 03/04/2026 is ambiguous")

var numbersOnly = regexp.MustCompile(`^\d{1,4}[/.]\d{1,4}([/.]\d{1,4})?\.?$`)

// parseNamed reads months, quarters and days by their English names, with a year or
// without: october, oct 2026, q3, q3 2025, 31 dec, dec 31 2026. One of many is the
// most recent before last or on it, or the next after it.
func parseNamed(text string, last Date, to towards) (Period, bool) {
	if strings.ContainsAny(text[:min(1, len(text))], "-, ") || strings.HasSuffix(text, "-") {
		return Period{}, false
	}
	var parts nameParts
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '-' }) {
		if !parts.take(word) {
			return Period{}, false
		}
	}
	if parts.year != 0 {
		return parts.in(parts.year)
	}
	step := map[towards]int{back: -1, ahead: 1}[to]
	// 29 February is up to eight years away.
	for n := range 9 {
		p, ok := parts.in(last.Year() + n*step)
		if ok && (to == back && !p.From.After(last) || to == ahead && !p.To.Before(last)) {
			return p, true
		}
	}
	return Period{}, false
}

// nameParts are the words of a named month, quarter or day; 0 for one that is not there.
type nameParts struct {
	year, quarter, day int
	month              time.Month
}

// take understands one more word.
func (p *nameParts) take(word string) bool {
	into, value := &p.year, 0
	switch n, isNumber := number(strings.TrimRight(word, "stndrh"), 4); {
	case isNumber && len(word) == 4 && n > 999:
		value = n
	case isNumber && n >= 1 && n <= 31 &&
		slices.Contains([]string{"", "st", "nd", "rd", "th"}, strings.TrimLeft(word, "0123456789")):
		into, value = &p.day, n
	case len(word) == 2 && word[0] == 'q' && word[1] >= '1' && word[1] <= '4':
		into, value = &p.quarter, int(word[1]-'0')
	default:
		month := monthNamed(word)
		if p.month != 0 || month == 0 {
			return false
		}
		p.month = month
		return true
	}
	if *into != 0 {
		return false
	}
	*into = value
	return true
}

// monthNamed returns the month of a name or its first three letters; 0 for none.
func monthNamed(word string) time.Month {
	if word == "sept" {
		return time.September
	}
	for month := time.January; month <= time.December; month++ {
		if name := strings.ToLower(month.String()); word == name || word == name[:3] {
			return month
		}
	}
	return 0
}

// in returns what is named in a year; false where the words do not go together, and
// for a day that the year does not have.
func (p nameParts) in(year int) (Period, bool) {
	switch first := New(year, p.month, 1); {
	case p.quarter != 0 && p.month == 0 && p.day == 0:
		return quarterOf(New(year, time.Month(3*p.quarter), 1)), true
	case p.month == 0 || p.quarter != 0 || p.day > DaysIn(year, p.month):
		return Period{}, false
	case p.day != 0:
		day := New(year, p.month, p.day)
		return Period{day, day}, true
	default:
		return Period{first, first.LastOfMonth()}, true
	}
}

// unit is what days are counted in.
type unit byte

const (
	days   unit = 'd'
	weeks  unit = 'w'
	months unit = 'm'
)

// parseCount reads a number of at most four digits and a unit after it: 30d, 30 days,
// 2 weeks. The unit is 0 where there is none.
func parseCount(text string) (n int, of unit, ok bool) {
	word := strings.TrimLeft(text, "0123456789")
	n, ok = number(text[:len(text)-len(word)], 4)
	switch strings.TrimSpace(word) {
	case "":
		return n, 0, ok
	case "d", "day", "days":
		return n, days, ok
	case "w", "week", "weeks":
		return n, weeks, ok
	case "m", "month", "months":
		return n, months, ok
	}
	return 0, 0, false
}

// unreadable is the error for text that is no date of a kind.
func unreadable(text string, usual error) error {
	if numbersOnly.MatchString(text) {
		return ErrNumbers
	}
	return usual
}
