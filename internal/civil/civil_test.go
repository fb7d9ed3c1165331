package civil_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
)

func TestParseRefusesWhatTheCalendarDoesNotHave(t *testing.T) {
	for _, s := range []string{
		"", "2026", "2026-2-3", "2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "2026-01-00",
		"0000-01-01", "+026-01-01", "2026/01/01", "2026-01-01T00:00:00Z", " 2026-01-01", "2026-01-0١",
	} {
		if d, err := civil.Parse(s); !errors.Is(err, civil.ErrInvalid) {
			t.Errorf("Parse(%q) = %v, %v; want ErrInvalid", s, d, err)
		}
	}
	if d, err := civil.Parse("2024-02-29"); err != nil || d.String() != "2024-02-29" {
		t.Errorf("Parse(2024-02-29) = %v, %v", d, err)
	}
}

func anyDate(t *rapid.T) civil.Date {
	return civil.New(2000, 1, 1).AddDays(rapid.IntRange(-200_000, 200_000).Draw(t, "days"))
}

func TestDatesReadBackAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDate(t)
		back, err := civil.Parse(d.String())
		if err != nil || back != d {
			t.Fatalf("%v read back as %v, %v", d, back, err)
		}
		if civil.Of(d.Time()) != d {
			t.Fatalf("Of(Time) of %v is %v", d, civil.Of(d.Time()))
		}
	})
}

func TestDayArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := anyDate(t), rapid.IntRange(-5000, 5000).Draw(t, "n")
		later := d.AddDays(n)
		if later.DaysSince(d) != n {
			t.Fatalf("%v + %d days is %v, %d days later", d, n, later, later.DaysSince(d))
		}
		if (n > 0) != later.After(d) || (n < 0) != later.Before(d) {
			t.Fatalf("order of %v and %v", d, later)
		}
	})
}

func TestDaysAreCountedOverTheWholeCalendar(t *testing.T) {
	first, last := civil.MustParse("0001-01-01"), civil.MustParse("9999-12-31")
	if n := last.DaysSince(first); n != 3_652_058 || first.DaysSince(last) != -n {
		t.Errorf("%d days one way, %d the other", n, first.DaysSince(last))
	}
}

func TestMonthArithmeticStaysInTheMonth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := anyDate(t), rapid.IntRange(-400, 400).Draw(t, "n")
		if got := d.AddMonths(n).MonthsSince(d); got != n {
			t.Fatalf("%v + %d months is %v, %d months later", d, n, d.AddMonths(n), got)
		}
		if d.Before(d.FirstOfMonth()) || d.After(d.LastOfMonth()) {
			t.Fatalf("%v is outside %v to %v", d, d.FirstOfMonth(), d.LastOfMonth())
		}
	})
	if got := civil.MustParse("2024-01-31").AddMonths(1).String(); got != "2024-02-29" {
		t.Errorf("31 January 2024 plus a month is %s", got)
	}
}

func TestOfTakesTheDayInUTC(t *testing.T) {
	zone := time.FixedZone("far", 14*3600)
	if got := civil.Of(time.Date(2026, 1, 1, 3, 0, 0, 0, zone)).String(); got != "2025-12-31" {
		t.Errorf("got %s", got)
	}
}

func TestADateIsSaidRelativeToToday(t *testing.T) {
	today := civil.New(2026, 11, 20)
	for n, want := range map[int]string{
		0: "today", 1: "tomorrow", -1: "yesterday", 2: "in 2 days", -2: "2 days ago", 1200: "in 1,200 days",
	} {
		if got := today.AddDays(n).Relative(today); got != want {
			t.Errorf("%d days: %q, want %q", n, got, want)
		}
	}
}
