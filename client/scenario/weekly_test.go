package scenario_test

import (
	"fmt"
	"math"
	"testing"

	"tarmac/client/figures"
	"tarmac/client/scenario"
	"tarmac/internal/civil"
)

func TestWeeklyEffectsAreThoseOfThePencil(t *testing.T) {
	today := civil.New(2026, 11, 22) // a Sunday
	start := scenario.Baseline{Day: today, Cash: 1, Burn: 3000_00, Overdue: figures.Total{Currency: "USD", Minor: 77_00}}
	december, january := civil.New(2026, 12, 1), civil.New(2027, 1, 1)
	for name, c := range map[string]struct {
		changes scenario.Changes
		want    string // the first seven weeks, from 23 November on, in dollars
	}{
		"more a month":        {scenario.Changes{Monthly: 3100_00, MonthlyFrom: december}, "[0 600 700 700 700 700 700]"},
		"a hire in January":   {scenario.Changes{Monthly: -3100_00, MonthlyFrom: january}, "[0 0 0 0 0 -300 -700]"},
		"a lost customer":     {scenario.Changes{Customer: 310_00, CustomerLost: december}, "[0 -60 -70 -70 -70 -70 -70]"},
		"once in January":     {scenario.Changes{Once: 500_00, OnceIn: january}, "[0 0 0 0 0 500 0]"},
		"once in this month":  {scenario.Changes{Once: 500_00, OnceIn: civil.New(2026, 11, 1)}, "[500 0 0 0 0 0 0]"},
		"once in the past":    {scenario.Changes{Once: 500_00, OnceIn: civil.New(2026, 10, 1)}, "[0 0 0 0 0 0 0]"},
		"overdue receivables": {scenario.Changes{Overdue: true}, "[77 0 0 0 0 0 0]"},
		"a tenth more burn":   {scenario.Changes{BurnPercent: 10}, "[-70 -68 -68 -68 -68 -68 -68]"},
	} {
		nets, ok := c.changes.Weekly(start, today, 7)
		for i := range nets {
			nets[i] = int64(math.Round(float64(nets[i]) / 100))
		}
		if got := fmt.Sprint(nets); !ok || got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A whole month adds up to its amount, to the cent.
func TestDaysOfAMonthAddUp(t *testing.T) {
	january := civil.New(2026, 12, 31)
	nets, ok := scenario.Changes{Monthly: 1000_01}.Weekly(scenario.Baseline{}, january, 13)
	sum := int64(0)
	for _, net := range nets { // 31 days of January, 28 of February, 31 of March and one of April
		sum += net
	}
	if want := int64(3*1000_01 + 1000_01/30); !ok || sum != want {
		t.Errorf("%d, want %d", sum, want)
	}
}

func TestWeeklyEffectsThatAreUnknownOrTooLargeAreRefused(t *testing.T) {
	today := civil.New(2026, 11, 22)
	for name, c := range map[string]struct {
		changes scenario.Changes
		start   scenario.Baseline
	}{
		"unknown overdue": {scenario.Changes{Overdue: true}, scenario.Baseline{Overdue: figures.Total{Currency: "USD",
			Unknown: true}}},
		"a large amount":    {scenario.Changes{Monthly: math.MinInt64}, scenario.Baseline{}},
		"a large burn":      {scenario.Changes{BurnPercent: 1000}, scenario.Baseline{Burn: math.MaxInt64 / 2}},
		"a negative amount": {scenario.Changes{Customer: -1}, scenario.Baseline{}},
	} {
		if nets, ok := c.changes.Weekly(c.start, today, 13); ok {
			t.Errorf("%s: %v", name, nets)
		}
	}
}
