package store_test

import (
	"os/exec"
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

// TestOnPostgreSQL runs this package's tests again on PostgreSQL.
func TestOnPostgreSQL(t *testing.T) {
	testdb.RunOnPostgres(t, ".", func(database string) { migrateForTests(t, database) })
}

// usualOnBlocks matches the tests that the default run repeats on blocks of organizations: those of
// the ledger.
const usualOnBlocks = `^Test(Ledger|Insert|APage|ADayIs|Totals|Replacing|Writes|Another|Categories|Erase)`

// TestOnBlocks runs this package's tests again on a ledger that is divided into blocks of
// organizations.
func TestOnBlocks(t *testing.T) {
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skipf("SKIPPED: %v (apt-get install postgresql-client)", err)
	}
	testdb.RunOnPostgres(t, usualOnBlocks, func(database string) {
		migrateForTests(t, database)
		divide := exec.CommandContext(t.Context(), psql, "-X", "-q", "-d", database, "-v", "organizations=1", "-v",
			"blocks=3", "-f", "../../packaging/cluster/blocks.sql")
		if out, err := divide.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
}

func migrateForTests(t *testing.T, database string) {
	t.Helper()
	s, err := store.Open(t.Context(), database, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
