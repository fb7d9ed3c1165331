package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

var created = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func open(t testing.TB) *store.Store {
	t.Helper()
	database := testdb.New(t)
	if !testdb.Postgres() {
		database = filepath.Join(t.TempDir(), "a b%20c?.db")
	}
	s, err := store.Open(context.Background(), database, store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func write(t testing.TB, s *store.Store, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Write(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

func organization(t testing.TB, s *store.Store, name string) store.OrgKey {
	t.Helper()
	var org store.OrgKey
	write(t, s, func(tx *store.Tx) (err error) {
		org, err = tx.CreateOrganization(store.Organization{PublicID: "org_" + name, Name: name, CreatedAt: created})
		return err
	})
	return org
}

func newIDs() *ids.Source { return ids.NewSource(rand.NewChaCha8([32]byte{1})) }

func TestOpenKeepsTheFilePrivate(t *testing.T) {
	testdb.SQLiteOnly(t)
	if runtime.GOOS == "windows" {
		t.Skip("files have no mode bits here")
	}
	path := filepath.Join(t.TempDir(), "tarmac.db")
	s, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	organization(t, s, "a")
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, info.Mode().Perm())
		}
	}
}

func TestOpenRefusesANewerSchema(t *testing.T) {
	testdb.SQLiteOnly(t)
	path := filepath.Join(t.TempDir(), "tarmac.db")
	s, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = store.Open(context.Background(), path, store.Options{})
	if err == nil || !strings.Contains(err.Error(), "use a newer version of tarmac") {
		t.Errorf("Open = %v", err)
	}
}

func TestWriteKeepsAllOrNothing(t *testing.T) {
	s := open(t)
	failure := errors.New("no")
	err := s.Write(context.Background(), func(tx *store.Tx) error {
		if _, err := tx.CreateOrganization(store.Organization{PublicID: "org_1", Name: "one"}); err != nil {
			return err
		}
		return failure
	})
	if !errors.Is(err, failure) {
		t.Fatalf("Write = %v", err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = s.Write(context.Background(), func(tx *store.Tx) error {
			if _, err := tx.CreateOrganization(store.Organization{PublicID: "org_2", Name: "two"}); err != nil {
				return err
			}
			panic("in the middle")
		})
	}()
	if all, err := s.Organizations(context.Background()); err != nil || len(all) != 0 {
		t.Errorf("Organizations = %v, %v; want none", all, err)
	}
	organization(t, s, "three") // the writer is free again
}

var benchNames = [...]string{"Cumulus Compute", "Ledgerline Payroll", "Northwind Rail", "Brightside Catering",
	"Łukasz Nowak", "Harbour Freight Office", "Metro Cabs", "株式会社みどり"}

func benchRow(tb testing.TB, source *ids.Source, random *rand.Rand, date civil.Date) ledger.Transaction {
	id, err := source.New(ids.Transaction, date.Time())
	if err != nil {
		tb.Fatal(err)
	}
	n := random.IntN(1 << 20)
	return ledger.Transaction{
		ID: id, Date: date, Direction: ledger.Direction(n & 1), Source: ledger.Source(n >> 1 & 1),
		AmountMinor: int64(n), AmountKnown: true, USDCents: int64(n), USDKnown: true, Currency: "USD",
		Counterparty: benchNames[n%len(benchNames)], Memo: fmt.Sprintf("card payment %d", n), Method: "card",
		Reference: fmt.Sprintf("ref-%06d", n), Category: "travel",
	}
}

// Several processes may open a new database at the same time.
func TestOpenAtTheSameTime(t *testing.T) {
	path := testdb.New(t)
	failed := make(chan error, 6)
	for range cap(failed) {
		go func() {
			s, err := store.Open(context.Background(), path, store.Options{})
			if err == nil {
				err = errors.Join(s.Ready(context.Background()), s.Close())
			}
			failed <- err
		}()
	}
	for range cap(failed) {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
}

func TestOpenWaitsForTheProcessThatCreatesTheFile(t *testing.T) {
	testdb.SQLiteOnly(t)
	path := testdb.New(t)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	creator, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = creator.Close() }()
	creator.SetMaxOpenConns(1)
	if _, err := creator.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}

	opened := make(chan error, 1)
	go func() {
		s, err := store.Open(context.Background(), path, store.Options{})
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()

	select {
	case err := <-opened:
		t.Fatalf("Open returned %v while another process was writing", err)
	case <-time.After(100 * time.Millisecond):
	}
	if _, err := creator.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

func TestOpenTellsWhatIsWrongWithTheFile(t *testing.T) {
	testdb.SQLiteOnly(t)
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("this is not a database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, dir, filepath.Join(dir, "none", "tarmac.db")} {
		_, err := store.Open(context.Background(), path, store.Options{})
		if err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Open(%s) = %v", path, err)
		}
	}
}

func TestALargeLedgerIsErasedInParts(t *testing.T) {
	s := open(t)
	org, other := organization(t, s, "large"), organization(t, s, "other")
	const rows = 10_001
	for _, one := range []struct {
		org  store.OrgKey
		rows int
	}{{org, rows}, {other, 3}} {
		all := make([]ledger.Transaction, one.rows)
		for i := range all {
			all[i] = ledger.Transaction{
				ID: fmt.Sprintf("txn_%02d%024d", one.org, i), Date: civil.New(2026, 3, 1), AmountMinor: 1, AmountKnown: true,
				USDCents: 1, USDKnown: true, Currency: "USD", Counterparty: "Vendor",
			}
		}
		write(t, s, func(tx *store.Tx) error { return tx.InsertTransactions(one.org, all) })
	}

	deleted, err := s.Erase(t.Context(), org)

	if err != nil || deleted != rows {
		t.Errorf("%d rows are deleted, %v", deleted, err)
	}
	for org, want := range map[store.OrgKey]int64{org: 0, other: 3} {
		err := s.Read(t.Context(), func(snap *store.Snapshot) error {
			summary, err := snap.Summary(org, ledger.Filter{})
			if err == nil && summary.Count != want {
				err = fmt.Errorf("the organization has %d transactions, want %d", summary.Count, want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
