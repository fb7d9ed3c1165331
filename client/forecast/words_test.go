package forecast_test

import (
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/forecast"
	"tarmac/internal/civil"
)

// says reports a sentence of the forecast that is missing or one that must not be there.
func says(t *testing.T, f *forecast.Forecast, want string, is bool) {
	t.Helper()
	if text := strings.Join(f.Sentences(), "\n"); strings.Contains(text, want) != is {
		t.Errorf("%q is said: %v, in\n%s", want, !is, text)
	}
}

func TestAForecastSaysWhatItLeavesOut(t *testing.T) {
	rows := append(sample(), row(today, "A", 1), row(today, "B", 1), row(today.AddDays(1), "C", 1))
	rows[len(rows)-2].Reporting = apiclient.UnknownAmount("EUR")
	euros := invoice("1", "a@example.com", 1, civil.New(2026, 12, 10))
	euros.Total = apiclient.NewAmount(5_00, "EUR")
	late := invoice("2", "b@example.com", 700_00, civil.New(2026, 6, 1))
	list := collections.List{Invoices: []apiclient.Invoice{euros, late, invoice("3", "c@example.com", 90_00, today)}}

	f, err := forecast.New(ledger(rows), list, cash(10_000_00), today)

	if err != nil || len(f.Late) != 1 {
		t.Fatalf("%v, %+v", err, f)
	}
	for _, want := range []string{
		"1 transaction has no USD rate and is excluded.", "1 transaction dated after today left out.",
		"2 open invoices of ≥$90.00 before part payments: listed in the weeks in which customers usually pay, and not",
		"1 open invoice of $700.00 before part payments: later than the customer ever paid, and in no week.",
	} {
		says(t, f, want, true)
	}
	says(t, estimated(t, ledger(sample()), nil), "left out", false)
	says(t, estimated(t, ledger(sample()), nil), "Last year is not used: that needs transactions since 2024-11-25.", true)
}

func TestAForecastSaysWhichDaysOfItsWeeksStatementsDoNotCover(t *testing.T) {
	for gap, says := range map[string]bool{"2026-07-01..2026-08-10": true, "2026-03-01..2026-04-10": false} {
		l := ledger(sample())
		l.Coverage = uncovered(gap)

		f := estimated(t, l, nil)

		text := "Statements do not cover " + strings.Replace(gap, "..", " to ", 1) + "."
		if got := slices.Contains(f.LeftOut(), text); got != says {
			t.Errorf("%s: %q", gap, f.LeftOut())
		}
		if week := f.Figures(0); (week.Out.LeavesOut() > 0 || week.Out.LeftOut != "") != says {
			t.Errorf("%s: the money out of a week is %v", gap, week.Out)
		}
	}
}

func TestAForecastSaysOfWhichDaysItsFiguresAre(t *testing.T) {
	yesterday := cash(1_000_000_00)
	yesterday.AsOf = today.AddDays(-1).Time()
	f, err := forecast.New(ledger(sample()), collections.List{}, yesterday, today)
	if err != nil {
		t.Fatal(err)
	}
	says(t, f, "The cash is of 2026-11-21, the transactions are of 2026-11-22.", true)
	says(t, f, "would be gone", false)

	f, err = forecast.New(ledger(sample()), collections.List{}, cash(900_00), today)
	if err != nil {
		t.Fatal(err)
	}
	says(t, f, "The spendable cash would be gone in the week that ends on 2026-12-06.", true)
}

// Bank statements are imported once a month; the weeks without rows say nothing about money.
func TestTheAveragesEndWithTheNewestRowIfItIsOld(t *testing.T) {
	later := today.AddDays(20)
	f, err := forecast.New(ledger(sample()), collections.List{}, cash(1), later)
	if err != nil {
		t.Fatal(err)
	}
	newest := civil.New(2026, 11, 16)
	if f.Basis.Last != newest || f.Weeks[0].First != later.AddDays(1) {
		t.Errorf("the averages end on %s, the weeks begin on %s", f.Basis.Last, f.Weeks[0].First)
	}
	says(t, f, "The newest transaction is of 2026-11-16, so the averages end there.", true)
}
