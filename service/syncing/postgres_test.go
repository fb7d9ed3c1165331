package syncing_test

import (
	"context"
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

// usualOnPostgres matches the tests that the default run repeats on PostgreSQL: one of each kind,
// and those of several processes.
const usualOnPostgres = `^Test(ProcessesTakeTurns|AReadingOfAProcessThatDied|ALeaseThatWasTakenOver` +
	`|AReadingFillsTheBooks)`

func TestOnPostgres(t *testing.T) {
	testdb.RunOnPostgres(t, usualOnPostgres, func(database string) {
		s, err := store.Open(context.Background(), database, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
