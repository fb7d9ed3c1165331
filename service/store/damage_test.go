package store_test

import (
	"bytes"
	entropy "crypto/rand"
	"database/sql"
	"errors"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// kept makes a database with some records at path and closes it. If log is set, a write-ahead
// log is left beside it, as after a killed process.
func kept(t testing.TB, path string, log bool) {
	t.Helper()
	s, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	org := organization(t, s, "a")
	fill(t, s, org, 3000)
	files := map[string][]byte{}
	if log {
		for _, name := range []string{path, path + "-wal"} {
			if files[name], err = os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func patch(t testing.TB, path string, offset int64, content []byte) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteAt(content, offset)
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

func cut(t testing.TB, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

func move(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// A damaged file is reported in one line, with its name and what to do, and is not changed.
func TestDamageIsToldAndLeftAlone(t *testing.T) {
	testdb.SQLiteOnly(t)
	if testing.Short() {
		t.Skip("takes long under the race detector, and has no goroutines for it")
	}
	noise := bytes.Repeat([]byte{0xa5}, 4096)
	for _, c := range []struct {
		name   string
		log    bool
		damage func(t testing.TB, path string)
		want   string
	}{
		{"a text file", false, func(t testing.TB, path string) {
			if err := os.WriteFile(path, bytes.Repeat([]byte("no database\n"), 500), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "another kind of file"},
		{"a file as short as a key", false, func(t testing.TB, path string) {
			if err := os.WriteFile(path, []byte(strings.Repeat("0", 64)+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "another kind of file"},
		{"the first bytes overwritten", false, func(t testing.TB, path string) {
			patch(t, path, 0, noise[:16])
		}, "another kind of file"},
		{"the format's version overwritten", false, func(t testing.TB, path string) {
			patch(t, path, 18, noise[:2])
		}, "another kind of file"},
		{"the first page overwritten", false, func(t testing.TB, path string) {
			patch(t, path, 100, noise[:3900])
		}, "restore a backup"},
		{"cut after the header", false, func(t testing.TB, path string) { cut(t, path, 100) }, "restore a backup"},
		{"cut after two pages", false, func(t testing.TB, path string) { cut(t, path, 8192) }, "restore a backup"},
		{"cut in the middle", false, func(t testing.TB, path string) { cut(t, path, 200_000) }, "restore a backup"},
		{"emptied, with its log", true, func(t testing.TB, path string) { cut(t, path, 0) }, "restore a backup"},
		{"the log of another", true, func(t testing.TB, path string) {
			other := filepath.Join(t.TempDir(), "copy.db")
			s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "other.db"), store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Backup(t.Context(), other)
			if err = errors.Join(err, s.Close()); err != nil {
				t.Fatal(err)
			}
			move(t, other, path)
		}, "move the log away"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tarmac.db")
			kept(t, path, c.log)
			c.damage(t, path)
			before := contents(t, path)
			s, err := store.Open(t.Context(), path, store.Options{})
			if err == nil {
				t.Fatal("it was opened", s.Close())
			}
			if got := err.Error(); !strings.Contains(got, path) || !strings.Contains(got, c.want) ||
				strings.Contains(got, "\n") {
				t.Errorf("Open = %v", err)
			}
			if after := contents(t, path); after != before {
				t.Errorf("the files changed from %d to %d bytes", len(before), len(after))
			}
		})
	}
}

// contents returns a database's file and its log.
func contents(t testing.TB, path string) (all string) {
	t.Helper()
	for _, name := range []string{path, path + "-wal"} {
		b, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		all += string(b)
	}
	return all
}

// Damage in later pages is found when they are read, and by a backup, which then leaves no file.
func TestDamageFurtherInKeepsBackupsFromBeingMade(t *testing.T) {
	testdb.SQLiteOnly(t)
	path := filepath.Join(t.TempDir(), "tarmac.db")
	kept(t, path, false)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	patch(t, path, info.Size()/2/4096*4096, bytes.Repeat([]byte{0xa5}, 20*4096))
	s, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir := t.TempDir()
	_, err = s.Backup(t.Context(), filepath.Join(dir, "copy.db"))
	if err == nil || !strings.Contains(err.Error(), "it is damaged: stop all that uses it") ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("Backup = %v", err)
	}
	if got := only(t, dir); got != "" {
		t.Errorf("there is %s", got)
	}
}

// A log with invalid content is ignored: the records that were copied into the file before are
// there.
func TestALogOfGarbageIsAsNone(t *testing.T) {
	testdb.SQLiteOnly(t)
	path := filepath.Join(t.TempDir(), "tarmac.db")
	kept(t, path, false)
	if err := os.WriteFile(path+"-wal", bytes.Repeat([]byte("garbage "), 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if all, err := s.Organizations(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("Organizations = %v, %v", all, err)
	}
	organization(t, s, "b")
}

func TestWhatCannotBeWrittenIsToldAtOpening(t *testing.T) {
	testdb.SQLiteOnly(t)
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("modes keep nobody from writing here")
	}
	for _, c := range []struct {
		name      string
		dir, file os.FileMode
	}{{"the file", 0o700, 0o400}, {"the directory", 0o500, 0o600}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "tarmac.db")
			kept(t, path, false)
			if err := errors.Join(os.Chmod(path, c.file), os.Chmod(dir, c.dir)); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = os.Chmod(dir, 0o700) }()
			_, err := store.Open(t.Context(), path, store.Options{})
			if err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Open = %v", err)
			}
		})
	}
}

// On a full disk reads succeed. Writes fail as a whole, and the error says what to do. They
// succeed again when there is room.
func TestAFullDatabaseReadsAndWritesAgain(t *testing.T) {
	testdb.SQLiteOnly(t)
	s := open(t)
	org := organization(t, s, "a")
	release, err := s.NoRoom(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.InsertTransactions(org, rows(t, 2000)) })
		if err == nil || errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), "make room on its disk") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("Write = %v", err)
		}
	}
	// A function that ignores the error must not write outside of the transaction.
	err = s.Write(t.Context(), func(tx *store.Tx) error {
		_ = tx.InsertTransactions(org, rows(t, 2000))
		_, _ = tx.CreateOrganization(store.Organization{PublicID: "org_b", Name: "b", CreatedAt: created})
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "make room on its disk") {
		t.Errorf("Write = %v", err)
	}
	if all, err := s.Organizations(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("Organizations = %v, %v", all, err)
	}
	if n := counted(t, s, org); n != 0 {
		t.Errorf("%d rows were kept", n)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	fill(t, s, org, 2000)
	if n := counted(t, s, org); n != 2000 {
		t.Errorf("%d rows", n)
	}
}

// A write waits for another process's lock and then fails with ErrBusy.
func TestALockedDatabaseIsBusyAndComesBack(t *testing.T) {
	testdb.SQLiteOnly(t)
	if testing.Short() {
		t.Skip("waits twice as long as a write waits for a lock")
	}
	path := filepath.Join(t.TempDir(), "tarmac.db")
	s, err := store.Open(t.Context(), path, store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	other, err := sql.Open("sqlite",
		(&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "_txlock=exclusive"}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock, err := other.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	begun := false
	err = s.Write(t.Context(), func(*store.Tx) error { begun = true; return nil })
	if !errors.Is(err, store.ErrBusy) || begun ||
		!strings.Contains(err.Error(), "another process has been writing to it for 5s") {
		t.Errorf("Write = %v, begun: %v", err, begun)
	}
	if err := s.Ready(t.Context()); err != nil {
		t.Errorf("reading meanwhile: %v", err)
	}
	if _, err := s.ServerKey(t.Context(), "k", strings.NewReader(strings.Repeat("k", 32))); !errors.Is(err,
		store.ErrBusy) {
		t.Errorf("ServerKey = %v", err)
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	organization(t, s, "a")
}

func fill(t testing.TB, s *store.Store, org store.OrgKey, n int) {
	t.Helper()
	write(t, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, rows(t, n)) })
}

func rows(t testing.TB, n int) []ledger.Transaction {
	source, random := ids.NewSource(entropy.Reader), rand.New(rand.NewPCG(1, 2))
	all := make([]ledger.Transaction, n)
	for i := range all {
		all[i] = benchRow(t, source, random, civil.New(2026, 3, 1))
	}
	return all
}

func counted(t testing.TB, s *store.Store, org store.OrgKey) int64 {
	t.Helper()
	_, summary, err := s.Listing(t.Context(), org, ledger.Filter{}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return summary.Count
}
