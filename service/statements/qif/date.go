package qif

import (
	"strconv"
	"strings"
	"unicode"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/dates"
)

// writtenDate is a date in the file, split into three numbers.
type writtenDate struct {
	numbers [3]int
	digits  [3]int // number of digits of each number
	// apostrophe is true if ' stands before the year, as Quicken writes years from 2000 on.
	apostrophe bool
	named      bool // true if the month is a word; numbers are then day, month and year
}

// padding removes the blanks that pad days and years of one digit.
var padding = strings.NewReplacer("/ ", "/", "' ", "'", "- ", "-", ". ", ".")

// dateParts splits a date such as 6/17/97, 8/ 1/97, 1/ 3'05, 03.11.2026, 2026-11-03 or 20261103. It
// ignores a time after a blank or T.
func dateParts(text string) (writtenDate, bool) {
	var w writtenDate
	text = padding.Replace(strings.TrimSpace(text))
	if strings.ContainsFunc(text, unicode.IsLetter) {
		if w, ok := namedParts(text); ok {
			return w, true
		}
	}
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

// namedParts splits a date with the English name of a month, such as 26 Jan 2026 or Dec 31, 2026.
func namedParts(text string) (writtenDate, bool) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" /-.,", r) })
	if len(parts) != 3 {
		return writtenDate{}, false
	}
	day, name := parts[0], parts[1]
	month := dates.EnglishMonth(name)
	if month == 0 {
		day, name = parts[1], parts[0]
		month = dates.EnglishMonth(name)
	}
	number, err := strconv.Atoi(day)
	year, err2 := strconv.Atoi(parts[2])
	if month == 0 || err != nil || err2 != nil || len(day) > 2 || len(parts[2]) != 2 && len(parts[2]) != 4 {
		return writtenDate{}, false
	}
	return writtenDate{
		numbers: [3]int{number, month, year}, digits: [3]int{len(day), 2, len(parts[2])}, named: true,
	}, true
}

// in returns the calendar date, with its parts in the given order. It returns false if there is no
// such day.
func (w writtenDate) in(order bank.DateOrder) (civil.Date, bool) {
	if w.named {
		order = bank.DayFirst
	}
	year, month, day := dates.In(order, w.numbers)
	yearDigits, monthDigits, dayDigits := dates.In(order, w.digits)
	switch {
	case dayDigits > 2 || monthDigits > 2 || w.apostrophe && order == bank.YearFirst,
		yearDigits == 1 && !w.apostrophe:
		return civil.Date{}, false
	case yearDigits <= 2:
		year = dates.FullYear(year, dates.CommonTurn)
	}
	return bank.Day(year, month, day)
}
