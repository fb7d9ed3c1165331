package recurrence_test

import (
	"slices"
	"testing"

	"tarmac/client/recurrence"
	"tarmac/internal/civil"
)

// Three ledgers written by hand, of kinds that are hard to tell from payments without a rhythm.

func TestTwoSubscriptionsAtOneVendorAreTwoSeries(t *testing.T) {
	start := civil.New(2025, 6, 1)
	seats := paid(240_00, monthly(1, 9, start)...)
	for i := range seats {
		if i >= 10 {
			seats[i].Cents = 288_00 // the price has risen
		}
	}
	storage := paid(19_99, monthly(1, 23, start)...)
	once := paid(75_00, civil.New(2026, 2, 11)) // a training

	found := recurrence.Find(slices.Concat(seats, storage, once), today)

	if len(found) != 2 {
		t.Fatalf("%d series", len(found))
	}
	for i, want := range []struct {
		usual    int64
		payments int
		next     string
	}{{288_00, len(seats), "2026-12-09"}, {19_99, len(storage), "2026-11-23"}} {
		s := found[i]
		if s.Rhythm != recurrence.Monthly || s.Usual != want.usual || len(s.Payments) != want.payments ||
			s.Next.String() != want.next || s.Stopped || s.Missed != 0 {
			t.Errorf("%d: %+v", i, s)
		}
	}
	if percent, _, ok := found[0].Change(); !ok || percent != 20 {
		t.Errorf("the price has risen by %d %%, %v", percent, ok)
	}
}

// A tax office is paid the tax on wages each month, and once a quarter what the sales were.
func TestASeriesBesideOneOfMostPaymentsIsFound(t *testing.T) {
	wages := paid(3000_00, monthly(1, 10, civil.New(2024, 12, 1))...)
	sales := varying(monthly(3, 10, civil.New(2024, 12, 1)))

	found := recurrence.Find(slices.Concat(wages, sales), today)

	if len(found) != 2 || found[0].Rhythm != recurrence.Monthly && found[1].Rhythm != recurrence.Monthly ||
		found[0].Rhythm != recurrence.Quarterly && found[1].Rhythm != recurrence.Quarterly {
		t.Fatalf("%+v", found)
	}
}

func TestASeriesBesideOneOfASteadyAmountIsFound(t *testing.T) {
	advances := paid(4200_00, monthly(3, 10, civil.New(2024, 12, 1))...)
	sales := varying(monthly(3, 10, civil.New(2025, 1, 1)))

	found := recurrence.Find(slices.Concat(advances, sales), today)

	if len(found) != 2 || len(found[0].Payments) != len(sales) || found[1].Usual != 4200_00 ||
		found[0].Rhythm != recurrence.Quarterly || found[1].Rhythm != recurrence.Quarterly {
		t.Fatalf("%+v", found)
	}
}

// varying returns payments of amounts that are never similar, nor near those of the tests above.
func varying(days []civil.Date) []recurrence.Payment {
	payments := paid(0, days...)
	for i := range payments {
		payments[i].Cents = int64(9000_00 << (i % 3))
	}
	return payments
}

// A few payments beside a series may come at like intervals by chance.
func TestFewPaymentsBesideASeriesAreNone(t *testing.T) {
	rent := paid(3000_00, monthly(1, 1, civil.New(2024, 12, 1))...)
	repairs := varying(monthly(3, 20, civil.New(2025, 10, 1)))

	found := recurrence.Find(slices.Concat(rent, repairs), today)

	if len(found) != 1 || len(found[0].Payments) != len(rent) {
		t.Fatalf("%+v", found)
	}
}

func TestAMonthlyBillOfUsageIsASeries(t *testing.T) {
	days := monthly(1, 3, civil.New(2025, 9, 1))
	bill := paid(0, days...)
	for i, dollars := range []int64{
		812, 640, 905, 1_180, 1_022, 760, 1_350, 1_410, 990, 1_600, 1_720, 1_205, 1_890, 1_640, 2_015,
	} {
		bill[i].Cents = dollars*100 + int64(i*37)
	}

	found := recurrence.Find(bill, today)

	if len(found) != 1 || found[0].Rhythm != recurrence.Monthly || len(found[0].Payments) != len(days) {
		t.Fatalf("%+v", found)
	}
	if s := found[0]; s.Usual != bill[12].Cents || s.Next.String() != "2026-12-03" {
		t.Errorf("usual %d, next %s", s.Usual, s.Next)
	}
}

func TestPayrollTwiceAMonthWithBonusesIsOneSeries(t *testing.T) {
	start := civil.New(2025, 5, 1)
	payroll := paid(52_000_00, slices.Concat(monthly(1, 15, start), monthly(1, 31, start))...)
	for i := range payroll {
		if payroll[i].Date.After(civil.New(2026, 3, 31)) {
			payroll[i].Cents = 61_500_00 // two people were hired
		}
	}
	bonuses := paid(18_000_00, civil.New(2025, 12, 19), civil.New(2026, 6, 26)) // days of their own
	for i := range payroll {
		if payroll[i].Date == civil.New(2026, 9, 30) {
			payroll[i].Cents += 24_000_00 // a bonus within the payroll
		}
	}

	found := recurrence.Find(slices.Concat(payroll, bonuses), today)

	if len(found) != 1 {
		t.Fatalf("%d series", len(found))
	}
	s := found[0]
	if s.Rhythm != recurrence.TwiceAMonth || len(s.Payments) != len(payroll) || s.Missed != 0 ||
		s.Usual != 61_500_00 || s.Next.String() != "2026-11-30" || s.Stopped {
		t.Errorf("%s, %d of %d payments, %d missed, usual %d, next %s", s.Rhythm, len(s.Payments), len(payroll),
			s.Missed, s.Usual, s.Next)
	}
}
