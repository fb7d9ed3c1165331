package recurrence_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/client/recurrence"
	"tarmac/internal/civil"
)

var today = civil.New(2026, 11, 22)

// paid returns a payment of the given amount on each day.
func paid(cents int64, days ...civil.Date) (all []recurrence.Payment) {
	for i, day := range days {
		all = append(all, recurrence.Payment{Date: day, Cents: cents, Row: i})
	}
	return all
}

// every returns the days from the first to the last one, so many days apart.
func every(days int, first, last civil.Date) (all []civil.Date) {
	for d := first; !d.After(last); d = d.AddDays(days) {
		all = append(all, d)
	}
	return all
}

// monthly returns a working day of each n-th month from first on, until today.
func monthly(n, day int, first civil.Date) (all []civil.Date) {
	for m := first.FirstOfMonth(); ; m = m.AddMonths(n) {
		d := m.AddDays(min(day, civil.DaysIn(m.Year(), m.Month())) - 1)
		for d.Weekday() == time.Saturday || d.Weekday() == time.Sunday {
			d = d.AddDays(1)
		}
		if d.After(today) {
			return all
		}
		all = append(all, d)
	}
}

func without(days []civil.Date, index int) []civil.Date {
	return append(append([]civil.Date{}, days[:index]...), days[index+1:]...)
}

func TestRhythmsAreFound(t *testing.T) {
	start := civil.New(2024, 11, 1)
	payroll := append(monthly(1, 15, start), monthly(1, 31, start)...)
	for name, c := range map[string]struct {
		payments []recurrence.Payment
		rhythm   recurrence.Rhythm
		missed   int
		next     string
	}{
		"weekly": {paid(900, every(7, civil.New(2026, 1, 6), today)...), recurrence.Weekly, 0, "2026-11-24"},
		"every two weeks": {
			paid(900, every(14, civil.New(2026, 1, 9), today)...), recurrence.EveryTwoWeeks, 0, "2026-11-27",
		},
		"payroll":             {paid(5000, payroll...), recurrence.TwiceAMonth, 0, "2026-11-30"},
		"on the 5th":          {paid(100, monthly(1, 5, start)...), recurrence.Monthly, 0, "2026-12-05"},
		"on the 1st":          {paid(100, monthly(1, 1, start)...), recurrence.Monthly, 0, "2026-12-01"},
		"on the last":         {paid(100, monthly(1, 31, start)...), recurrence.Monthly, 0, "2026-11-30"},
		"a month was missed":  {paid(100, without(monthly(1, 9, start), 7)...), recurrence.Monthly, 1, "2026-12-09"},
		"only three":          {paid(100, monthly(1, 9, civil.New(2026, 9, 1))...), recurrence.Monthly, 0, "2026-12-09"},
		"quarterly":           {paid(100, monthly(3, 20, start)...), recurrence.Quarterly, 0, "2027-02-20"},
		"yearly":              {paid(100, monthly(12, 3, civil.New(2025, 3, 1))...), recurrence.Yearly, 0, "2027-03-03"},
		"yearly, three times": {paid(100, monthly(12, 20, start)...), recurrence.Yearly, 0, "2027-11-20"},
	} {
		found := recurrence.Find(c.payments, today)
		if len(found) != 1 {
			t.Errorf("%s: %d series", name, len(found))
			continue
		}
		s := found[0]
		if s.Rhythm != c.rhythm || s.Missed != c.missed || s.Stopped || s.Next.String() != c.next {
			t.Errorf("%s: %s, %d missed, stopped %v, next %s", name, s.Rhythm, s.Missed, s.Stopped, s.Next)
		}
		if len(s.Payments) != len(c.payments) {
			t.Errorf("%s: %d of %d payments", name, len(s.Payments), len(c.payments))
		}
	}
}

func TestPaymentsWithoutARhythmAreNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	found := 0
	for range 300 {
		var days []civil.Date
		for range 2 + rng.IntN(60) {
			days = append(days, today.AddDays(-rng.IntN(750)))
		}
		payments := paid(0, days...)
		for i := range payments {
			payments[i].Cents = 100 << rng.IntN(10)
		}
		found += len(recurrence.Find(payments, today))
	}
	if found > 3 {
		t.Errorf("%d series in 300 counterparties with random payments", found)
	}
}

func TestPaymentsWithoutARhythmBesideASeriesAreNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	rent := paid(3000, monthly(1, 5, civil.New(2024, 11, 1))...)
	found := 0
	for range 300 {
		payments := slices.Clone(rent)
		for n := range 6 + rng.IntN(3) {
			other := recurrence.Payment{Date: today.AddDays(-rng.IntN(750)), Cents: 100 << rng.IntN(10), Row: 100 + n}
			payments = append(payments, other)
		}
		found += len(recurrence.Find(payments, today)) - 1
	}
	if found > 3 {
		t.Errorf("%d series beside the rent of 300 counterparties", found)
	}
}

// Whatever is paid, no payment is in two series, and the order of the rows does not matter.
func TestAPaymentIsInOneSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payments := anyPayments(t)
		for _, p := range anyPayments(t) {
			p.Row += len(payments)
			payments = append(payments, p)
		}

		found := recurrence.Find(payments, today)

		rows := map[int]bool{}
		for _, s := range found {
			for _, p := range s.Payments {
				if rows[p.Row] {
					t.Fatalf("row %d is in two series: %+v", p.Row, found)
				}
				rows[p.Row] = true
			}
		}
		again := recurrence.Find(rapid.Permutation(payments).Draw(t, "order"), today)
		if !reflect.DeepEqual(again, found) {
			t.Fatalf("in another order %+v, want %+v", again, found)
		}
	})
}

func TestASubscriptionAmongOtherPaymentsIsFound(t *testing.T) {
	payments := paid(4900, monthly(1, 12, civil.New(2025, 11, 1))...)
	payments = append(payments, paid(39900, monthly(1, 3, civil.New(2025, 11, 1))...)...)
	payments = append(payments, paid(1_000_000, civil.New(2026, 2, 20), civil.New(2026, 5, 7))...)
	found := recurrence.Find(payments, today)
	if len(found) != 2 || found[0].Usual != 39900 || found[1].Usual != 4900 {
		t.Fatalf("%+v", found)
	}
}

func TestAPaymentIsLateAndThenStopped(t *testing.T) {
	payments := paid(100, monthly(1, 9, civil.New(2026, 1, 1))...) // the last on 9 November
	for day, want := range map[civil.Date]struct{ late, stopped bool }{
		civil.New(2026, 12, 9):  {false, false},
		civil.New(2026, 12, 14): {false, false},
		civil.New(2026, 12, 15): {true, false},
		civil.New(2027, 1, 14):  {true, false},
		civil.New(2027, 1, 15):  {true, true},
	} {
		s := recurrence.Find(payments, day)[0]
		if s.IsLate(day) != want.late || s.Stopped != want.stopped {
			t.Errorf("on %s: late %v, stopped %v", day, s.IsLate(day), s.Stopped)
		}
	}
}

func TestTheUsualAmountFollowsThePrice(t *testing.T) {
	payments := paid(10_000, monthly(1, 9, civil.New(2025, 5, 1))...)
	for i := range payments {
		if !payments[i].Date.Before(civil.New(2026, 6, 1)) {
			payments[i].Cents = 11_800
		}
	}
	s := recurrence.Find(payments, today)[0]
	percent, since, ok := s.Change()
	if s.Usual != 11_800 || percent != 18 || since.String() != "2025-11-01" || !ok {
		t.Errorf("usual %d, %d %% since %s, %v", s.Usual, percent, since, ok)
	}
	if yearly, ok := s.YearlyCents(); yearly != 141_600 || !ok {
		t.Errorf("yearly %d", yearly)
	}
	s.Usual = 1 << 62
	if _, ok := s.YearlyCents(); ok {
		t.Error("a year that overflows is known")
	}
}

func TestASeriesIsNewOnlyIfTheLedgerIsOlder(t *testing.T) {
	s := recurrence.Find(paid(100, monthly(1, 9, civil.New(2026, 9, 1))...), today)[0]
	if !s.IsNew(civil.New(2024, 11, 1), today) || s.IsNew(civil.New(2026, 8, 1), today) {
		t.Error("new without older rows, or not new with them")
	}
}
