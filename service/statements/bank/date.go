package bank

import (
	"time"

	"tarmac/internal/civil"
)

// The range of years that statements may have. Years outside it are mistakes, or stand for a
// missing date like 0001 and 9999.
const (
	firstYear = 1900
	lastYear  = 2199
)

// Day returns the date of a year, month and day. It returns false for a day that does not exist,
// and for a year that no statement can have.
func Day(year, month, day int) (civil.Date, bool) {
	if year < firstYear || year > lastYear || month < 1 || month > 12 || day < 1 ||
		day > civil.DaysIn(year, time.Month(month)) {
		return civil.Date{}, false
	}
	return civil.New(year, time.Month(month), day), true
}

// OpeningDate returns the day at whose end an account had the opening balance of a statement. The
// parameter written is the date of that balance in the file: some banks write that day, others the
// first day of the statement. The parameter firstLine is the earliest booking date of the
// statement's lines. Both parameters and the statement's period may be zero.
func OpeningDate(written, firstLine civil.Date, s *Statement) civil.Date {
	day := written
	if !s.First.IsZero() && (day.IsZero() || !day.Before(s.First) && !day.After(s.Last)) {
		day = s.First.AddDays(-1)
	}
	if !firstLine.IsZero() && (day.IsZero() || !day.Before(firstLine)) {
		day = firstLine.AddDays(-1)
	}
	return day
}
