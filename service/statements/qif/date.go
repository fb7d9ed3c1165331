package qif

import (
	"strconv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// written is a date as the file has it: three numbers.
type written struct {
	numbers [3]int
	digits  [3]int // digits of each number
	// Quicken writes ' before the years from 2000 on.
	apostrophe bool
}

// centuryTurn is the first year of two digits that belongs to the 20th century.
const centuryTurn = 70

// padding removes the blanks before days and years of one digit.
var padding = strings.NewReplacer("/ ", "/", "' ", "'", "- ", "-", ". ", ".")

// dateParts splits a date: 6/17/97, 8/ 1/97, 1/ 3'05, 03.11.2026, 2026-11-03, 20261103. Times
// after a blank or T are ignored.
func dateParts(text string) (written, bool) {
	var w written
	text = padding.Replace(strings.TrimSpace(text))
	text, _, _ = strings.Cut(text, " ")
	text, _, _ = strings.Cut(text, "T")
	if len(text) == 8 && strings.Trim(text, "0123456789") == "" {
		text = text[:4] + "-" + text[4:6] + "-" + text[6:]
	}
	w.apostrophe = strings.Contains(text, "'")
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == '-' || r == '.' || r == '\'' })
	if len(parts) != 3 {
		return w, false
	}
	for i, part := range parts {
		number, err := strconv.Atoi(part)
		if err != nil || number < 0 || len(part) > 4 || len(part) == 3 {
			return w, false
		}
		w.numbers[i], w.digits[i] = number, len(part)
	}
	return w, true
}

// in returns the date in an order of its parts, or false if there is none.
func (w written) in(order bank.DateOrder) (civil.Date, bool) {
	day, month, year := 0, 1, 2
	switch order {
	case bank.MonthFirst:
		day, month = 1, 0
	case bank.YearFirst:
		day, year = 2, 0
	}
	if w.digits[day] > 2 || w.digits[month] > 2 || w.apostrophe && year == 0 {
		return civil.Date{}, false
	}
	full := w.numbers[year]
	switch {
	case w.digits[year] > 2:
	case w.digits[year] == 1 && !w.apostrophe:
		return civil.Date{}, false
	case full < centuryTurn:
		full += 2000
	default:
		full += 1900
	}
	return bank.Day(full, w.numbers[month], w.numbers[day])
}
