package syncing_test

import (
	"context"
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

func TestOnPostgres(t *testing.T) {
	testdb.RunOnPostgres(t, ".", func(database string) {
		s, err := store.Open(context.Background(), database, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
