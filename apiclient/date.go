package apiclient

import (
	"time"

	"tarmac/internal/civil"
)

// Date is a calendar day without a time of day or a time zone. The days of the API are UTC days.
// The zero value is no date. Dates can be compared with == and Compare. The method String returns a
// date in the form "2026-12-31".
type Date = civil.Date

// NewDate returns the given day. A month or day out of range rolls over, as in time.Date.
func NewDate(year int, month time.Month, day int) Date { return civil.New(year, month, day) }

// DateOf returns the day on which t falls in UTC.
func DateOf(t time.Time) Date { return civil.Of(t) }

// ParseDate parses a date in the form YYYY-MM-DD. It returns an error for other text, and for days
// that do not exist, such as 2026-02-30.
func ParseDate(s string) (Date, error) { return civil.Parse(s) }
