package table

import (
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/dates"
	"tarmac/service/statements/written"
)

// writtenDate holds the three numbers of a date in the order in which they are written.
type writtenDate struct {
	parts  [3]int
	orders written.Orders // possible orders by the form of the date, even if such a day does not exist
	short  bool           // true if the year has two digits
	points bool
}

// scanDate reads the date at the start of a text, such as 2026-09-30, 30.9.26, 30 Sep 2026 or
// 20260930. A time may follow. It returns false if the text is not a date.
func scanDate(text string) (writtenDate, bool) {
	first, rest := leadingDigits(text)
	switch len(first) {
	case 8:
		return compactDate(first), rest == "" || !isWordByte(rest[0]) && rest[0] != '.' && rest[0] != ','
	case 1, 2, 4:
	case 0:
		return namedDate(text)
	default:
		return writtenDate{}, false
	}
	if rest == "" || !strings.ContainsRune("-/. ", rune(rest[0])) {
		return namedDate(text)
	}
	mark := rest[0]
	second, rest := leadingDigits(strings.TrimLeft(rest[1:], " "))
	if len(second) == 0 || len(second) > 2 || rest == "" || rest[0] != mark {
		return namedDate(text)
	}
	third, rest := leadingDigits(strings.TrimLeft(rest[1:], " "))
	if !endsDate(rest, mark) {
		return writtenDate{}, false
	}
	w := writtenDate{
		parts: [3]int{value(first), value(second), value(third)},
		short: len(first) <= 2 && len(third) <= 2, points: mark == '.',
	}
	switch {
	case len(first) == 4 && len(third) >= 1 && len(third) <= 2:
		w.orders = written.YearFirst
	case len(first) <= 2 && len(third) == 4 && mark == '.':
		w.orders = written.DayFirst // with points, the month never comes first
	case len(first) <= 2 && len(third) == 4:
		w.orders = written.DayFirst | written.MonthFirst
	case len(first) == 2 && len(third) == 2 && mark == '.':
		w.orders = written.DayFirst | written.YearFirst
	case len(first) == 2 && len(third) == 2:
		w.orders = written.AnyOrder
	case len(first) == 1 && len(third) == 2:
		w.orders = written.DayFirst | written.MonthFirst
	default:
		return writtenDate{}, false
	}
	return w, true
}

// endsDate reports whether a date is complete: nothing follows it, or a time.
func endsDate(rest string, mark byte) bool {
	// Hungarian dates end with a point, as in 2026.09.30.
	rest = strings.TrimPrefix(rest, string(mark))
	return rest == "" || rest[0] == ' ' || rest[0] == 'T' || rest[0] == ',' && len(rest) > 1
}

// compactDate reads a date of eight digits. The year comes first if the digits allow it, else last.
func compactDate(digits string) writtenDate {
	if digits[:2] == "19" || digits[:2] == "20" && value(digits[4:6]) <= 12 {
		return writtenDate{parts: [3]int{value(digits[:4]), value(digits[4:6]), value(digits[6:])}, orders: written.YearFirst}
	}
	parts := [3]int{value(digits[:2]), value(digits[2:4]), value(digits[4:])}
	return writtenDate{parts: parts, orders: written.DayFirst | written.MonthFirst}
}

// date returns w as a date of which an order is chosen.
func (w writtenDate) date() written.Date { return w.day }

// day returns the calendar date if the numbers have the given order. It returns false if there is
// no such day.
func (w writtenDate) day(order bank.DateOrder) (civil.Date, bool) {
	if w.orders&written.Named(order) == 0 {
		return civil.Date{}, false
	}
	year, month, day := dates.In(order, w.parts)
	if w.short {
		year = dates.FullYear(year, dates.CommonTurn)
	}
	return bank.Day(year, month, day)
}

// month returns the number of the month with this name, from 1. It returns 0 if there is none.
func month(name string) int { return dates.Month(fold(name)) }

// namedDate reads a date with the name of a month, such as 30 Sep 2026, 30-Sep-26 or Sep 30, 2026.
func namedDate(text string) (writtenDate, bool) {
	if len(text) < 8 || len(text) > 60 {
		return writtenDate{}, false
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" -/.,", r) })
	if len(words) > 3 && month(words[0]) == 0 && month(words[1]) != 0 && !isDigit(words[0][0]) {
		words = words[1:] // skips the day of the week
	}
	if len(words) < 3 {
		return writtenDate{}, false
	}
	first, second, year := words[0], words[1], words[2]
	if !isDigit(first[0]) {
		first, second = second, first
	}
	day, tail := leadingDigits(first)
	last, after := leadingDigits(year)
	m := month(second)
	if m == 0 || day == "" || len(day) > 2 || len(tail) > 2 || len(last) != 2 && len(last) != 4 || after != "" {
		return writtenDate{}, false
	}
	return writtenDate{parts: [3]int{value(day), m, value(last)}, orders: written.DayFirst, short: len(last) == 2}, true
}

// leadingDigits splits a text after the digits at its start.
func leadingDigits(text string) (digits, rest string) {
	end := 0
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	return text[:end], text[end:]
}

// value returns the number with the given digits, of which there are at most eight.
func value(digits string) int {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordByte(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }
