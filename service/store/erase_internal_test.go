package store

import (
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store/database"
)

// A migration that adds a table of organizations must say in erase.go how it is erased.
func TestEveryTableOfOrganizationsIsErased(t *testing.T) {
	db, err := database.Open(t.Context(), testdb.New(t), Schema(), database.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Reader.QueryContext(t.Context(), db.Pick(
		`SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'
			AND c.name IN ('org_id', 'key_id')`,
		`SELECT CAST(table_name AS TEXT) FROM information_schema.columns WHERE table_schema = current_schema()
			AND column_name IN ('org_id', 'key_id')`))
	names, err := database.Collect(rows, err, "the tables", func(row database.Row) (name string, err error) {
		err = row.Scan(&name)
		return name, err
	})
	if err != nil || len(names) < len(erasedTables) {
		t.Fatalf("%d tables, %v", len(names), err)
	}
	erased := map[string]bool{
		"audit":        true,                              // its lines stay
		"ledger_daily": true, "ssh_document_claims": true, // erased by statements of their own
	}
	for _, table := range erasedTables {
		erased[table.name] = true
	}
	for _, name := range names {
		if !erased[name] {
			t.Errorf("rows of %s are not erased", name)
		}
	}
}
