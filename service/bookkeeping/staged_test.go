//go:build unix

package bookkeeping_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // reads all rows of a copied database

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/bookkeeping"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// newSQLiteBooks returns the empty books of a new organization in a database file. The function
// committed is called after each write transaction; it may be nil.
func newSQLiteBooks(t *testing.T, committed func(changes int64)) (b *bookkeeping.Books, path string) {
	t.Helper()
	if testing.Short() || testdb.Postgres() {
		t.Skip("on PostgreSQL an import is one transaction")
	}
	path = filepath.Join(t.TempDir(), "books.db")
	b = openBooks(t, path, committed)
	err := b.Store.Write(t.Context(), func(tx *store.Tx) (err error) {
		b.Org, err = tx.CreateOrganization(store.Organization{PublicID: "org_a", Name: "Harbour Works", CreatedAt: now})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b, path
}

// openBooks opens the books of the first organization in a database file, as another process does.
func openBooks(t *testing.T, path string, committed func(changes int64)) *bookkeeping.Books {
	t.Helper()
	s, err := store.Open(t.Context(), path, store.Options{Ephemeral: true, Committed: committed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &bookkeeping.Books{
		Store: s, Org: 1, IDs: ids.NewSource(rand.Reader), Now: func() time.Time { return now },
	}
}

// hooked is a file that calls a function when it is read to its end.
type hooked struct {
	io.ReadSeeker
	atEnd func()
}

func (h *hooked) Read(p []byte) (int, error) {
	n, err := h.ReadSeeker.Read(p)
	if errors.Is(err, io.EOF) {
		h.atEnd()
	}
	return n, err
}

// hookedSource returns a file that calls atEnd once, when its lines are read.
func hookedSource(name, content string, atEnd func()) bookkeeping.Source {
	ends := 0
	return bookkeeping.Source{Name: "/downloads/" + name, Content: &hooked{strings.NewReader(content), func() {
		if ends++; ends == 2 { // before that, the whole file is hashed
			atEnd()
		}
	}}}
}

func TestAnotherOrganizationWritesWhileAFileIsRead(t *testing.T) {
	b, path := newSQLiteBooks(t, nil)
	neighbour := openBooks(t, path, nil)
	var failed error

	take(t, b, hookedSource("a.qfx", year(5000).ofx(), func() {
		failed = neighbour.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.CreateOrganization(store.Organization{PublicID: "org_b", Name: "Neighbour", CreatedAt: now})
			return err
		})
	}))

	if failed != nil {
		t.Error(failed)
	}
}

// pictureOf describes the books as readers see them.
func pictureOf(t *testing.T, b *bookkeeping.Books) string {
	t.Helper()
	var text strings.Builder
	accounts, imports, err := b.Overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range accounts {
		fmt.Fprintf(&text, "%s %d lines %v\n", a.Number, a.Lines, a.Covered)
	}
	for _, i := range imports {
		fmt.Fprintf(&text, "%d new in %v\n", i.New, i.Files)
	}
	_, summary, err := b.Store.Listing(t.Context(), b.Org, ledger.Filter{}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, found, err := b.Store.Listing(t.Context(), b.Org, ledger.Filter{Keyword: "store"}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&text, "%+v %+v %s\n", summary, found, reportedPicture(t, b))
	rules, err := b.Rules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&text, rules.Text, rules.Rules)
	for _, row := range ledgerOf(t, b) {
		fmt.Fprintln(&text, row)
	}
	return text.String()
}

// copyDatabase copies a database file and its log, as a kill leaves them.
func copyDatabase(t *testing.T, path string) string {
	to := filepath.Join(t.TempDir(), "copied.db")
	for _, ending := range []string{"", "-wal"} {
		content, err := os.ReadFile(path + ending)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+ending, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// checkNothingLeft checks that all rows of the books and of the ledger count.
func checkNothingLeft(t *testing.T, b *bookkeeping.Books, path string) {
	t.Helper()
	if err := b.Store.CleanAllBooks(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, summary, err := b.Store.Listing(t.Context(), b.Org, ledger.Filter{}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, found, err := b.Store.Listing(t.Context(), b.Org, ledger.Filter{Keyword: "store"}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int64{
		"SELECT count(*) FROM transactions":                                                          summary.Count,
		"SELECT count(*) FROM transaction_facts":                                                     summary.Count,
		"SELECT count(*) FROM transaction_search WHERE transaction_search MATCH 'store'":             found.Count,
		"SELECT coalesce(sum(n), 0) FROM ledger_daily":                                               summary.Count,
		"SELECT count(*) FROM book_files WHERE staged <> 0":                                          0,
		"SELECT count(*) FROM book_imports WHERE staged <> 0":                                        0,
		"SELECT count(*) FROM book_accounts WHERE staged <> 0":                                       0,
		"SELECT count(*) FROM organizations WHERE books_stage <> 0":                                  0,
		"SELECT count(*) FROM pragma_foreign_key_check":                                              0,
		"SELECT count(*) FROM book_lines WHERE statement_id NOT IN (SELECT id FROM book_statements)": 0,
	} {
		var n int64
		if err := db.QueryRow(query).Scan(&n); err != nil || n != want {
			t.Errorf("%s: %d, %v; want %d", query, n, err, want)
		}
	}
}

// A change of the books by another process waits for an import, and is not lost.
func TestAChangeOfTheBooksWaitsForAnImport(t *testing.T) {
	b, path := newSQLiteBooks(t, nil)
	other := openBooks(t, path, nil)
	take(t, b, source("a.qfx", september.ofx()))
	changed := make(chan error, 1)
	october := october(func(*statement) {})

	take(t, b, hookedSource("b.qfx", october.ofx(), func() {
		soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := other.SetRole(soon, "6789", "savings"); !errors.Is(err, store.ErrBusy) {
			t.Errorf("the role is set during an import, %v", err)
		}
		if got := ledgerOf(t, other); !slices.Equal(got, septemberRows) {
			t.Errorf("during the import, the ledger has %q", got)
		}
		go func() {
			_, err := other.EditRules(context.WithoutCancel(t.Context()), func(string) string {
				return "[[rule]]\nmatch = \"Customer\"\ncounterparty = \"Renamed\"\ncategory = \"sales\"\n"
			})
			changed <- err
		}()
	}))

	if err := <-changed; err != nil {
		t.Fatal(err)
	}
	checkLedger(t, b, septemberRows[0], "2026-09-15 +120000 Renamed", "2026-10-02 -50000 Landlord",
		"2026-10-05 -410 Cafe")
	checkDerivedAnew(t, b)
}

// An invoice that is voided while the books are derived is not paid.
func TestInvoicesThatChangeDuringAnImportAreSeen(t *testing.T) {
	for _, atOnce := range []int{0, -1} {
		b := newBooks(t)
		b.SetAtOnce(atOnce)
		id, times := bill(t, b), 0
		b.OnDerived(func() {
			if times++; times > 1 {
				return
			}
			err := b.Store.Write(t.Context(), func(tx *store.Tx) error {
				inv, err := tx.Invoice(b.Org, id)
				if err != nil {
					return err
				}
				inv.Status, inv.VoidedAt = invoicing.Voided, &now
				return tx.UpdateInvoice(b.Org, inv)
			})
			if err != nil {
				t.Fatal(err)
			}
		})

		report := take(t, b, source("a.qfx", september.ofx()))

		if !testdb.Postgres() && (times != 2 || len(report.PaidInvoices) != 0) {
			t.Errorf("the books were derived %d times, %v is paid", times, report.PaidInvoices)
		}
		if s := report.Files[0].Statements; len(s) != 1 || s[0].New != 2 {
			t.Errorf("the statements are %+v", s)
		}
		if !testdb.Postgres() {
			checkInvoice(t, b, id, invoicing.Voided, 0, 0)
		}
		checkLedger(t, b, septemberRows...)
	}
}

func TestAnImportThatIsNotMadeLeavesNothing(t *testing.T) {
	whole, damaged := year(2000).ofx(), year(4000).ofx()
	damaged = damaged[:len(damaged)/2]
	for name, run := range map[string]struct {
		files   []bookkeeping.Source
		options bookkeeping.Options
	}{
		"a preview":      {[]bookkeeping.Source{source("a.qfx", whole)}, bookkeeping.Options{Preview: true}},
		"a damaged file": {[]bookkeeping.Source{source("a.qfx", whole), source("b.qfx", damaged)}, bookkeeping.Options{}},
		"no statement":   {[]bookkeeping.Source{source("a.pdf", "%PDF-1.7\n")}, bookkeeping.Options{}},
		"unknown account": {[]bookkeeping.Source{source("a.qfx", whole)}, bookkeeping.Options{
			Balances: []bookkeeping.StatedBalance{{Account: "9999", Text: "1@2025-12-31"}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b, path := newSQLiteBooks(t, nil)
			take(t, b, source("c.qfx", september.ofx()))

			report, err := b.Import(t.Context(), run.files, run.options)

			if err == nil && report.Import != "" {
				t.Errorf("the import was made: %+v", report)
			}
			checkNothingLeft(t, b, path)
			checkLedger(t, b, septemberRows...)
			checkDerivedAnew(t, b)
		})
	}
}

func TestACanceledImportLeavesNothing(t *testing.T) {
	b, path := newSQLiteBooks(t, nil)
	ctx, cancel := context.WithCancel(t.Context())

	_, err := b.Import(ctx, []bookkeeping.Source{hookedSource("a.qfx", year(5000).ofx(), cancel)}, bookkeeping.Options{})

	if !errors.Is(err, context.Canceled) {
		t.Errorf("the import ended with %v", err)
	}
	checkNothingLeft(t, b, path)
	if left := ledgerOf(t, b); len(left) > 0 {
		t.Errorf("%d transactions are left", len(left))
	}
}
