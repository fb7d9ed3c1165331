package civil_test

import (
	"errors"
	"testing"

	"tarmac/internal/civil"
)

func TestADueDateIsADayOrSoManyDays(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "  ": "", "2026-12-31": "2026-12-31", " 2026-12-31 ": "2026-12-31", "2026-01-31": "2026-01-31",
		"net 15": "2026-12-05", "Net 30": "2026-12-20", "net60": "2027-01-19", "net 0": "2026-11-20",
		"net 30 days": "2026-12-20",
		"+1":          "2026-11-21", "+30d": "2026-12-20", "in 30 days": "2026-12-20", "In  1 day": "2026-11-21",
		"30 days": "2026-12-20",
		"30d":     "2026-12-20", "2w": "2026-12-04", "in 2 weeks": "2026-12-04", "3m": "2027-02-20",
		"in 3 months": "2027-02-20",
		"today":       "2026-11-20", "Tomorrow": "2026-11-21",
		"31 dec": "2026-12-31", "Dec 31": "2026-12-31", "19 nov": "2027-11-19", "20 nov": "2026-11-20",
		"29 Feb":       "2028-02-29",
		"1 march 2027": "2027-03-01", "october": "2027-10-31", "Oct": "2027-10-31", "november": "2026-11-30",
		"jan":      "2027-01-31",
		"feb 2028": "2028-02-29", "q3": "2027-09-30", "Q4": "2026-12-31", "2027-01": "2027-01-31", "2027-q1": "2027-03-31",
		"this month": "2026-11-30", "next month": "2026-12-31", "next week": "2026-11-29", "this quarter": "2026-12-31",
		"end of month": "2026-11-30", "end of january": "2027-01-31", "end of next month": "2026-12-31",
		"end of year": "2026-12-31",
	} {
		if got, err := civil.ParseDue(text, today); got.String() != want || err != nil {
			t.Errorf("%q is read as %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{
		"2026-02-30", "30", "net", "net -1", "net 3651", "net 99999999999", "+", "net 1.5", "in 30", "in", "30 hours", "2027",
		"yesterday",
		"last month", "90 decembers", "522w", "3651d", "end of", "next", "soon", "oct 2026 3 4", "ytd",
		"2026-01-01..2026-02-01", "32 dec",
	} {
		if got, err := civil.ParseDue(text, today); !errors.Is(err, civil.ErrDue) || !got.IsZero() {
			t.Errorf("%q is read as %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"03/04/2026", "31.12.2026", "3/4"} {
		if got, err := civil.ParseDue(text, today); !errors.Is(err, civil.ErrNumbers) || !got.IsZero() {
			t.Errorf("%q is read as %s, %v", text, got, err)
		}
	}
}

func TestMonthsAreThisOneOrLater(t *testing.T) {
	for text, want := range map[string]string{
		"": "2026-11-01", "2026-11": "2026-11-01", " 2027-02 ": "2027-02-01", "2027-2": "2027-02-01", "+3": "2027-02-01",
		"+ 3": "2027-02-01",
		"+0":  "2026-11-01", "in 3 months": "2027-02-01", "3 months": "2027-02-01", "3m": "2027-02-01", "+3m": "2027-02-01",
		"January": "2027-01-01", "jan": "2027-01-01", "november": "2026-11-01", "OCT": "2027-10-01", "jan 2028": "2028-01-01",
		"this month": "2026-11-01", "next month": "2026-12-01",
	} {
		if got, err := civil.ParseMonth(text, today); got.String() != want || err != nil {
			t.Errorf("%q is read as %s, %v; want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]error{
		"2026-10": civil.ErrPastMonth, "oct 2026": civil.ErrPastMonth, "2126-12": civil.ErrFarMonth,
		"+1201": civil.ErrFarMonth,
		"+":     civil.ErrMonth, "+-1": civil.ErrMonth, "2027-13": civil.ErrMonth, "soon": civil.ErrMonth,
		"3": civil.ErrMonth, "in 30 days": civil.ErrMonth,
		"q1": civil.ErrMonth, "2027": civil.ErrMonth, "2027-q1": civil.ErrMonth, "1 january": civil.ErrMonth,
		"2027-01-15": civil.ErrMonth,
		"01/2027":    civil.ErrNumbers,
	} {
		if got, err := civil.ParseMonth(text, today); !errors.Is(err, want) {
			t.Errorf("%q is read as %s, %v; want %v", text, got, err, want)
		}
	}
}

func FuzzParseDue(f *testing.F) {
	for _, text := range []string{"", "2026-12-31", "net 30", "+15", "NET60", "net -1", "in 30 days", "2w", "oct",
		"29 feb", "end of month", "net\u00a030", "03/04/2026"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		day, err := civil.ParseDue(text, today)
		if err != nil {
			return
		}
		// Printed dates can be typed again.
		if again, err := civil.ParseDue(day.String(), today); err != nil || again != day {
			t.Errorf("%q is %s, which is read as %s, %v", text, day, again, err)
		}
	})
}

func FuzzParseMonth(f *testing.F) {
	for _, text := range []string{"", "2027-01", "+3", "+1200", "2026-10", "0001-01", "January", "in 3 months", "jan 2027",
		"+ 3", "2027-01-01"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		month, err := civil.ParseMonth(text, today)
		if err != nil {
			return
		}
		again, err := civil.ParseMonth(month.String()[:7], today)
		if err != nil || again != month || month.Day() != 1 || month.Before(today.FirstOfMonth()) {
			t.Errorf("%q is %s, which is read as %s, %v", text, month, again, err)
		}
	})
}
