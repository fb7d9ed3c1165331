// Package testdb gives tests a database of their own: a SQLite file or, where the
// tests of a package run again on PostgreSQL, a database on a server that was
// started for them.
package testdb

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the database driver
)

// serverVariable holds the URL of the server that a test binary is run again on.
const serverVariable = "TARMAC_TEST_POSTGRES"

// template is the database that all others of a server are copies of.
const template = "tarmac_template"

// New returns the name of a new database, which is the test's own: the path of a
// SQLite file that is still to be made, or the URL of a PostgreSQL database.
func New(tb testing.TB) string {
	tb.Helper()
	if server := os.Getenv(serverVariable); server != "" {
		return (&Server{url: server}).Database(tb)
	}
	return filepath.Join(tb.TempDir(), "tarmac.db")
}

// Postgres reports whether New makes databases of PostgreSQL.
func Postgres() bool { return os.Getenv(serverVariable) != "" }

// SQLiteOnly skips a test of what only a SQLite file has.
func SQLiteOnly(tb testing.TB) {
	tb.Helper()
	if Postgres() {
		tb.Skip("this is of SQLite alone")
	}
}

// Again runs the tests of the calling package again, on PostgreSQL. prepare makes
// the schema in the database that it is given.
func Again(t *testing.T, prepare func(database string)) {
	t.Helper()
	if Postgres() {
		t.Skip("this run is on PostgreSQL")
	}
	if testing.Short() {
		t.Skip("starts a server")
	}
	server := Start(t)
	prepare(server.make(t, template, ""))
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-test.skip", "^" + t.Name() + "$", "-test.count", "1", "-test.timeout", "10m", "-test.parallel", "4"}
	// A case of a property takes a database, and that takes longer than a file.
	if flag.Lookup("rapid.checks") != nil {
		args = append(args, "-rapid.checks", "20", "-rapid.nofailfile")
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), serverVariable+"="+server.url)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("on PostgreSQL: %v\n%s", err, output)
	}
}

// Database makes a database, which goes when the test ends.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	name := fmt.Sprintf("t%d_%d", os.Getpid(), serial.Add(1))
	from := ""
	if Postgres() {
		from = " TEMPLATE " + template
	}
	database := s.make(tb, name, from)
	tb.Cleanup(func() { s.do(tb, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	return database
}

// serial tells the databases of one process apart.
var serial atomic.Int64

func (s *Server) make(tb testing.TB, name, from string) string {
	tb.Helper()
	s.do(tb, "CREATE DATABASE "+name+from)
	u, err := url.Parse(s.url)
	if err != nil {
		tb.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func (s *Server) do(tb testing.TB, statement string) {
	tb.Helper()
	db, err := sql.Open("pgx", s.url)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	// Not the test's context: that of a clean-up has ended.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := db.ExecContext(ctx, statement); err != nil {
		tb.Fatalf("%s: %v", strings.SplitN(statement, " WITH", 2)[0], err)
	}
}
