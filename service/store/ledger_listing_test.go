package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/access"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

func seeded(t *testing.T, s *store.Store, source *ids.Source, name string) store.OrgKey {
	t.Helper()
	org := organization(t, s, name)
	rows := make([]ledger.Transaction, 3)
	for i := range rows {
		id, err := source.New(ids.Transaction, created)
		if err != nil {
			t.Fatal(err)
		}
		rows[i] = ledger.Transaction{
			ID: id, Date: civil.New(2026, 11, 1+i), AmountKnown: true, AmountMinor: 7, USDKnown: true, USDCents: 7,
			Currency: "USD", Counterparty: "Harbour Office",
		}
	}
	write(t, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, rows) })
	return org
}

// While the Scans pool is exhausted everything else is answered: other pages, cached keywords,
// credentials, readiness.
func TestSearchesDoNotKeepOthersWaiting(t *testing.T) {
	s, source, ctx := open(t), newIDs(), t.Context()
	busy, other := seeded(t, s, source, "busy"), seeded(t, s, source, "other")
	token := access.Token{PublicID: "tok_1", Scopes: access.Scopes[:], CreatedAt: created}
	write(t, s, func(tx *store.Tx) error { return tx.InsertToken(other, token, access.Hash("a")) })
	count := func(org store.OrgKey, keyword string) (int64, error) {
		page, summary, err := s.Listing(ctx, org, ledger.Filter{Keyword: keyword}, nil, 10)
		if err == nil && int64(len(page.Rows)) != summary.Count {
			err = errors.New("the page is not what the totals say")
		}
		return summary.Count, err
	}
	for _, known := range []string{"harbour", "zz"} {
		if _, err := count(other, known); err != nil {
			t.Fatal(err)
		}
	}
	release, err := s.HoldScans(ctx)
	if err != nil {
		t.Fatal(err)
	}
	type result struct {
		n   int64
		err error
	}
	searched := make(chan result, 8)
	for range cap(searched) {
		go func() {
			n, err := count(busy, "ha")
			searched <- result{n, err}
		}()
	}
	for keyword, want := range map[string]int64{"": 3, "harbour": 3, "zz": 0} {
		if n, err := count(other, keyword); n != want || err != nil {
			t.Errorf("keyword %q: %d rows, %v; want %d", keyword, n, err, want)
		}
	}
	if n, err := count(busy, ""); n != 3 || err != nil {
		t.Errorf("the searching organization's own list: %d rows, %v", n, err)
	}
	if c, err := s.TokenByHash(ctx, access.Hash("a")); err != nil || c.Org != other {
		t.Errorf("TokenByHash = %+v, %v", c, err)
	}
	if err := s.Ready(ctx); err != nil {
		t.Errorf("Ready = %v", err)
	}
	select {
	case r := <-searched:
		t.Errorf("a search did not wait for its turn: %+v", r)
	default:
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	for range cap(searched) {
		if r := <-searched; r.n != 3 || r.err != nil {
			t.Errorf("after waiting: %d rows, %v", r.n, r.err)
		}
	}
}

// Cached summaries are updated with the rows that their organization adds, and are not affected
// by other organizations. No ledger is scanned again.
func TestWritesLeaveTotalsKnown(t *testing.T) {
	s, source := open(t), newIDs()
	s.TrackAllSummaries()
	a, b := seeded(t, s, source, "a"), seeded(t, s, source, "b")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	count := func(want int64) {
		t.Helper()
		if _, summary, err := s.Listing(ctx, a, ledger.Filter{Keyword: "harbour"}, nil, 10); err != nil ||
			summary.Count != want {
			t.Errorf("%d rows, %v; want %d", summary.Count, err, want)
		}
	}
	count(3)
	release, err := s.HoldScans(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []store.OrgKey{b, a} {
		id, err := source.New(ids.Transaction, created)
		if err != nil {
			t.Fatal(err)
		}
		row := ledger.Transaction{ID: id, Date: civil.New(2026, 11, 2), AmountKnown: true, AmountMinor: 7, Currency: "USD",
			Counterparty: "Harbour Office"}
		write(t, s, func(tx *store.Tx) error { return tx.InsertTransactions(of, []ledger.Transaction{row}) })
		count(map[store.OrgKey]int64{b: 3, a: 4}[of])
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
}

// A page never belongs to another revision of the ledger than its summary, also if another process
// has written since the summary was cached.
func TestAPageAndItsSummaryAreOfOneRevision(t *testing.T) {
	all, _ := openShared(t, 2)
	here, elsewhere, source := all[0], all[1], newIDs()
	org := seeded(t, here, source, "a")
	inflow := ledger.Inflow
	for n := range 3 {
		for _, f := range []ledger.Filter{{}, {From: civil.New(2026, 11, 2)}, {Direction: &inflow}} {
			for range 2 { // the second page is read with a cached summary
				page, summary, err := here.Listing(t.Context(), org, f, nil, 10)
				if err != nil || int64(len(page.Rows)) != summary.Count || page.Next != nil {
					t.Errorf("%+v: %d rows and a summary of %d, %v", f, len(page.Rows), summary.Count, err)
				}
			}
		}
		page, _, err := here.Listing(t.Context(), org, ledger.Filter{}, nil, 2)
		if err != nil || len(page.Rows) != 2 || page.Next == nil {
			t.Fatalf("%+v, %v", page, err)
		}
		rest, summary, err := here.Listing(t.Context(), org, ledger.Filter{}, page.Next, 10)
		if err != nil || len(rest.Rows) != 1+n || summary.Count != int64(3+n) || rest.Revision != page.Revision {
			t.Errorf("after the second row: %+v of %d, %v", rest, summary.Count, err)
		}
		id, err := source.New(ids.Transaction, created)
		if err != nil {
			t.Fatal(err)
		}
		row := ledger.Transaction{ID: id, Date: civil.New(2026, 11, 2), AmountKnown: true, AmountMinor: 7, Currency: "USD",
			Counterparty: "Harbour Office"}
		write(t, elsewhere, func(tx *store.Tx) error { return tx.InsertTransactions(org, []ledger.Transaction{row}) })
	}
}

func TestAnOrganizationSearchesOneThingAtATime(t *testing.T) {
	s, source := open(t), newIDs()
	a, b := seeded(t, s, source, "a"), seeded(t, s, source, "b")
	done, err := s.LockSearch(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.LockSearch(gone, a); !errors.Is(err, context.Canceled) {
		t.Errorf("the second search = %v", err)
	}
	if _, _, err := s.Listing(gone, a, ledger.Filter{Keyword: "harbour"}, nil, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Listing = %v", err)
	}
	if _, summary, err := s.Listing(t.Context(), b, ledger.Filter{Keyword: "harbour"}, nil, 1); err != nil ||
		summary.Count != 3 {
		t.Errorf("another organization finds %+v, %v", summary, err)
	}
	done()
	if _, summary, err := s.Listing(t.Context(), a, ledger.Filter{Keyword: "harbour"}, nil, 1); err != nil ||
		summary.Count != 3 {
		t.Errorf("after its turn came it finds %+v, %v", summary, err)
	}
}

func TestOnlyDataThatCanBeMadeAgainDoesNotWaitForTheDisk(t *testing.T) {
	testdb.SQLiteOnly(t)
	for ephemeral, want := range map[bool]int{false: 2, true: 0} {
		s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "tarmac.db"), store.Options{Ephemeral: ephemeral})
		if err != nil {
			t.Fatal(err)
		}
		if level, err := s.Synchronous(t.Context()); err != nil || level != want {
			t.Errorf("ephemeral %v: synchronous %d, %v; want %d", ephemeral, level, err, want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
