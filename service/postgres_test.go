package service_test

import (
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

// Runs this package's tests again on PostgreSQL.
// usualOnPostgres matches the tests that the default run repeats on PostgreSQL: one of each kind,
// and those of several processes.
const usualOnPostgres = `^Test(EveryDocumentedStatusIsProvoked|PagesListEveryTransactionOnceInOrder` +
	`|FeedPagesMakeUpTheFeed|Concurrent|TheSameIdempotencyKey|TheServiceNeedsNoMore` +
	`|TwoProcesses|UpkeepDeletesOnlyRecords|KeywordsAreMatched|AgingCounts|AnErasedOrganization` +
	`|TheTokensOfAnOrganization|TwoOperators|DraftsBeyond|TheBytesOfDrafts|AnAnswerBelongs)`

func TestOnPostgreSQL(t *testing.T) {
	testdb.RunOnPostgres(t, usualOnPostgres, func(database string) {
		s, err := store.Open(t.Context(), database, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// skipOnPostgreSQL skips a test of connections. It does not depend on the database and runs on
// SQLite.
func skipOnPostgreSQL(t *testing.T) {
	t.Helper()
	if testdb.Postgres() {
		t.Skip("does not depend on the database")
	}
}
