package store_test

import (
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

func TestReadingAheadChangesNoTotals(t *testing.T) {
	testdb.SQLiteOnly(t)
	s := open(t)
	var org store.OrgKey
	write(t, s, func(tx *store.Tx) (err error) {
		org, err = tx.CreateOrganization(store.Organization{PublicID: "org_a", Name: "a"})
		return err
	})
	matching := rows(t, 300)
	for n := range matching {
		matching[n].Counterparty, matching[n].Date = "Coffee house", civil.New(2026, 3, 1+n%28)
	}
	write(t, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, matching) })
	f := ledger.Filter{Keyword: ledger.NewFolder().Fold("coffee")}
	_, want, err := s.Listing(t.Context(), org, f, nil, 10)
	if err != nil || want.Count != int64(len(matching)) {
		t.Fatalf("%d rows match, %v", want.Count, err)
	}

	s.TrackAllSummaries()
	s.ReadAlwaysAhead()
	s.ForgetSummaries()
	_, got, err := s.Listing(t.Context(), org, f, nil, 10)

	if err != nil || got != want {
		t.Errorf("the totals are %+v, %v, want %+v", got, err, want)
	}
}
