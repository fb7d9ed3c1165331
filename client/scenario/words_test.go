package scenario_test

import (
	"testing"

	"tarmac/client/scenario"
	"tarmac/internal/civil"
)

func TestAScenarioIsReadInWords(t *testing.T) {
	today := civil.New(2026, 11, 20)
	month, march := today.FirstOfMonth(), civil.New(2027, 3, 1)
	for text, want := range map[string]scenario.Changes{
		"burn -10":                      {BurnPercent: -10},
		"Burn +25%; overdue paid":       {BurnPercent: 25, Overdue: true},
		"monthly -8,000 from 2027-03":   {Monthly: -8000_00, MonthlyFrom: march},
		"once +500,000.50":              {Once: 500_000_50, OnceIn: month},
		"customer 12,000 from 2027-03;": {Customer: 12_000_00, CustomerLost: march},
		"monthly -24k from March":       {Monthly: -24_000_00, MonthlyFrom: march},
		"once +$1.5M in 4 months":       {Once: 1_500_000_00, OnceIn: march},
		"customer 12k in mar 2027":      {Customer: 12_000_00, CustomerLost: march},
	} {
		if want.Monthly != 0 || want.Once != 0 || want.Customer != 0 {
			want.Currency = "USD"
		}
		if got, err := scenario.Parse(text, today, "USD"); err != nil || got.Changes != want {
			t.Errorf("%q is %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", ";", "burn", "burn -101", "burn x", "monthly 8,000", "monthly -8,00",
		"once +5 in 2026-10", "once +5 in soon", "once +5 in", "once +5 in q1", "monthly 24k from january",
		"monthly from january", "customer 1.234567k", "customer", "luck 5", "overdue not paid"} {
		if got, err := scenario.Parse(text, today, "USD"); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}
