package dbcopy

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/bookrules"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
	"tarmac/service/store"
	"tarmac/service/store/database"
)

func openDB(t testing.TB, name string) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), name, store.Schema(), database.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// A migration that adds a table must say in tables.go whether it is copied.
func TestEveryTableIsCopiedOrNotOnPurpose(t *testing.T) {
	db := openDB(t, testdb.New(t))
	defer db.Close()
	rows, err := db.Reader.QueryContext(t.Context(), db.Pick("SELECT name FROM sqlite_schema WHERE type = 'table'",
		"SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = current_schema()"))
	names, err := database.Collect(rows, err, "the tables", func(row database.Row) (name string, err error) {
		err = row.Scan(&name)
		return name, err
	})
	if err != nil {
		t.Fatal(err)
	}
	exist := map[string]bool{}
	for _, name := range names {
		exist[name] = true
	}
	for _, table := range tables {
		if !exist[table.name] || notCopied[table.name] != "" {
			t.Errorf("%s: exists %v, not copied because it is %q", table.name, exist[table.name], notCopied[table.name])
		}
		delete(exist, table.name)
	}
	for name := range exist {
		if notCopied[name] == "" {
			t.Errorf("%s is neither copied nor left out on purpose", name)
		}
	}
}

// newSource makes a file with an organization that has an invoice, with these notes, and two
// transactions.
func newSource(t testing.TB, notes string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "odd.db")
	s := store.New(openDB(t, path))
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		org, err := tx.CreateOrganization(store.Organization{PublicID: "org_odd", Name: "Odd", CreatedAt: now})
		if err != nil {
			return err
		}
		_, err = tx.InsertInvoice(org, invoicing.Invoice{
			ID: "inv_odd", Status: invoicing.Draft, Currency: "USD", Notes: notes, CreatedAt: now, UpdatedAt: now,
		})
		if err != nil {
			return err
		}
		rows := make([]ledger.Transaction, 2)
		for i := range rows {
			rows[i] = ledger.Transaction{
				ID: "txn_0123456789ABCDEFGHJKMNPQR" + string(rune('0'+i)), Date: civil.New(2026, 3, 1), AmountMinor: 1,
				AmountKnown: true,
				USDCents:    1, USDKnown: true, Currency: "USD", Counterparty: "Bürgel & Sons", Direction: ledger.Direction(i),
			}
		}
		return tx.InsertTransactions(org, rows)
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// exec runs a statement on a database.
func exec(t testing.TB, name, statement string) {
	t.Helper()
	db := openDB(t, name)
	_, err := db.Writer.ExecContext(t.Context(), statement)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func copyOrganization(t testing.TB, from, to string) (Result, error) {
	t.Helper()
	c, err := Open(context.Background(), from, to, ServerKeys{})
	if err != nil {
		t.Fatal(err)
	}
	done, err := c.Copy(context.Background(), "org_odd", nil)
	return done, errors.Join(err, c.Close())
}

func TestTextThatPostgreSQLCannotHoldIsNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the databases alone")
	}
	for what, notes := range map[string]string{"a zero character": "a\x00b", "no UTF-8": "a\xffb"} {
		path, to := newSource(t, notes), testdb.New(t)
		done, err := copyOrganization(t, path, to)
		if !testdb.Postgres() {
			if err != nil || done.Rows["invoices"] != 1 {
				t.Errorf("%s, which SQLite holds: %v, %v", what, done, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(),
			"the notes of inv_odd has a zero character or bytes that are no UTF-8, which PostgreSQL cannot hold") {
			t.Errorf("%s: %v", what, err)
		}
		nothingIn(t, to)
	}
}

// Daily sums that differ from the source's transactions are reported, and the organization is
// not copied.
func TestACopyIsComparedWithTheSumsOfDays(t *testing.T) {
	path, to := newSource(t, ""), testdb.New(t)
	exec(t, path, "UPDATE ledger_daily SET usd_cents = usd_cents + 1 WHERE direction = 1")
	if _, err := copyOrganization(t, path, to); err == nil ||
		!strings.Contains(err.Error(), "do not add up to the sums that are kept of their days") {
		t.Errorf("%v", err)
	}
	nothingIn(t, to)
}

// The ids of records are unique in a database, across organizations.
func TestACopyWhoseIdsAreTakenIsRefused(t *testing.T) {
	path, to := newSource(t, ""), testdb.New(t)
	if _, err := copyOrganization(t, path, to); err != nil {
		t.Fatal(err)
	}
	exec(t, to, "UPDATE organizations SET public_id = 'org_other'")
	if _, err := copyOrganization(t, path, to); err == nil ||
		!strings.Contains(err.Error(), "an id of its transactions is another organization's there") {
		t.Errorf("%v", err)
	}
	s := store.New(openDB(t, to))
	defer s.Close()
	if orgs, err := s.Organizations(t.Context()); err != nil || len(orgs) != 1 {
		t.Errorf("%d organizations, %v", len(orgs), err)
	}
}

// A large import writes the ledger of an organization anew beside the one that counts.
func TestTheLedgerThatCountsIsCopied(t *testing.T) {
	path, to := newSource(t, ""), testdb.New(t)
	s := store.New(openDB(t, path))
	_, org, err := s.Organization(t.Context(), "org_odd")
	if err != nil {
		t.Fatal(err)
	}
	err = s.StageBooks(t.Context(), org, func(g *store.BookStage) error {
		err := g.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.InsertBookImport(org, bookrules.Import{ID: "imp_1"})
			return err
		})
		all := []store.SidePart{{}}
		return errors.Join(err, g.WriteSide(t.Context(), all),
			g.Publish(t.Context(), true, func(*store.Tx) error { return nil }))
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}

	done, err := copyOrganization(t, path, to)

	if err != nil || done.Rows["transactions"] != 2 || done.Inflow != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	copied := store.New(openDB(t, to))
	defer copied.Close()
	_, org, err = copied.Organization(t.Context(), "org_odd")
	if err != nil {
		t.Fatal(err)
	}
	page, summary, err := copied.Listing(t.Context(), org, ledger.Filter{Keyword: "sons"}, nil, 10)
	if err != nil || len(page.Rows) != 2 || summary.Count != 2 {
		t.Fatalf("%+v, %+v, %v", page, summary, err)
	}
	err = copied.Read(t.Context(), func(snap *store.Snapshot) error {
		_, err := snap.Transaction(org, page.Rows[0].ID)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestBooksAreNotCopiedDuringAnImport(t *testing.T) {
	path, to := newSource(t, ""), testdb.New(t)
	exec(t, path, "UPDATE organizations SET books_stage = 1")

	_, err := copyOrganization(t, path, to)

	if err == nil || !strings.Contains(err.Error(), "an import into its books has not ended") {
		t.Errorf("the copy ended with %v", err)
	}
	nothingIn(t, to)
}

// nothingIn checks that a database has no records.
func nothingIn(t testing.TB, name string) {
	t.Helper()
	db := openDB(t, name)
	defer db.Close()
	for _, name := range append(tableNames(), "organizations") {
		var n int
		if err := db.Reader.QueryRowContext(t.Context(), "SELECT count(*) FROM "+name).Scan(&n); err != nil || n > 0 {
			t.Errorf("%d rows in %s, %v", n, name, err)
		}
	}
}

// A process that was killed stays in the server's list for a moment.
func TestACopyWaitsForAProcessThatHasJustEnded(t *testing.T) {
	if !testdb.Postgres() {
		t.Skip("this is of PostgreSQL alone")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	from := testdb.New(t)
	other := openDB(t, from)
	began := make(chan error, 1)
	go func() {
		c, err := Open(ctx, from, filepath.Join(t.TempDir(), "to.db"), ServerKeys{})
		if err == nil {
			err = c.Close()
		}
		began <- err
	}()
	for looked := false; !looked; {
		err := other.Writer.QueryRowContext(ctx,
			`SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
			AND application_name = 'tarmac copy' AND state = 'idle in transaction'
				AND query LIKE '%application_name = ''tarmac''')`).Scan(&looked)
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

// TestOnPostgreSQL runs this package's tests again on PostgreSQL.
func TestOnPostgreSQL(t *testing.T) {
	testdb.RunOnPostgres(t, ".", func(name string) {
		if err := openDB(t, name).Close(); err != nil {
			t.Fatal(err)
		}
	})
}
