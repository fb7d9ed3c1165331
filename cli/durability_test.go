package cli_test

import (
	"os"
	"testing"
)

// serve refuses an emptied database. Serving it as a new one would reject every client's token.
func TestAnEmptiedDatabaseIsNotServed(t *testing.T) {
	database, _, _ := organization(t, "", readScopes)
	if r := process(t, "serve", "--db", database, "--addr", "nowhere"); r.code != 1 {
		t.Fatalf("%+v", r) // creates the key
	}
	if err := os.Truncate(database, 0); err != nil {
		t.Fatal(err)
	}
	oneLine(t, "serve", process(t, "serve", "--db", database, "--addr", "127.0.0.1:0"), database,
		"is empty but has a key file", "restore a backup")
	if info, err := os.Stat(database); err != nil || info.Size() != 0 {
		t.Errorf("the file is now %v, %v", info, err)
	}
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	must(t, "admin", "--db", database, "org", "create", "Begun anew")
}

// A file that is not a database stays unchanged, however short it is.
func TestAKeyFileIsNotTakenForADatabase(t *testing.T) {
	database, _, _ := organization(t, "", readScopes)
	key := database + ".key"
	before, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	oneLine(t, "org list", process(t, "admin", "--db", key, "org", "list"), "not a database", "--db")
	if after, err := os.ReadFile(key); err != nil || string(after) != string(before) {
		t.Errorf("the key file was changed: %d bytes, %v", len(after), err)
	}
}
