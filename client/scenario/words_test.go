package scenario_test

import (
	"strings"
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

func TestAmountsOfAScenarioAreInTheCurrencyOfTheFigures(t *testing.T) {
	today := civil.New(2026, 11, 20)
	for _, c := range []struct {
		text, currency string
		monthly        int64
		problem        string
	}{
		{"monthly -8k", "EUR", -8_000_00, ""}, {"monthly -€8k from January", "EUR", -8_000_00, ""},
		{"monthly -8k EUR from January", "EUR", -8_000_00, ""}, {"monthly -8,000 eur", "EUR", -8_000_00, ""},
		{"monthly -8k", "JPY", -8_000, ""}, {"monthly +1.234 KWD", "KWD", 1234, ""},
		{"monthly -$8k", "EUR", 0, "in euros, not in US dollars"},
		{"monthly -8k EUR from January", "USD", 0, "in US dollars, not in euros"},
		{"monthly -8.5", "JPY", 0, "JPY has 0 decimal places"}, {"monthly -8k", "", 0, "not read yet"},
	} {
		got, err := scenario.Parse(c.text, today, c.currency)
		switch {
		case c.problem != "" && (err == nil || !strings.HasSuffix(err.Error(), c.problem)):
			t.Errorf("%q in %s: %+v, %v; want %q", c.text, c.currency, got, err, c.problem)
		case c.problem == "" && (err != nil || got.Monthly != c.monthly || got.Currency != c.currency):
			t.Errorf("%q in %s: %+v, %v; want %d", c.text, c.currency, got, err, c.monthly)
		}
	}
}

// A scenario in another currency than the company's figures is never computed with them, and cannot
// be taken for one in their currency when it is edited.
func TestAScenarioInAnotherCurrencyIsNotApplied(t *testing.T) {
	start := scenario.Baseline{Currency: "EUR", Day: today, Cash: 10_000_00, Burn: 1_000_00}
	for text, applied := range map[string]bool{
		"monthly -8k": false, "once +1": false, "customer 5": false, "burn -10": true,
	} {
		one, err := scenario.Parse(text, today, "USD")
		if err != nil {
			t.Fatal(err)
		}

		o := one.Outlook(start)
		_, weekly := one.Weekly(start, today, 13)
		caveats := strings.Join(one.Caveats(start, true), " ")
		_, wrong := scenario.InputOf(one, "EUR").Read(today, "EUR")

		if o.Known != applied || o.NotApplied == applied || weekly != applied || wrong.Any() == applied {
			t.Errorf("%s: %+v, %v, %+v; want applied: %v", text, o, weekly, wrong, applied)
		}
		told := caveats == "Its amounts are in US dollars, the company's figures in euros: it is not applied."
		if told == applied || (o.InWords() == "not applied") == applied || (o.Months() == "not applied") == applied {
			t.Errorf("%s: %q, %q, %q", text, caveats, o.InWords(), o.Months())
		}
	}
}
