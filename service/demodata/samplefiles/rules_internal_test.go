package samplefiles

import (
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/demodata"
	"tarmac/service/ledger"
)

func TestTheRulesGiveEveryCostItsCategoryInTheLedger(t *testing.T) {
	for seed := range int64(4) {
		today := civil.MustParse("2026-11-21").AddDays(int(40 * seed))
		h, err := demodata.NewHistory(demodata.Options{
			Seed: seed, Transactions: demodata.DefaultTransactions, Today: today.Time(),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, currency := range []string{"USD", "EUR"} {
			o := Options{Company: "Northlight Labs", Currency: currency, Seed: seed, Today: today}
			s := &set{company: newCompany(o, today.AddMonths(-24), today), today: today}
			s.writeRules(h)
			rules, err := bookrules.ParseRules(s.files[0].Content)
			if err != nil {
				t.Fatal(err)
			}
			checkRules(t, s.company, rules, h.Rows)
		}
	}
}

func checkRules(t *testing.T, c *company, rules bookrules.Rules, rows []ledger.Transaction) {
	t.Helper()
	hits := make([]int, len(rules)+1)
	for _, row := range rows {
		if !row.USDKnown || row.Category == ledger.CategoryInternalTransfer {
			continue
		}
		line := c.posting(row).line
		got := rules.Apply(bookrules.Account{}, line)
		hits[got.Rule]++
		want := row.Category
		if row.Direction == ledger.Inflow || name(row) == "" {
			want = ""
		}
		if got.Category != want && want != demodata.Uncategorized {
			t.Errorf("%q, %q has the category %q, want %q", line.Counterparty, line.Description, got.Category, want)
		}
	}
	for i, rule := range rules {
		if hits[i+1] == 0 {
			t.Errorf("the rule at line %d decides nothing", rule.Line)
		}
	}
}
