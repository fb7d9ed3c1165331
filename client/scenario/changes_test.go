package scenario_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"tarmac/client/figures"
	"tarmac/client/scenario"
	"tarmac/internal/civil"
)

var today = civil.New(2026, 11, 20)

func start(cash, burn int64) scenario.Baseline {
	overdue := int64(5_000_00)
	return scenario.Baseline{Day: today, Cash: cash, Burn: burn, Overdue: figures.Total{Currency: "USD", Minor: overdue}}
}

// lasts returns how long a path lasts, in a form to compare; a path without an end is
// longest.
func lasts(p scenario.Projection) int64 {
	if !p.RunsOut {
		return math.MaxInt64
	}
	return p.Runway.Tenths()
}

func TestWhatIsSupposedMovesTheZeroMonth(t *testing.T) {
	month := func(n int) civil.Date { return today.FirstOfMonth().AddMonths(n) }
	for name, c := range map[string]struct {
		w    scenario.Changes
		want int64 // tenths of a month that 10,000 lasts at 1,000 a month; -1 for no end
	}{
		"nothing":                      {scenario.Changes{}, 100},
		"half the burn":                {scenario.Changes{BurnPercent: -50}, 200},
		"a quarter more burn":          {scenario.Changes{BurnPercent: 25}, 80},
		"no burn":                      {scenario.Changes{BurnPercent: -100}, -1},
		"a hire from now":              {scenario.Changes{Monthly: -1000_00}, 50},
		"a hire in five months":        {scenario.Changes{Monthly: -1000_00, MonthlyFrom: month(5)}, 75},
		"a hire after the end":         {scenario.Changes{Monthly: -1000_00, MonthlyFrom: month(11)}, 100},
		"a sale from a month past":     {scenario.Changes{Monthly: 500_00, MonthlyFrom: month(-3)}, 200},
		"as much in as out":            {scenario.Changes{Monthly: 1000_00, MonthlyFrom: month(9)}, -1},
		"a raise":                      {scenario.Changes{Once: 2500_00, OnceIn: month(3)}, 125},
		"a raise too late":             {scenario.Changes{Once: 2500_00, OnceIn: month(11)}, 100},
		"a raise that has been":        {scenario.Changes{Once: 2500_00, OnceIn: month(-1)}, 100},
		"a cost":                       {scenario.Changes{Once: -2500_00}, 75},
		"a cost that takes all":        {scenario.Changes{Once: -7000_00, OnceIn: month(4)}, 40},
		"the overdue is paid":          {scenario.Changes{Overdue: true}, 150},
		"the customer leaves":          {scenario.Changes{Customer: 3000_00, CustomerLost: month(2)}, 40},
		"the customer leaves, less of": {scenario.Changes{Customer: 1000_00, BurnPercent: -50}, 66},
	} {
		path, ok := c.w.Project(start(10_000_00, 1000_00))
		if !ok || path.RunsOut != (c.want >= 0) || path.RunsOut && path.Runway.Tenths() != c.want {
			t.Errorf("%s: %s months, ends %v, %v; want %d tenths", name, path.Runway, path.RunsOut, ok, c.want)
		}
	}
}

func TestWhatDoesNotFitOrIsNotKnownHasNoPath(t *testing.T) {
	for name, c := range map[string]struct {
		w scenario.Changes
		s scenario.Baseline
	}{
		"overdue unknown": {scenario.Changes{Overdue: true},
			scenario.Baseline{Day: today, Cash: 1, Burn: 1, Overdue: figures.Total{Currency: "USD", Unknown: true}}},
		"overdue negative": {scenario.Changes{Overdue: true},
			scenario.Baseline{Day: today, Cash: 1, Burn: 1, Overdue: figures.Total{Currency: "USD", Minor: -1}}},
		"burn negative":   {scenario.Changes{}, start(1, -1)},
		"percent too low": {scenario.Changes{BurnPercent: -101}, start(1, 1)},
		"burn too large":  {scenario.Changes{BurnPercent: 1000}, start(1, math.MaxInt64)},
		"raise too large": {scenario.Changes{Once: math.MaxInt64}, start(1, 0)},
		"loss too large":  {scenario.Changes{Monthly: math.MinInt64}, start(1, 0)},
		"gain too large":  {scenario.Changes{Monthly: math.MaxInt64}, start(1, 0)},
		"customer pays":   {scenario.Changes{Customer: -1}, start(1, 0)},
	} {
		if path, ok := c.w.Project(c.s); ok {
			t.Errorf("%s: %v", name, path)
		}
	}
}

// Without changes the runway is the server's own: ten times cash divided by burn, rounded
// down.
func TestSupposingNothingIsTodaysPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cash, burn := rapid.Int64Range(-1e6, 1e15).Draw(t, "cash"), rapid.Int64Range(1, 1e13).Draw(t, "burn")
		path, ok := scenario.Changes{}.Project(start(cash, burn))
		if !ok {
			t.Fatal("no path")
		}
		want := new(big.Int).Quo(big.NewInt(max(0, cash)*10), big.NewInt(burn)).Int64()
		if path.RunsOut && path.Runway.Tenths() != want || !path.RunsOut && want < 12000 {
			t.Fatalf("%s months, ends %v; want %d tenths", path.Runway, path.RunsOut, want)
		}
	})
}

func anyChanges(t *rapid.T) scenario.Changes {
	month := func(label string) civil.Date { return today.AddMonths(rapid.IntRange(-2, 60).Draw(t, label)) }
	return scenario.Changes{
		BurnPercent: rapid.Int64Range(-100, 1000).Draw(t, "percent"),
		Monthly:     rapid.Int64Range(-1e10, 1e10).Draw(t, "monthly"), MonthlyFrom: month("from"),
		Once: rapid.Int64Range(-1e11, 1e11).Draw(t, "once"), OnceIn: month("in"),
		Overdue:  rapid.Bool().Draw(t, "overdue"),
		Customer: rapid.Int64Range(0, 1e10).Draw(t, "customer"), CustomerLost: month("gone"),
	}
}

func TestWhatIsWorseNeverLastsLonger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := start(rapid.Int64Range(0, 1e12).Draw(t, "cash"), rapid.Int64Range(0, 1e11).Draw(t, "burn"))
		w := anyChanges(t)
		path, ok := w.Project(s)
		if !ok {
			t.Fatal("no path")
		}
		for name, worsen := range map[string]func(*scenario.Changes){
			"more burn":       func(w *scenario.Changes) { w.BurnPercent = min(1000, w.BurnPercent+50) },
			"less a month":    func(w *scenario.Changes) { w.Monthly -= 1_000_000 },
			"less once":       func(w *scenario.Changes) { w.Once -= 1_000_000 },
			"a customer more": func(w *scenario.Changes) { w.Customer += 1_000_000 },
			"gone before":     func(w *scenario.Changes) { w.CustomerLost = w.CustomerLost.AddMonths(-1) },
			"overdue unpaid":  func(w *scenario.Changes) { w.Overdue = false },
		} {
			worse := w
			worsen(&worse)
			if other, ok := worse.Project(s); !ok || lasts(other) > lasts(path) {
				t.Fatalf("%s: %d tenths instead of %d", name, lasts(other), lasts(path))
			}
		}
	})
}

func TestAPathGoesForwardAndEndsAtNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := start(rapid.Int64Range(1, 1e12).Draw(t, "cash"), rapid.Int64Range(0, 1e11).Draw(t, "burn"))
		path, ok := anyChanges(t).Project(s)
		if !ok || path.Balances[0] != (scenario.Balance{Day: today, Cents: s.Cash}) {
			t.Fatalf("starts with %v, %v", path.Balances, ok)
		}
		for i, b := range path.Balances[1:] {
			if b.Day.Before(path.Balances[i].Day) || b.Cents < 0 {
				t.Fatalf("%v after %v", b, path.Balances[i])
			}
		}
		last := path.Balances[len(path.Balances)-1]
		if path.RunsOut != (last.Cents == 0) {
			t.Fatalf("ends %v with %v", path.RunsOut, last)
		}
		if path.RunsOut && path.After(1300, today) != 0 {
			t.Fatal("cash past the end")
		}
	})
}

func TestCashSoManyMonthsAhead(t *testing.T) {
	path, _ := scenario.Changes{Once: 500_00}.Project(start(10_000_00, 1000_00))
	for months, want := range map[int]int64{0: 10_500_00, 1: 9_500_00, 6: 4_500_00, 10: 500_00, 11: 0, 40: 0} {
		if got := path.After(months, today); got != want {
			t.Errorf("after %d months: %d, want %d", months, got, want)
		}
	}
}
