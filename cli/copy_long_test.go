//go:build long

package cli_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
)

// A killed copy to PostgreSQL leaves nothing of its organization, and running it again copies
// everything.
func TestACopyThatIsKilledIsDoneAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	t.Parallel()
	server := testdb.Start(t)
	source, org, _ := organization(t, "1000", readScopes)
	target := server.Database(t)
	env := map[string]string{"TARMAC_DB": target}
	must(t, "admin", "--db", target, "org", "create", "Another")

	db, err := sql.Open("pgx", target)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// A lock on the last table holds up the copy.
	inTheWay, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := inTheWay.Exec("LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	killed := program(t, []string{"TARMAC_DB=" + target}, "admin", "copy", "--from", source)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	for waiting, deadline := 0, time.Now().Add(30*time.Second); waiting == 0; {
		if err := db.QueryRow(`SELECT count(*) FROM pg_locks WHERE NOT granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&waiting); err != nil ||
			time.Now().After(deadline) {
			t.Fatalf("the copy does not get as far as its last table: %v", err)
		}
		<-time.After(5 * time.Millisecond)
	}
	_ = killed.Process.Kill()
	_ = killed.Wait()
	if err := inTheWay.Rollback(); err != nil {
		t.Fatal(err)
	}

	r := tarmac(t, env, "admin", "copy", "--from", source, "--json")
	var results []struct {
		ID, State string
		Rows      map[string]int
		Inflow    *int64 `json:"inflow_usd_cents"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &results); err != nil || r.code != 0 || len(results) != 1 ||
		results[0].ID != org || results[0].State != "copied" ||
		results[0].Rows["transactions"] < 1000 || results[0].Inflow == nil {
		t.Errorf("after one that was killed: exit %d, %s %s", r.code, r.stdout, r.stderr)
	}
	for table, rows := range results[0].Rows {
		var n int
		query := "SELECT count(*) FROM " + table
		if table == "audit" { // the other organization has a line, too, and so has the copy
			query += " JOIN organizations o ON o.id = org_id AND o.name <> 'Another' WHERE action <> 'copy'"
		}
		if err := db.QueryRowContext(context.Background(), query).Scan(&n); err != nil || n != rows {
			t.Errorf("%s has %d rows, %v; told %d", table, n, err, rows)
		}
	}

	back := filepath.Join(t.TempDir(), "back.db")
	printed := must(t, "admin", "copy", "--from", target, "--to", back, "--org", org)
	if !strings.Contains(printed, org+" Northlight Labs copied and compared in ") || strings.Contains(printed, "Another") {
		t.Errorf("back again it printed %s", printed)
	}
	one, two := must(t, "admin", "invoice", "list", "--db", source, "--org", org),
		must(t, "admin", "invoice", "list", "--db", back, "--org", org)
	if one != two || !strings.Contains(one, "INV-") {
		t.Errorf("there were\n%s\nand are\n%s", one, two)
	}
	refusedCopies(t, source, org, env, target, server.Database(t))
}

func refusedCopies(t *testing.T, source, org string, env map[string]string, target, empty string) {
	t.Helper()
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	theirs, err := sql.Open("sqlite", foreign)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := theirs.Exec("CREATE TABLE organizations (id INTEGER PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(theirs.Close(), os.Chmod(foreign, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{0, "already exists and was skipped", []string{"--from", source}},
		{1, "it already exists", []string{"--from", source, "--org", org}},
		{4, "no such record", []string{"--from", source, "--org", "org_01ARZ3NDEKTSV4RRFFQ69G5FAV"}},
		{1, "the database none.db to copy from: open ", []string{"--from", "none.db"}},
		{1, "it is no database of tarmac", []string{"--from", foreign}},
		{1, "it is no database of tarmac", []string{"--from", empty}},
		{2, "--from is missing", nil},
		{2, "name the same database", []string{"--from", target}},
	} {
		r := tarmac(t, env, append([]string{"admin", "copy"}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.stdout+r.stderr, c.says) {
			t.Errorf("%v: exit %d, %s %s; want exit %d and %q", c.args, r.code, r.stdout, r.stderr, c.code, c.says)
		}
	}
	if r := tarmac(t, nil, "admin", "copy", "--from", source); r.code != 2 ||
		!strings.Contains(r.stderr, "--to is missing") {
		t.Errorf("to nowhere: exit %d, %s", r.code, r.stderr)
	}
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("tarmac", "hunter2")
	if r := tarmac(t, nil, "admin", "copy", "--from", source, "--to", u.String()); r.code != 0 ||
		!strings.Contains(r.stderr, "password is on the command line") || strings.Contains(r.stdout+r.stderr, "hunter2") {
		t.Errorf("with a password: exit %d, %s", r.code, r.stderr)
	}

	db, err := sql.Open("pgx", target)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, true)"); err != nil {
		t.Fatal(err)
	}
	for _, way := range [][]string{{"--from", source}, {"--from", target, "--to", filepath.Join(t.TempDir(), "new.db")}} {
		if r := tarmac(t, env, append([]string{"admin", "copy"}, way...)...); r.code != 1 ||
			!strings.Contains(r.stderr, "its schema is version 999") || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %s", fmt.Sprint(way[0]), r.code, r.stderr)
		}
	}
}
