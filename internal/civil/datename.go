package civil

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"
)

// yearChoice says which year is meant by a date without one, such as 31 dec.
type yearChoice int

const (
	latestBegun  yearChoice = iota // the latest period of that name that has begun
	nextNotEnded                   // the next period of that name that has not ended
)

// ErrNumbers means that a date is ambiguous, such as 03/04/2026.
var ErrNumbers = errors.New("must be a date such as 2026-04-03 or 3 Apr 2026: 03/04/2026 is ambiguous")

var numbersOnly = regexp.MustCompile(`^\d{1,4}[/.]\d{1,4}([/.]\d{1,4})?\.?$`)

// parseNamed parses English names of months, quarters and days, with or without a year: october,
// oct 2026, q3, q3 2025, 31 dec, dec 31 2026. For a name without a year, it returns the latest
// period with that name that begins on or before day, or the next one that ends on or after day.
// The parameter choice says which.
func parseNamed(text string, day Date, choice yearChoice) (Period, bool) {
	if strings.ContainsAny(text[:min(1, len(text))], "-, ") || strings.HasSuffix(text, "-") {
		return Period{}, false
	}
	var parts dateName
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '-' }) {
		if !parts.add(word) {
			return Period{}, false
		}
	}
	if parts.year != 0 {
		return parts.in(parts.year)
	}
	step := map[yearChoice]int{latestBegun: -1, nextNotEnded: 1}[choice]
	// The next 29 February may be eight years away, because 2100 is not a leap year.
	for n := range 9 {
		p, ok := parts.in(day.Year() + n*step)
		if ok && (choice == latestBegun && !p.From.After(day) || choice == nextNotEnded && !p.To.Before(day)) {
			return p, true
		}
	}
	return Period{}, false
}

// dateName is the name of a month, quarter or day, split into its parts. Missing parts are 0.
type dateName struct {
	year, quarter, day int
	month              time.Month
}

// add adds one word of the name. It returns false if the word is unknown or its part is already
// set.
func (p *dateName) add(word string) bool {
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

// monthNamed returns the month with this name or three-letter abbreviation. If there is none, it
// returns 0.
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

// in returns the named period in a year. It returns false if the parts do not fit together, or if
// that year does not have the day.
func (p dateName) in(year int) (Period, bool) {
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

// unit is the unit of a duration: days, weeks or months.
type unit byte

const (
	days   unit = 'd'
	weeks  unit = 'w'
	months unit = 'm'
)

// parseCount parses a number of at most four digits and an optional unit, such as 30d, 30 days or 2
// weeks. The result u is 0 if the text has no unit.
func parseCount(text string) (n int, u unit, ok bool) {
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

// parseError returns ErrNumbers for dates such as 03/04/2026. For other text it returns usualError.
func parseError(text string, usualError error) error {
	if numbersOnly.MatchString(text) {
		return ErrNumbers
	}
	return usualError
}
