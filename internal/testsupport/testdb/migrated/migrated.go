// Package migrated gives each test a database of its own that has the newest schema already. That
// takes a thirtieth of the time in which a store makes the schema.
package migrated

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

// New returns the name of a database like testdb.New.
func New(tb testing.TB) string {
	tb.Helper()
	if testdb.Postgres() {
		return testdb.New(tb) // it is a copy of such a database
	}
	return File(tb)
}

// File returns the path of a SQLite file.
func File(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "tarmac.db")
	content, err := empty()
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// empty returns the content of a SQLite file without rows, which is made once.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "migrated")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "tarmac.db")
	s, err := store.Open(context.Background(), path, store.Options{Ephemeral: true})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil { // the last connection leaves no log beside the file
		return nil, err
	}
	return os.ReadFile(path)
})
