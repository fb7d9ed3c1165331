// Package testdb gives each test a database of its own. That is a SQLite file or, when
// RunOnPostgres runs the tests of a package again, a database on a PostgreSQL server.
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

	"tarmac/internal/testsupport/long"
)

// Environment variables that RunOnPostgres sets for the test binary that it starts: the URL of the
// PostgreSQL server, and the name of the database from which the databases of tests are copied.
const (
	serverVariable   = "TARMAC_TEST_POSTGRES"
	templateVariable = "TARMAC_TEST_POSTGRES_TEMPLATE"
)

// New returns the name of a new database for a test. That is the path of a SQLite file that does
// not exist yet, or the URL of a PostgreSQL database.
func New(tb testing.TB) string {
	tb.Helper()
	if server := os.Getenv(serverVariable); server != "" {
		return (&Server{url: server}).Database(tb)
	}
	return filepath.Join(tb.TempDir(), "tarmac.db")
}

// Postgres reports whether New creates PostgreSQL databases.
func Postgres() bool { return os.Getenv(serverVariable) != "" }

// SQLiteOnly skips the test if it runs on PostgreSQL.
func SQLiteOnly(tb testing.TB) {
	tb.Helper()
	if Postgres() {
		tb.Skip("this is of SQLite alone")
	}
}

// RunOnPostgres runs tests of the calling package again on a PostgreSQL server: those whose names
// match the regular expression usual, and all of them where long tests run. prepare creates the
// schema in the database at the given URL.
func RunOnPostgres(t *testing.T, usual string, prepare func(database string)) {
	t.Helper()
	if Postgres() {
		t.Skip("this run is on PostgreSQL")
	}
	if testing.Short() {
		t.Skip("starts a server")
	}
	server := Start(t)
	template := newName()
	t.Cleanup(func() { server.drop(t, template) })
	prepare(server.make(t, template, ""))
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{
		"-test.run=" + long.Size(usual, "."), "-test.skip=^" + t.Name() + "$", "-test.count=1",
		"-test.timeout=" + timeLeft(t).String(), "-test.parallel=4",
	}
	// Run property tests with fewer cases, because each case needs a database, and creating one
	// takes longer on PostgreSQL.
	if flag.Lookup("rapid.checks") != nil {
		args = append(args, fmt.Sprintf("-rapid.checks=%d", long.Size(2, 6)), "-rapid.nofailfile")
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), serverVariable+"="+server.url, templateVariable+"="+template)
	// A program that a test has left behind may keep the output open.
	cmd.WaitDelay = waitDelay
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("on PostgreSQL: %v\n%s", err, output)
	}
}

// waitDelay is how long the output of the tests on PostgreSQL may stay open after they have ended.
const waitDelay = 10 * time.Second

// timeLeft returns the time limit for the tests on PostgreSQL. They end before the test that waits
// for them, so that their stacks are printed if one of them hangs. 0 is no limit.
func timeLeft(t *testing.T) time.Duration {
	deadline, limited := t.Deadline()
	if !limited {
		return 0
	}
	return max(time.Until(deadline)-3*waitDelay, time.Second).Truncate(time.Second)
}

// Database creates a database and returns its URL. The database is dropped when the test ends, or
// emptied and used by a later test.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	if Postgres() {
		return s.migrated(tb)
	}
	name := newName()
	tb.Cleanup(func() { s.drop(tb, name) })
	return s.make(tb, name, "")
}

// newName returns a name that no other test has, nor one of an earlier process.
func newName() string {
	return fmt.Sprintf("t%d_%d_%d", os.Getpid(), serial.Add(1), time.Now().UnixNano())
}

// serial is the number of databases that this process has created; it makes their names unique.
var serial atomic.Int64

func (s *Server) drop(tb testing.TB, name string) {
	tb.Helper()
	s.do(tb, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
}

func (s *Server) make(tb testing.TB, name, from string) string {
	tb.Helper()
	s.do(tb, "CREATE DATABASE "+name+from)
	return s.address(tb, name)
}

// address returns the URL of a database.
func (s *Server) address(tb testing.TB, name string) string {
	tb.Helper()
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
	// The statement may run in a cleanup, after the context of the test has ended.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := db.ExecContext(ctx, statement); err != nil {
		tb.Fatalf("%s: %v", strings.SplitN(statement, " WITH", 2)[0], err)
	}
}
