package receivables_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/receivables"
)

var today = civil.MustParse("2026-11-21")

func TestAgeBoundaries(t *testing.T) {
	for _, c := range []struct {
		late int
		want receivables.Buckets
	}{
		{-400, receivables.Buckets{Current: 7}}, {-1, receivables.Buckets{Current: 7}}, {0, receivables.Buckets{Current: 7}},
		{1, receivables.Buckets{Days1To30: 7}}, {30, receivables.Buckets{Days1To30: 7}},
		{31, receivables.Buckets{Days31To60: 7}}, {60, receivables.Buckets{Days31To60: 7}},
		{61, receivables.Buckets{Days61To90: 7}}, {90, receivables.Buckets{Days61To90: 7}},
		{91, receivables.Buckets{DaysOver90: 7}}, {4000, receivables.Buckets{DaysOver90: 7}},
	} {
		aging, err := receivables.Age([]receivables.OpenItem{{CustomerKey: "a", OpenMinor: 7, Cents: 7, Known: true,
			Due: today.AddDays(-c.late)}}, today)
		if err != nil || aging.Buckets != c.want {
			t.Errorf("%d days late: %+v, %v; want %+v", c.late, aging.Buckets, err, c.want)
		}
	}
	aging, err := receivables.Age([]receivables.OpenItem{{CustomerKey: "a", OpenMinor: 7, Cents: 7, Known: true}},
		today)
	if err != nil || aging.Buckets != (receivables.Buckets{Current: 7}) || aging.OverdueCount != 0 {
		t.Errorf("without a due date: %+v, %v", aging, err)
	}
}

func TestAgeNothing(t *testing.T) {
	aging, err := receivables.Age(nil, today)
	if err != nil || !reflect.DeepEqual(aging, receivables.Aging{TopOverdue: []receivables.Customer{}}) {
		t.Errorf("%+v, %v", aging, err)
	}
}

func TestAgeTellsOfOverflow(t *testing.T) {
	item := receivables.OpenItem{CustomerKey: "a", OpenMinor: 1, Cents: math.MaxInt64/2 + 1, Known: true}
	if _, err := receivables.Age([]receivables.OpenItem{item, item}, today); !errors.Is(err, receivables.ErrOverflow) {
		t.Errorf("Age = %v", err)
	}
}

func TestAgeNamesCustomers(t *testing.T) {
	item := func(key, name string, cents int64, late int) receivables.OpenItem {
		return receivables.OpenItem{CustomerKey: key, CustomerName: name, OpenMinor: cents, Cents: cents, Known: true,
			Due: today.AddDays(-late)}
	}
	aging, err := receivables.Age([]receivables.OpenItem{
		item("a", "Acme", 100, 5), item("a", "Acme LLC", 50, 47), item("b", "Borea", 150, 60),
		item("c", "Cumae", 150, 60), item("d", "Delta", 900, 0), item("e", "Epsilon", 1, 1),
	}, today)
	want := []receivables.Customer{
		{Name: "Borea", OverdueCents: 150, OverdueCount: 1, OldestDaysPastDue: 60},
		{Name: "Cumae", OverdueCents: 150, OverdueCount: 1, OldestDaysPastDue: 60},
		{Name: "Acme LLC", OverdueCents: 150, OverdueCount: 2, OldestDaysPastDue: 47},
		{Name: "Epsilon", OverdueCents: 1, OverdueCount: 1, OldestDaysPastDue: 1},
	}
	if err != nil || !reflect.DeepEqual(aging.TopOverdue, want) {
		t.Errorf("%+v, %v", aging.TopOverdue, err)
	}
}

func drawItems(t *rapid.T) []receivables.OpenItem {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) receivables.OpenItem {
		o := receivables.OpenItem{
			CustomerKey: rapid.StringMatching("[a-p]").Draw(t, "customer"),
			Known:       rapid.IntRange(0, 5).Draw(t, "known") > 0,
		}
		o.CustomerName = "Customer " + o.CustomerKey
		// Some of the items are overpaid or paid in full.
		o.OpenMinor = rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(-100, 1e12)).Draw(t, "owed")
		if o.Known {
			o.Cents = o.OpenMinor
		}
		if rapid.IntRange(0, 5).Draw(t, "has due") > 0 {
			o.Due = today.AddDays(-rapid.IntRange(-200, 200).Draw(t, "late"))
		}
		return o
	}), 0, 60).Draw(t, "items")
}

func TestAgingInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := drawItems(t)
		a, err := receivables.Age(items, today)
		if err != nil {
			t.Fatal(err)
		}
		b := a.Buckets
		if a.OutstandingCents != b.Current+b.Days1To30+b.Days31To60+b.Days61To90+b.DaysOver90 {
			t.Fatalf("outstanding is not the sum of the buckets: %+v", a)
		}
		if a.OverdueCents != a.OutstandingCents-b.Current {
			t.Fatalf("overdue is not outstanding without current: %+v", a)
		}
		var total, open, unconverted int64
		for _, item := range items {
			if item.OpenMinor <= 0 {
				continue
			}
			total += item.Cents
			open++
			if !item.Known {
				unconverted++
			}
		}
		if a.OutstandingCents != total || a.Unconverted != unconverted || a.Count != open || a.OverdueCount > a.Count {
			t.Fatalf("%+v for %d cents, %d open, %d unconverted", a, total, open, unconverted)
		}
		checkTop(t, a)
		shuffled := append([]receivables.OpenItem(nil), items...)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if again, err := receivables.Age(shuffled, today); err != nil || !reflect.DeepEqual(a, again) {
			t.Fatalf("in another order: %+v, %v; was %+v", again, err, a)
		}
	})
}

func checkTop(t *rapid.T, a receivables.Aging) {
	if len(a.TopOverdue) > receivables.MaxTopCustomers || a.TopOverdue == nil {
		t.Fatalf("top customers: %v", a.TopOverdue)
	}
	var sum int64
	for i, c := range a.TopOverdue {
		sum += c.OverdueCents
		if c.OverdueCents <= 0 || c.OldestDaysPastDue < 1 || c.OverdueCount < 1 {
			t.Fatalf("a top customer owes nothing overdue: %+v", c)
		}
		if i > 0 && c.OverdueCents > a.TopOverdue[i-1].OverdueCents {
			t.Fatalf("not in order: %+v", a.TopOverdue)
		}
	}
	if sum > a.OverdueCents || len(a.TopOverdue) < receivables.MaxTopCustomers && sum != a.OverdueCents {
		t.Fatalf("top customers owe %d of %d", sum, a.OverdueCents)
	}
}
