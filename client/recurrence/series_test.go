package recurrence_test

import (
	"fmt"
	"testing"

	"tarmac/client/recurrence"
	"tarmac/internal/civil"
)

func TestExpectedDaysAreThoseOfTheRhythm(t *testing.T) {
	monthEnds := recurrence.Find(paid(100, monthly(1, 31, civil.New(2026, 1, 1))...), today)[0]
	weekly := recurrence.Find(paid(100, every(7, civil.New(2026, 9, 1), today)...), today)[0]
	yearly := recurrence.Find(paid(100, monthly(12, 20, civil.New(2024, 11, 1))...), today)[0]
	for name, c := range map[string]struct {
		series recurrence.Series
		last   civil.Date
		want   string
	}{
		"month ends": {monthEnds, civil.New(2027, 3, 1), "[2026-11-30 2026-12-31 2027-01-31 2027-02-28]"},
		"weekly":     {weekly, civil.New(2026, 12, 8), "[2026-11-24 2026-12-01 2026-12-08]"},
		"yearly":     {yearly, civil.New(2027, 2, 28), "[]"},
	} {
		if got := fmt.Sprint(c.series.Expected(today, today.AddDays(1), c.last)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestAPaymentThatIsDueIsExpectedUntilItIsLate(t *testing.T) {
	payments := paid(100, monthly(1, 9, civil.New(2026, 1, 1))...) // the last on 9 November
	for day, want := range map[civil.Date]string{
		civil.New(2026, 12, 8):  "[2026-12-09 2027-01-09]",
		civil.New(2026, 12, 14): "[2026-12-15 2027-01-09]", // five days after the due date
		civil.New(2026, 12, 15): "[2027-01-09]",            // late: this payment was missed
		civil.New(2027, 1, 15):  "[]",                      // stopped
	} {
		s := recurrence.Find(payments, day)[0]
		if got := fmt.Sprint(s.Expected(day, day.AddDays(1), civil.New(2027, 1, 31))); got != want {
			t.Errorf("on %s: %s, want %s", day, got, want)
		}
	}
}

func TestTheOrderOfPaymentsOfOneDayDoesNotMatter(t *testing.T) {
	days := monthly(1, 9, civil.New(2026, 1, 1))
	low, high := paid(100, days...), paid(130, days[9:]...)

	a := recurrence.Find(append(append([]recurrence.Payment{}, low...), high...), today)
	b := recurrence.Find(append(append([]recurrence.Payment{}, high...), low...), today)

	if len(a) != 1 || len(b) != 1 || a[0].Usual != b[0].Usual {
		t.Errorf("%+v and %+v", a, b)
	}
}

// A yearly bill that rises each year is expected to cost what it cost last.
func TestTheUsualAmountOfAYearIsTheLastOne(t *testing.T) {
	payments := paid(100, monthly(12, 20, civil.New(2023, 11, 20))...)
	for i := range payments {
		payments[i].Cents = []int64{100_00, 110_00, 121_00, 133_10}[i]
	}

	s := recurrence.Find(payments, today)[0]

	if percent, _, ok := s.Change(); s.Usual != payments[len(payments)-1].Cents || percent != 10 || !ok {
		t.Errorf("usual %d, changed by %d %%, %v", s.Usual, percent, ok)
	}
}
