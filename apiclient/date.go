package apiclient

import (
	"time"

	"tarmac/internal/civil"
)

// Date is a calendar day without a time or a zone; the API means UTC days. The zero
// value is no date. Dates compare with ==, Before, After and Compare; Year, Month, Day
// and Time give their parts, AddDays and AddMonths other days, and String "2026-12-31".
type Date = civil.Date

// NewDate returns a day. Months and days out of range roll over, as in time.Date.
func NewDate(year int, month time.Month, day int) Date { return civil.New(year, month, day) }

// DateOf returns the day of t in UTC.
func DateOf(t time.Time) Date { return civil.Of(t) }

// ParseDate reads YYYY-MM-DD, and returns an error for all other text and for days that
// the calendar lacks.
func ParseDate(s string) (Date, error) { return civil.Parse(s) }
