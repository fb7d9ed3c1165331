package outbox_test

import (
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

// Runs this package's tests again on PostgreSQL.
func TestOnPostgreSQL(t *testing.T) {
	testdb.RunOnPostgres(t, ".", func(database string) {
		s, err := store.Open(t.Context(), database, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
