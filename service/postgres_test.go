package service_test

import (
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

// What holds of a SQLite file holds of a PostgreSQL database.
func TestOnPostgreSQL(t *testing.T) {
	testdb.Again(t, func(database string) {
		s, err := store.Open(t.Context(), database, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
