package store

import (
	"context"
	"errors"
	"testing"

	"tarmac/internal/testsupport/testdb"
)

// fullSync is the value of SQLite's pragma synchronous for commits that wait for the disk.
const fullSync = 2

func TestOnlyUnsyncedWritesDoNotWaitForTheDisk(t *testing.T) {
	testdb.SQLiteOnly(t)
	s, err := Open(t.Context(), testdb.New(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	failed := errors.New("failed")
	canceled, cancel := context.WithCancel(t.Context())
	for name, write := range map[string]func() error{
		"success": func() error {
			return s.WriteUnsynced(t.Context(), func(tx *Tx) error {
				var sync int
				if err := tx.db.QueryRow("PRAGMA synchronous").Scan(&sync); err != nil || sync == fullSync {
					t.Errorf("an unsynced transaction has %d, %v", sync, err)
				}
				return nil
			})
		},
		"a failure": func() error { return s.WriteUnsynced(t.Context(), func(*Tx) error { return failed }) },
		"a cancellation": func() error {
			return s.WriteUnsynced(canceled, func(*Tx) error { cancel(); return canceled.Err() })
		},
		"a panic": func() (err error) {
			defer func() { _ = recover() }()
			return s.WriteUnsynced(t.Context(), func(*Tx) error { panic("fault") })
		},
	} {
		_ = write()

		var sync int
		err := s.Write(t.Context(), func(tx *Tx) error { return tx.db.QueryRow("PRAGMA synchronous").Scan(&sync) })
		if err != nil || sync != fullSync {
			t.Errorf("after %s, a transaction has %d, %v", name, sync, err)
		}
	}
}
