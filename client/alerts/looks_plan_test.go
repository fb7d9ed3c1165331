package alerts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/plan"
	"tarmac/client/settings"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// october is what a watcher reads in November of a plan and of costs in October, by counterparty.
func october(t *testing.T, text string, costs map[string]int64) *alerts.Reading {
	t.Helper()
	p, err := plan.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var rows []apiclient.Transaction
	for name, c := range costs {
		rows = append(rows, apiclient.Transaction{
			ID: fmt.Sprint(name, c), Date: civil.New(2026, 10, 5), Direction: apiclient.Outflow, CounterpartyName: name,
			Amount: apiclient.NewAmount(c, "USD"), Reporting: apiclient.NewAmount(c, "USD"),
		})
	}
	r := runway(monday, 100)
	r.Plan, r.History = p, spending.NewLedger(rows, nil, nil)
	r.History.Currency = "USD"
	return r
}

func TestAMonthThatMissesThePlanIsTold(t *testing.T) {
	const raise = "raise \"Seed\" 1M on 2026-10-20\n"
	const rent = "plan from 2026-10 in USD\nbudget \"Rent\" 20k/month on 1: Harbour\n"
	for name, c := range map[string]struct {
		plan  string
		costs map[string]int64
		want  []string
	}{
		"as planned":      {rent, map[string]int64{"Harbour": 20_000_00}, nil},
		"cheaper":         {rent, map[string]int64{"Harbour": 9_000_00}, nil},
		"a little dearer": {rent, map[string]int64{"Harbour": 21_999_00}, nil},
		"a tenth dearer": {rent, map[string]int64{"Harbour": 22_000_00}, []string{
			"Rent came to -$22,000.00 in 2026-10, planned was -$20,000.00 (10 % worse or more).",
		}},
		"not planned": {rent, map[string]int64{"Harbour": 20_000_00, "Other": 90_000_00}, nil},
		"a raise is late": {rent + raise, map[string]int64{"Harbour": 20_000_00}, []string{
			"Financing came to $0.00 in 2026-10, planned was +$1,000,000.00 (10 % worse or more).",
		}},
		"begins later": {strings.Replace(rent, "2026-10", "2026-11", 1), map[string]int64{"Harbour": 20_000_00}, nil},
	} {
		all, s := parse(t, settings.Alert{Rule: "plan-missed"}), newState(t)
		s.Observe(all, october(t, rent, nil), "", []string{"mail"})
		s.Outbox = nil

		s.Observe(all, october(t, c.plan, c.costs), "", []string{"mail"})

		if got := texts(s); !slices.Equal(got, c.want) {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
		s.Outbox = nil
		if s.Observe(all, october(t, c.plan, c.costs), "", []string{"mail"}); len(texts(s)) > 0 {
			t.Errorf("%s: told again", name)
		}
	}
}

func TestWithoutAPlanItIsNotKnownWhetherItIsMissed(t *testing.T) {
	all, s := parse(t, settings.Alert{Rule: "plan-missed"}), newState(t)
	r := october(t, "plan from 2026-10 in USD\n", nil)
	r.Plan, r.Failures = nil, map[alerts.Need]string{alerts.Plan: "There is no plan."}

	s.Observe(all, r, "", []string{"mail"})

	if words := s.Words(all[0]); !strings.Contains(words, "There is no plan") {
		t.Errorf("it says %q", words)
	}
}
