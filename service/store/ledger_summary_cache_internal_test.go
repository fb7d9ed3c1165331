package store

import (
	"context"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/ledger"
)

// A standby that takes over may lack the last commits. When the connections to the old server
// break, cached summaries that may include those commits are forgotten.
func TestTotalsOfLostCommitsAreForgotten(t *testing.T) {
	if !testdb.Postgres() {
		t.Skip("this is of PostgreSQL alone")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	s := opened(t, testdb.New(t))
	s.history.minTracked = 0
	s.Queued() // starts listening for notifications
	do := func(statement string, args ...any) {
		t.Helper()
		if _, err := s.db.Writer.ExecContext(ctx, statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	org := organizationOf(t, s, []ledger.Transaction{rowOf(0, "one")})
	add := func(n int, name string, cents int64) {
		t.Helper()
		row := rowOf(n, name)
		row.USDKnown, row.USDCents = true, cents
		if err := s.Write(ctx, func(tx *Tx) error {
			return tx.InsertTransactions(org, []ledger.Transaction{row})
		}); err != nil {
			t.Fatal(err)
		}
	}
	out := func() int64 {
		t.Helper()
		_, summary, err := s.Listing(ctx, org, ledger.Filter{Keyword: "needle"}, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		return summary.Outflow
	}
	var was int64
	if err := s.db.Writer.QueryRowContext(ctx, "SELECT ledger_revision FROM organizations").Scan(&was); err != nil {
		t.Fatal(err)
	}
	add(1, "needle that is lost", 10)
	if got := out(); got != 10 {
		t.Fatal(got)
	}
	do("DELETE FROM transactions WHERE counterparty = 'needle that is lost'")
	do("UPDATE ledger_daily SET n = 1, usd_cents = 0")
	// This is later than any cached revision, because increments are random.
	do("UPDATE organizations SET ledger_revision = $1", was+1<<40)
	add(2, "needle in its place", 1000)
	for out() != 1000 {
		do("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE " +
			"'LISTEN%'")
	}
}
