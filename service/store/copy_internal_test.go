package store

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
)

func opening(t testing.TB, database string) *Store {
	t.Helper()
	s, err := Open(t.Context(), database, Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A migration that adds a table has to say here whether it is copied.
func TestEveryTableIsCopiedOrLeftBehindOnPurpose(t *testing.T) {
	s := opening(t, testdb.New(t))
	defer s.Close()
	rows, err := s.reader.QueryContext(t.Context(), s.pick("SELECT name FROM sqlite_schema WHERE type = 'table'",
		"SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = current_schema()"))
	names, err := collect(rows, err, "the tables", func(row rowScanner) (name string, err error) {
		err = row.Scan(&name)
		return name, err
	})
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, name := range names {
		there[name] = true
	}
	for _, table := range copied {
		if !there[table.name] || leftBehind[table.name] != "" {
			t.Errorf("%s: there %v, left behind because it is %q", table.name, there[table.name], leftBehind[table.name])
		}
		delete(there, table.name)
	}
	for name := range there {
		if leftBehind[name] == "" {
			t.Errorf("%s is neither copied nor left behind on purpose", name)
		}
	}
}

// odd makes a file with an organization that has an invoice and two transactions.
func odd(t testing.TB, notes string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "odd.db")
	s := opening(t, path)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	err := s.Write(t.Context(), func(tx *Tx) error {
		org, err := tx.CreateOrganization(Organization{PublicID: "org_odd", Name: "Odd", CreatedAt: now})
		if err != nil {
			return err
		}
		_, err = tx.InsertInvoice(org, invoicing.Invoice{ID: "inv_odd", Status: invoicing.Draft, Currency: "USD", Notes: notes, CreatedAt: now, UpdatedAt: now})
		if err != nil {
			return err
		}
		rows := make([]ledger.Transaction, 2)
		for i := range rows {
			rows[i] = ledger.Transaction{
				ID: "txn_0123456789ABCDEFGHJKMNPQR" + string(rune('0'+i)), Date: civil.New(2026, 3, 1), AmountMinor: 1, AmountKnown: true,
				USDCents: 1, USDKnown: true, Currency: "USD", Counterparty: "Bürgel & Sons", Direction: ledger.Direction(i),
			}
		}
		return tx.InsertTransactions(org, rows)
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func tried(t testing.TB, from, to string) (Copied, error) {
	t.Helper()
	c, err := BeginCopy(context.Background(), from, to, Carried{})
	if err != nil {
		t.Fatal(err)
	}
	done, err := c.Copy(context.Background(), "org_odd", nil)
	return done, errors.Join(err, c.Close())
}

func TestTextThatPostgreSQLCannotHoldIsNamed(t *testing.T) {
	for what, notes := range map[string]string{"a zero character": "a\x00b", "no UTF-8": "a\xffb"} {
		path, to := odd(t, notes), testdb.New(t)
		done, err := tried(t, path, to)
		if !testdb.Postgres() {
			if err != nil || done.Rows["invoices"] != 1 {
				t.Errorf("%s, which SQLite holds: %v, %v", what, done, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "the notes of inv_odd has a zero character or bytes that are no UTF-8, which PostgreSQL cannot hold") {
			t.Errorf("%s: %v", what, err)
		}
		nothingIn(t, to)
	}
}

// Sums that do not agree where they come from are told and not carried on.
func TestACopyIsHeldAgainstTheSumsOfDays(t *testing.T) {
	path, to := odd(t, ""), testdb.New(t)
	s := opening(t, path)
	_, err := s.writer.ExecContext(t.Context(), "UPDATE ledger_daily SET usd_cents = usd_cents + 1 WHERE direction = 1")
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := tried(t, path, to); err == nil || !strings.Contains(err.Error(), "do not add up to the sums that are kept of their days") {
		t.Errorf("%v", err)
	}
	nothingIn(t, to)
}

// Ids of records are unique in a database, whatever organization has them.
func TestACopyWhoseIdsAreTakenIsRefused(t *testing.T) {
	path, to := odd(t, ""), testdb.New(t)
	if _, err := tried(t, path, to); err != nil {
		t.Fatal(err)
	}
	s := opening(t, to)
	_, err := s.writer.ExecContext(t.Context(), "UPDATE organizations SET public_id = 'org_other'")
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := tried(t, path, to); err == nil || !strings.Contains(err.Error(), "an id of its transactions is another organization's there") {
		t.Errorf("%v", err)
	}
	s = opening(t, to)
	defer s.Close()
	if orgs, err := s.Organizations(t.Context()); err != nil || len(orgs) != 1 {
		t.Errorf("%d organizations, %v", len(orgs), err)
	}
}

func nothingIn(t testing.TB, database string) {
	t.Helper()
	s := opening(t, database)
	defer s.Close()
	for _, name := range append(copiedNames(), "organizations") {
		var n int
		if err := s.reader.QueryRowContext(t.Context(), "SELECT count(*) FROM "+name).Scan(&n); err != nil || n > 0 {
			t.Errorf("%d rows in %s, %v", n, name, err)
		}
	}
}

// A process that was killed is in the server's list for a moment longer.
func TestACopyWaitsForWhoHasJustLeft(t *testing.T) {
	if !testdb.Postgres() {
		t.Skip("this is of PostgreSQL alone")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	from := testdb.New(t)
	other := opening(t, from)
	began := make(chan error, 1)
	go func() {
		c, err := BeginCopy(ctx, from, filepath.Join(t.TempDir(), "to.db"), Carried{})
		if err == nil {
			err = c.Close()
		}
		began <- err
	}()
	for looked := false; !looked; {
		err := other.writer.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
			AND application_name = $1 AND state = 'idle in transaction' AND query LIKE '%application_name = ''tarmac''')`, copier).Scan(&looked)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-began; err != nil {
		t.Error(err)
	}
}
