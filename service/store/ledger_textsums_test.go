package store_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/testsupport/long"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// similarText draws texts that often have the same pattern.
var similarText = rapid.StringOfN(rapid.SampledFrom([]rune("aÉ1170-")), 0, 5, -1)

func drawSimilarRow(t *rapid.T, source *ids.Source) ledger.Transaction {
	return drawRow(t, source, similarText)
}

// Totals that are computed from sums by pattern are those of the transactions, in whatever order
// transactions are added, replaced and summed.
func TestTotalsFromSumsOfTextsEqualTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the database alone")
	}
	long.Cases(t, 20, 100)
	s, source := open(t), newIDs()
	s.TrackAllSummaries()
	s.SumAllTexts()
	orgs := 0
	rapid.Check(t, func(t *rapid.T) {
		orgs++
		var org store.OrgKey
		var all model
		reporting := "USD"
		drawWrite(t, s, func(tx *store.Tx) (err error) {
			org, err = tx.CreateOrganization(store.Organization{PublicID: fmt.Sprintf("org_%d", orgs), Name: "a"})
			return err
		})
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				batch := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ledger.Transaction {
					return drawSimilarRow(t, source)
				}), 1, 20).Draw(t, "batch")
				drawWrite(t, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, batch) })
				all = append(all, batch...)
			},
			"change the currency": func(t *rapid.T) { reporting = setReporting(t, s, org) },
			"replace":             func(t *rapid.T) { all = all.replaceDays(t, s, org, source) },
			"sum": func(t *rapid.T) {
				if err := s.SumTexts(context.Background(), false); err != nil {
					t.Fatal(err)
				}
			},
			"interrupt": func(t *rapid.T) {
				if err := s.AddUpBatch(context.Background(), org, reportedIn(t, all.similarFilter(t), reporting)); err != nil {
					t.Fatal(err)
				}
			},
			"compare": func(t *rapid.T) {
				if rapid.Bool().Draw(t, "totals forgotten") {
					s.ForgetSummaries()
				}
				f := reportedIn(t, all.similarFilter(t), reporting)
				_, want := all.listed(f)
				_, got, err := s.Listing(context.Background(), org, f, nil, 1)
				if err != nil || got != want {
					t.Fatalf("%+v (keyword %q) sums to %+v, %v; want %+v", f, f.Keyword, got, err, want)
				}
			},
		})
	})
}

func (m model) similarFilter(t *rapid.T) ledger.Filter {
	f := m.filter(t)
	if rapid.Bool().Draw(t, "similar") {
		f.Keyword = ledger.NewFolder().Fold(similarText.Draw(t, "similar keyword"))
	}
	return f
}

func drawWrite(t *rapid.T, s *store.Store, fn func(*store.Tx) error) {
	if err := s.Write(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}
