package civil_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
)

var today = civil.MustParse("2026-11-20") // a Friday

func TestParsePeriod(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-31":                 "2026-03-31",
		"2026-1":                     "2026-01-01..2026-01-31",
		"2026-02":                    "2026-02-01..2026-02-28",
		"2024-02":                    "2024-02-01..2024-02-29",
		"2026-Q1":                    "2026-01-01..2026-03-31",
		"2026":                       "2026-01-01..2026-12-31",
		"2026-01-01..2026-03-31":     "2026-01-01..2026-03-31",
		" 2026-01-01 .. 2026-03-31 ": "2026-01-01..2026-03-31",
		"2026-01..2026-03":           "2026-01-01..2026-03-31",
		"2026-01..":                  "2026-01-01..",
		"..2026-01":                  "..2026-01-31",
		"today":                      "2026-11-20",
		"yesterday":                  "2026-11-19",
		"this week":                  "2026-11-16..2026-11-22",
		"last week":                  "2026-11-09..2026-11-15",
		"This  Month":                "2026-11-01..2026-11-30",
		"last month":                 "2026-10-01..2026-10-31",
		"this quarter":               "2026-10-01..2026-12-31",
		"last quarter":               "2026-07-01..2026-09-30",
		"this year":                  "2026-01-01..2026-12-31",
		"last year":                  "2025-01-01..2025-12-31",
		"mtd":                        "2026-11-01..2026-11-20",
		"qtd":                        "2026-10-01..2026-11-20",
		"YTD":                        "2026-01-01..2026-11-20",
		"last 30 days":               "2026-10-22..2026-11-20",
		"last 1 day":                 "2026-11-20",
		"last 2 weeks":               "2026-11-07..2026-11-20",
		"last 3 months":              "2026-08-21..2026-11-20",
		"90d":                        "2026-08-23..2026-11-20",
		"2w":                         "2026-11-07..2026-11-20",
		"3m":                         "2026-08-21..2026-11-20",
		"from 2026-01 to today":      "2026-01-01..2026-11-20",
		"since last year":            "2025-01-01..",
		"from 2026-03-31":            "2026-03-31..",
		"until 2026-02":              "..2026-02-28",
		"to yesterday":               "..2026-11-19",
		"last month..today":          "2026-10-01..2026-11-20",
		"30 days":                    "2026-10-22..2026-11-20",
		"October":                    "2026-10-01..2026-10-31",
		"oct":                        "2026-10-01..2026-10-31",
		"NOV":                        "2026-11-01..2026-11-30",
		"december":                   "2025-12-01..2025-12-31",
		"sept 2024":                  "2024-09-01..2024-09-30",
		"2024 sep":                   "2024-09-01..2024-09-30",
		"q3":                         "2026-07-01..2026-09-30",
		"Q4":                         "2026-10-01..2026-12-31",
		"q3 2025":                    "2025-07-01..2025-09-30",
		"31 dec":                     "2025-12-31",
		"dec 31, 2024":               "2024-12-31",
		"31-Oct-2026":                "2026-10-31",
		"november 21st":              "2025-11-21",
		"nov 20":                     "2026-11-20",
		"29 feb":                     "2024-02-29",
		"oct..":                      "2026-10-01..",
		"aug..oct":                   "2026-08-01..2026-10-31",
		"from november to january":   "2025-11-01..2026-01-31",
		"dec..today":                 "2025-12-01..2026-11-20",
		"dec..2025-11":               "2024-12-01..2025-11-30",
		"since 1 october":            "2026-10-01..",
		"q3..q4":                     "2026-07-01..2026-12-31",
	} {
		got, err := civil.ParsePeriod(text, today)
		if err != nil || got.String() != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
}

func TestParsePeriodRefuses(t *testing.T) {
	for _, text := range []string{
		"", "..", "2026-13", "2026-02-30", "2026-", "26", "0000", "2026-Q5", "next month", "last", "this", "last 0 days",
		"last -3 days", "last 30 years", "last 99999 days", "2026-01-01-02", "2026-01..b", "a..2026",
		"2026-03-31..2026-01-01",
		"0d", "90", "d", "12x", "octo", "q5", "q0", "oct dec", "oct q3", "3", "31 nov", "32 dec", "30 feb", "oct-", "-oct",
		"oct 99", "next october",
		"in 30 days", "next month", "q3 oct", "oct 2026 2025", "1 2 oct", "1sth oct", "2026 q3 1", "29 feb 2025", "oktober",
		"from", "to", "from ..", "since 2026-01 until",
	} {
		if p, err := civil.ParsePeriod(text, today); err == nil {
			t.Errorf("%q is taken for %s", text, p)
		}
	}
	for _, text := range []string{"03/04/2026", "3/4", "31.12.2026", "2026/03/31", "..1/2/26", "3.4."} {
		if _, err := civil.ParsePeriod(text, today); !errors.Is(err, civil.ErrNumbers) {
			t.Errorf("%q is refused with %v", text, err)
		}
	}
	if _, err := civil.ParsePeriod("2026-03-31..2026-01-01", today); err == nil ||
		err.Error() != "2026-03-31 is after 2026-01-01: the earlier date comes first" {
		t.Errorf("a period turned round is refused with %v", err)
	}
}

// Mondays and Sundays belong to the week that they begin and end.
func TestWeeksBeginOnMonday(t *testing.T) {
	for _, day := range []string{"2026-11-16", "2026-11-22"} {
		if p, err := civil.ParsePeriod("this week", civil.MustParse(day)); err != nil ||
			p.String() != "2026-11-16..2026-11-22" {
			t.Errorf("the week of %s is %s, %v", day, p, err)
		}
	}
}

// Dates printed with names parse to the same date if they have a year, and to the latest
// that has begun if not.
func TestNamesAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, now := anyDate(t), anyDate(t)
		form := rapid.SampledFrom([]string{"2 Jan 2006", "January 2, 2006", "02-Jan-2006"}).Draw(t, "form")
		if p, err := civil.ParsePeriod(d.Time().Format(form), now); err != nil || p.From != d || p.To != d {
			t.Fatalf("%s is read as %s, %v", d.Time().Format(form), p, err)
		}
		text := d.Time().Format(rapid.SampledFrom([]string{"Jan", "January", "2 January"}).Draw(t, "name"))
		p, err := civil.ParsePeriod(text, now)
		if err != nil || p.From.Month() != d.Month() || p.From.After(now) || p.From.AddMonths(12*9).Before(now) {
			t.Fatalf("on %s %q is read as %s, %v", now, text, p, err)
		}
		if d.Day() != 29 && !p.From.AddMonths(12).After(now) {
			t.Fatalf("on %s %q is %s, which is not the last one", now, text, p)
		}
	})
}

func FuzzParsePeriod(f *testing.F) {
	for _, seed := range []string{"oct", "q3..q4", "dec 31, 2024", "29 feb", "03/04/2026", "2026-01-01..2026-03-31",
		"last 30 days", "ytd", "90d", "from 2026 to today", "2026-q4..", "..", "last week", "9999-12"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := civil.ParsePeriod(text, today)
		if err != nil {
			return
		}
		if p == (civil.Period{}) {
			t.Fatalf("%q is taken for no period at all", text)
		}
		if !p.From.IsZero() && !p.To.IsZero() && p.From.After(p.To) {
			t.Fatalf("%q is turned round: %s", text, p)
		}
		// Printed periods can be typed again.
		if again, err := civil.ParsePeriod(p.String(), today); err != nil || again != p {
			t.Fatalf("%q is %s, which is read as %s, %v", text, p, again, err)
		}
	})
}
