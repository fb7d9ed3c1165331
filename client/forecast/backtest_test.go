package forecast_test

import (
	"fmt"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/forecast"
	"tarmac/internal/civil"
)

// daily has a cost of $10 on each day from a day until today, each time to another vendor.
func daily(first civil.Date) (rows []apiclient.Transaction) {
	for day := first; !day.After(today); day = day.AddDays(1) {
		rows = append(rows, row(day, "vendor "+day.String(), -10_00))
	}
	return rows
}

func TestTestsOnThePastAreThoseOfThePencil(t *testing.T) {
	rows := append(daily(civil.New(2025, 1, 1)), row(civil.New(2026, 9, 10), "Broken laptop", -500_00),
		row(civil.New(2026, 9, 30), "Insurance", 500_00))

	f := estimated(t, ledger(rows), nil)

	var begins []string
	for _, trial := range f.Trials {
		begins = append(begins, trial.Begins.String())
	}
	if got := fmt.Sprint(begins); got != "[2026-08-01 2026-07-01 2026-06-01 2026-05-01 2026-04-01 2026-03-01]" {
		t.Fatal(got)
	}
	august := f.Trials[0]
	// 91 days at $10, and at the average of the 92 days from May to July, times 12/365.
	if august.Estimated[12] != -910_00 || august.Linear[12] != -920_00*12*91/(3*365) || august.LinearMiss(12) != 7_47 {
		t.Errorf("%+v", august)
	}
	for week := range forecast.Weeks {
		var miss, worst int64
		if week >= 5 && week <= 7 { // paid in the 6th week, and paid back in the 9th
			miss = 500_00
		}
		if week >= 5 {
			worst = 500_00
		}
		if august.Miss(week) != miss || f.Weeks[week].WorstMiss != worst {
			t.Errorf("week %d: missed by %d, at worst by %d", week+1, august.Miss(week), f.Weeks[week].WorstMiss)
		}
	}
}

func TestTestsWithoutEnoughHistoryAreLeftOut(t *testing.T) {
	// The test of 1 July needs transactions from 31 December on.
	for first, want := range map[civil.Date]int{
		civil.New(2025, 12, 31): 2, civil.New(2026, 1, 1): 1, today.AddDays(-181): 0,
	} {
		if f := estimated(t, ledger(daily(first)), nil); len(f.Trials) != want {
			t.Errorf("from %s on: %d tests, want %d", first, len(f.Trials), want)
		}
	}
}

// The thirteen weeks from 1 February on end on 2 May.
func TestTestsWhoseWeeksAreNotOverAreLeftOut(t *testing.T) {
	l := ledger(daily(civil.New(2024, 6, 1)))
	for day, want := range map[civil.Date]int{civil.New(2026, 5, 1): 5, civil.New(2026, 5, 2): 6} {
		f, err := forecast.New(l, collections.List{}, cash(1), day)
		if err != nil || len(f.Trials) != want {
			t.Errorf("on %s: %v, %d tests", day, err, len(f.Trials))
		}
	}
}

// An invoice that is paid today was open at the firsts of the months before.
func TestTestsKnowTheInvoicesOfTheirDay(t *testing.T) {
	rows := append(daily(civil.New(2025, 6, 1)), row(civil.New(2026, 6, 20), "Customer", 1300_00))
	paid := invoice("1", "a@example.com", 650_00, civil.New(2026, 8, 12))
	paid.Status, paid.PaidAt = apiclient.InvoicePaid, at(civil.New(2026, 8, 20))
	later := invoice("2", "b@example.com", 650_00, civil.New(2026, 8, 12))
	later.SentAt = at(civil.New(2026, 8, 1))
	voided := invoice("3", "c@example.com", 650_00, civil.New(2026, 8, 12))
	voided.Status, voided.VoidedAt = apiclient.InvoiceVoided, at(civil.New(2026, 7, 31))
	list := collections.List{Invoices: []apiclient.Invoice{paid, later, voided}}

	first := func(list collections.List) (net int64) {
		f, err := forecast.New(ledger(rows), list, cash(1), today)
		if err != nil {
			t.Fatal(err)
		}
		return f.Trials[0].Estimated[1] - f.Trials[0].Estimated[0]
	}

	// Of $650 in thirteen weeks, the open invoice takes everything; without it, a week has $50.
	if with := first(list); with != 650_00-70_00 {
		t.Errorf("the week from 8 August nets %d", with)
	}
	list.Since = *at(civil.New(2026, 8, 1))
	if without := first(list); without != 50_00-70_00 {
		t.Errorf("although the list begins later, the week nets %d", without)
	}
}
