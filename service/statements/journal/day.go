package journal

import (
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// numbers holds the parts of a date as written.
type numbers struct {
	year, month, day int
	short            bool // the year is not written
}

// parseNumbers parses a date of a journal: 2026-01-31, 2026/1/31 or, without a year, 1.31.
func parseNumbers(text string) (n numbers, ok bool) {
	at := strings.IndexAny(text, "-/.")
	if at < 0 || len(text) > len("2026-01-31") {
		return n, false
	}
	parts := strings.Split(text, text[at:at+1])
	if len(parts) != 2 && (len(parts) != 3 || len(parts[0]) != 4) {
		return n, false
	}
	var values [3]int
	for i, part := range parts {
		if part == "" || !digitsOnly(part) {
			return n, false
		}
		for _, digit := range []byte(part) {
			values[3-len(parts)+i] = values[3-len(parts)+i]*10 + int(digit-'0')
		}
	}
	return numbers{values[0], values[1], values[2], len(parts) == 2}, true
}

// parseDay returns the day of a posting or balance. The year is used for a date without one; 0 is
// none.
func parseDay(text string, year int) (day civil.Date, ok bool) {
	n, ok := parseNumbers(text)
	if n.short {
		n.year = year
	}
	if !ok {
		return day, false
	}
	return bank.Day(n.year, n.month, n.day)
}

// parseAnyDay returns a day of any year: accounts are opened centuries before.
func parseAnyDay(text string) (day civil.Date, ok bool) {
	n, ok := parseNumbers(text)
	if !ok || n.short || n.month < 1 || n.month > 12 || n.day < 1 || n.year < 1 ||
		n.day > civil.DaysIn(n.year, time.Month(n.month)) {
		return day, false
	}
	return civil.New(n.year, time.Month(n.month), n.day), true
}
