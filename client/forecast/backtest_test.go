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
	if got := fmt.Sprint(begins); got != "[2026-08-01 2026-07-01 2026-06-01 2026-05-01 2026-04-01 2026-03-01 2026-02-01 "+
		"2026-01-01 2025-12-01 2025-11-01 2025-10-01 2025-09-01 2025-08-01]" {
		t.Fatal(got)
	}
	august := f.Trials[0]
	// 91 days at $10, and at the average of the 92 days from May to July, times 12/365.
	if august.Estimated[12] != -910_00 || august.Linear[12] != -920_00*12*91/(3*365) || august.LinearMiss(12) != 7_47 {
		t.Errorf("%+v", august)
	}
	for week := range forecast.Weeks {
		var miss int64
		if week >= 5 && week <= 7 { // paid in the 6th week, and paid back in the 9th
			miss = 500_00
		}
		if august.Miss(week) != miss || f.Weeks[week].Band != 0 {
			t.Errorf("week %d: missed by %d, with a band of %d", week+1, august.Miss(week), f.Weeks[week].Band)
		}
	}
	// The test from 1 July ends before the laptop is paid back.
	says(t, f, "11 of 13 tests on the past stayed inside the band in every week", true)
	says(t, f, "; 13 of them could not use last year.", true)
}

// Of thirteen tests the second largest miss counts, of fewer the largest, and five say nothing.
func TestTheBandIsTheLargestMissOfAFewTests(t *testing.T) {
	laptop := row(civil.New(2026, 9, 10), "Broken laptop", -500_00)
	f := estimated(t, ledger(append(daily(civil.New(2025, 8, 31)), laptop)), nil)
	if len(f.Trials) != 6 || f.Weeks[4].Band != 0 || f.Weeks[5].Band != 500_00 || f.Weeks[12].Band != 500_00 {
		t.Errorf("%d tests, %+v", len(f.Trials), f.Weeks)
	}
	says(t, f, "6 of 6 tests on the past stayed inside the band in every week", true)
	says(t, f, "The band is the largest miss of these tests", true)

	f = estimated(t, ledger(append(daily(civil.New(2025, 9, 1)), laptop)), nil)
	if len(f.Trials) != 5 || f.HasBand() || f.Weeks[12].Band != 0 || !f.Figures(12).Band.Unknown {
		t.Errorf("%d tests, %+v", len(f.Trials), f.Weeks)
	}
	says(t, f, "There is no band: it takes 6 tests on the past, with transactions since 2025-08-31, and only 5 are "+
		"possible.", true)
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

// The thirteen weeks from 1 February end on 2 May.
func TestTestsWhoseWeeksAreNotOverAreLeftOut(t *testing.T) {
	l := ledger(daily(civil.New(2024, 6, 1)))
	for day, want := range map[civil.Date]int{civil.New(2026, 5, 1): 12, civil.New(2026, 5, 2): 13} {
		f, err := forecast.New(l, collections.List{}, cash(1), day)
		if err != nil || len(f.Trials) != want {
			t.Errorf("on %s: %v, %d tests", day, err, len(f.Trials))
		}
	}
}

// The test of 1 August 2025 has 728 days before it, if the rows begin on 4 August 2023.
func TestTestsSayWhetherTheyCouldUseLastYear(t *testing.T) {
	for first, want := range map[civil.Date]int{civil.New(2023, 8, 4): 13, civil.New(2023, 8, 5): 12} {
		f, known := estimated(t, ledger(daily(first)), nil), 0
		for i := range f.Trials {
			if f.Trials[i].KnowsLastYear {
				known++
			}
		}
		if known != want {
			t.Errorf("from %s on, %d tests could use last year, want %d", first, known, want)
		}
	}
}
