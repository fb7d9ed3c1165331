package demodata

import (
	"testing"
	"time"

	"tarmac/service/ledger"
)

func TestNoFeedEndsADayBelowZero(t *testing.T) {
	for seed := range int64(5) {
		now := time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)
		p, err := newPlan(Options{Seed: seed, Today: now, Transactions: 1_100}, newIDSources(seed, streamIDs, 1))
		if err != nil {
			t.Fatal(err)
		}

		net, _ := p.dailyNet() // with the rounds, which are rows by now
		for _, transfer := range p.transfers {
			day := transfer.date.DaysSince(p.first)
			net[ledger.ServiceAccount][day] -= transfer.cents
			net[ledger.LinkedBank][day] += transfer.cents
		}

		for _, source := range ledger.Sources {
			if lowest := lowestBalance(net[source]); lowest < 0 {
				t.Errorf("seed %d: %v gets as low as %d", seed, source, lowest)
			}
			if got := sum(net[source]); got != p.settled[source] {
				t.Errorf("seed %d: %v has %d, and its rows and transfers come to %d", seed, source, p.settled[source], got)
			}
		}
		if len(p.transfers) != historyMonths+1 {
			t.Errorf("seed %d: %d transfers", seed, len(p.transfers))
		}
	}
}
