package plain

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/scenario"
	"tarmac/internal/civil"
)

func TestSuppositionsAreRead(t *testing.T) {
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
		if got, err := parseSuppose(text, today); err != nil || got.Changes != want {
			t.Errorf("%q is %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", ";", "burn", "burn -101", "burn x", "monthly 8,000", "monthly -8,00",
		"once +5 in 2026-10", "once +5 in soon", "once +5 in", "once +5 in q1", "monthly 24k from january",
		"monthly from january", "customer 1.234567k", "customer", "luck 5", "overdue not paid"} {
		if got, err := parseSuppose(text, today); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestAmountsAreWords(t *testing.T) {
	for got, want := range map[string]string{
		worth(apiclient.UnknownAmount("EUR")): "unknown", worth(apiclient.NewAmount(-5, "USD")): "minus $0.05",
		worth(apiclient.NewAmount(1500, "JPY")):                          "1,500 JPY",
		withDirection(apiclient.NewAmount(5, "USD"), apiclient.Inflow):   "in $0.05",
		withDirection(apiclient.UnknownAmount("USD"), apiclient.Outflow): "out, amount unknown",
		total(figures.Total{Kind: figures.Net}):                          "$0.00",
		total(figures.Total{Kind: figures.Net, Cents: 5}):                "plus $0.05",
		total(figures.Total{Kind: figures.Net, Cents: -5}):               "minus $0.05",
		total(figures.Total{Unknown: true, Excluded: 2}):                 "unknown",
		total(figures.Total{Cents: 5, Excluded: 1}):                      "at least $0.05",
		total(figures.Total{Kind: figures.Net, Cents: -5, Excluded: 1}):  "minus $0.05 (partial)",
		total(figures.Total{Kind: figures.Net, Cents: 5, Excluded: 1}):   "plus $0.05 (partial)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Output never contains line breaks, escape sequences or drawing characters, nor amounts while they
// are masked.
func FuzzSafe(f *testing.F) {
	for _, seed := range []string{"in $1,234.56.", "  \x1b[31m│ net minus $5", "a\u2028b\nc", "⣿ — •••",
		"\x9b31m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, said := range []string{safe(text), safe(hide(oneLine(text)))} {
			for _, r := range said {
				if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x2500 && r <= 0x259f || r >= 0x2800 && r <= 0x28ff {
					t.Fatalf("%q is said as %q", text, said)
				}
			}
			if again := safe(said); again != said {
				t.Fatalf("%q becomes %q", said, again)
			}
		}
	})
}
