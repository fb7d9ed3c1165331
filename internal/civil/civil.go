// Package civil provides calendar dates without a time of day or a zone, such as value dates of
// transactions and due dates of invoices. It also parses dates as users type them.
//
// The API writes dates as YYYY-MM-DD (docs/api.md, Field conventions). Today is always the date in
// UTC, because the API ages receivables and closes months by UTC days.
package civil

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"tarmac/internal/plural"
)

// Date is a day of the proleptic Gregorian calendar. The zero value is no date.
type Date struct {
	year       int32 // small types, because clients keep tens of thousands of rows with a date
	month, day uint8
}

// ErrInvalid means that a text is not a calendar date of the form YYYY-MM-DD.
var ErrInvalid = errors.New("not a calendar date in the form YYYY-MM-DD")

// New returns a date. Months and days out of range roll over as in time.Date, so that New(2026, 2,
// 30) is 2 March 2026.
func New(year int, month time.Month, day int) Date {
	return Of(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
}

// date returns the date of a year, month and day that exist.
func date(year int, month time.Month, day int) Date {
	return Date{year: int32(year), month: uint8(month), day: uint8(day)}
}

// Of returns the day of t in UTC.
func Of(t time.Time) Date {
	y, m, d := t.UTC().Date()
	return date(y, m, d)
}

// Parse parses a date of the form YYYY-MM-DD strictly: ten characters, a year from 0001 to 9999 and
// a day that exists. For all other text it returns ErrInvalid.
func Parse(s string) (Date, error) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return Date{}, ErrInvalid
	}
	year, okY := digits(s[0:4])
	month, okM := digits(s[5:7])
	day, okD := digits(s[8:10])
	if !okY || !okM || !okD || year < 1 || month < 1 || month > 12 || day < 1 || day > DaysIn(year, time.Month(month)) {
		return Date{}, ErrInvalid
	}
	return date(year, time.Month(month), day), nil
}

// MustParse parses s like Parse, but panics if s is not a date. Use it for constants.
func MustParse(s string) Date {
	d, err := Parse(s)
	if err != nil {
		panic(fmt.Sprintf("civil.MustParse(%q): %v", s, err))
	}
	return d
}

func digits(s string) (n int, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// DaysIn returns the number of days in a month.
func DaysIn(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// IsZero reports whether d is the zero value, which is no date.
func (d Date) IsZero() bool { return d == Date{} }

// Year, Month and Day return the parts of the date.
func (d Date) Year() int         { return int(d.year) }
func (d Date) Month() time.Month { return time.Month(d.month) }
func (d Date) Day() int          { return int(d.day) }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.Time().Weekday() }

// Time returns midnight UTC at the start of the day.
func (d Date) Time() time.Time { return time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC) }

// AddDays returns the date n days later, or earlier if n is negative.
func (d Date) AddDays(n int) Date { return New(d.Year(), d.Month(), d.Day()+n) }

// AddMonths returns the same day n months later. In a shorter month, it returns the last day: 31
// January plus one month is 28 or 29 February.
func (d Date) AddMonths(n int) Date {
	first := New(d.Year(), d.Month()+time.Month(n), 1)
	return New(first.Year(), first.Month(), min(d.Day(), DaysIn(first.Year(), first.Month())))
}

// FirstOfMonth and LastOfMonth return the first and the last day of the date's month.
func (d Date) FirstOfMonth() Date { return Date{year: d.year, month: d.month, day: 1} }
func (d Date) LastOfMonth() Date {
	return date(d.Year(), d.Month(), DaysIn(d.Year(), d.Month()))
}

// DaysSince returns the number of days from o to d. It is negative if d is earlier.
func (d Date) DaysSince(o Date) int {
	// Do not use a time.Duration, which overflows after 292 years.
	return int((d.Time().Unix() - o.Time().Unix()) / (24 * 60 * 60))
}

// Relative says how far the date is from today: "in 5 days", "today", "5 days ago".
func (d Date) Relative(today Date) string {
	switch n := d.DaysSince(today); {
	case n == 0:
		return "today"
	case n == 1:
		return "tomorrow"
	case n == -1:
		return "yesterday"
	case n < 0:
		return plural.Count(-n, "day") + " ago"
	default:
		return "in " + plural.Count(n, "day")
	}
}

// MonthsSince returns the number of calendar months from o's month to d's month.
func (d Date) MonthsSince(o Date) int {
	return (d.Year()-o.Year())*12 + int(d.month) - int(o.month)
}

// Before and After compare two dates. The zero value is before all other dates.
func (d Date) Before(o Date) bool { return d.Compare(o) < 0 }
func (d Date) After(o Date) bool  { return d.Compare(o) > 0 }

// Compare returns -1 if d is before o, +1 if it is after o, and 0 if they are equal.
func (d Date) Compare(o Date) int {
	switch {
	case d.key() < o.key():
		return -1
	case d.key() > o.key():
		return 1
	}
	return 0
}

func (d Date) key() int { return d.Year()*512 + int(d.month)*32 + d.Day() }

// String returns the date in the form YYYY-MM-DD. For the zero value it returns "".
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day)
}

// MarshalJSON returns the date in the form YYYY-MM-DD, or null for the zero value.
func (d Date) MarshalJSON() ([]byte, error) {
	if d.IsZero() {
		return []byte("null"), nil
	}
	return []byte(`"` + d.String() + `"`), nil
}

// UnmarshalJSON reads a date in the form YYYY-MM-DD. It reads null as the zero value.
func (d *Date) UnmarshalJSON(text []byte) (err error) {
	if string(text) == "null" {
		*d = Date{}
		return nil
	}
	*d, err = Parse(strings.Trim(string(text), `"`))
	return err
}
