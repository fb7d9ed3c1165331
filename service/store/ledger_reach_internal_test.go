package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/ids"
	"tarmac/service/ledger"
)

func organizationOf(t *testing.T, s *Store, rows []ledger.Transaction) (org OrgKey) {
	t.Helper()
	err := s.Write(context.Background(), func(tx *Tx) (err error) {
		if org, err = tx.CreateOrganization(Organization{PublicID: "org_a", Name: "a"}); err != nil {
			return err
		}
		return tx.InsertTransactions(org, rows)
	})
	if err != nil {
		t.Fatal(err)
	}
	return org
}

func rowOf(n int, counterparty string) ledger.Transaction {
	return ledger.Transaction{
		ID: fmt.Sprintf("%s%026d", ids.Transaction, n), Date: civil.New(2020, 1, 1+n/500), AmountKnown: true, AmountMinor: 1,
		Currency: "USD", Counterparty: counterparty,
	}
}

// For a word that was frequent long ago and occurs again now, a page does not read all the old
// rows.
func TestAPageAcrossAGapReadsNoMoreThanItHas(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the database alone")
	}
	testdb.SQLiteOnly(t)
	s := opened(t, testdb.New(t))
	const long = 8000
	rows := make([]ledger.Transaction, 2*long)
	for i := range rows {
		name := "another"
		if i < long || i == len(rows)-1 {
			name = "needle"
		}
		rows[i] = rowOf(i, name)
	}
	org := organizationOf(t, s, rows)
	page := func() {
		page, summary, err := s.Listing(context.Background(), org, ledger.Filter{Keyword: "needle"}, nil, 10)
		if err != nil || summary.Count != long+1 || len(page.Rows) != 10 || page.Rows[0].ID != rows[2*long-1].ID ||
			page.Rows[1].ID != rows[long-1].ID || page.Next == nil {
			t.Fatalf("%+v %+v %v", page, summary, err)
		}
	}
	page()
	// Each matching row that is read allocates once.
	if made := testing.AllocsPerRun(3, page); made > long/8 {
		t.Errorf("%v allocations for a page of ten", made)
	}
}

// Rows of one direction may be years apart. A search for them ends when the context of its
// request ends.
func TestLookingForRowsOfADirectionEndsWithItsRequest(t *testing.T) {
	testdb.SQLiteOnly(t)
	if testing.Short() {
		t.Skip("a million rows take long under the race detector")
	}
	s := opened(t, testdb.New(t))
	first, last := rowOf(0, "first"), rowOf(1, "last")
	last.Date = last.Date.AddDays(2)
	first.Direction, last.Direction = ledger.Inflow, ledger.Inflow
	org := organizationOf(t, s, []ledger.Transaction{first, last})
	_, err := s.db.Writer.ExecContext(context.Background(),
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
		INSERT INTO transaction_facts (id, facts) SELECT ? + i, 0 FROM n`, rowKey(org.ledger(0), dayOf(first.Date)+1, 0))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	inflow, after := ledger.Inflow, &ledger.Position{Date: last.Date, Seq: 1}
	if page, _, err := s.Listing(ctx, org, ledger.Filter{Direction: &inflow}, after, 100); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("a million rows were looked through for nobody: %d rows, %v", len(page.Rows), err)
	}
	if page, _, err := s.Listing(context.Background(), org, ledger.Filter{Direction: &inflow}, after, 100); err != nil ||
		len(page.Rows) != 1 {
		t.Errorf("afterwards: %d rows, %v", len(page.Rows), err)
	}
}
