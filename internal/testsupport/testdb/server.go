package testdb

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// RequireVariable is an environment variable. If it is set, tests that need PostgreSQL fail on a
// machine without it, instead of being skipped.
const RequireVariable = "TARMAC_REQUIRE_POSTGRES"

// Server is a PostgreSQL server for tests. It listens on the loopback address, has its data in a
// temporary directory and never waits until data is on disk.
type Server struct{ url string }

// startTimeout is the time limit for starting a server.
const startTimeout = time.Minute

// Start starts a server that ends with the test, even if the test is killed. On a machine without
// PostgreSQL, the test is skipped. If RequireVariable is set, the test fails instead.
func Start(tb testing.TB) *Server {
	tb.Helper()
	bin, ok := binaries()
	if !ok {
		if os.Getenv(RequireVariable) != "" {
			tb.Fatalf("PostgreSQL is not installed, and %s asks for it: apt-get install postgresql", RequireVariable)
		}
		fmt.Fprintf(os.Stderr, "SKIPPED: PostgreSQL is not installed; %s was not run (apt-get install postgresql)\n",
			tb.Name())
		tb.Skip("PostgreSQL is not installed")
	}
	dir, err := os.MkdirTemp("", "tarmac-postgres-")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	as, err := unprivileged(dir)
	if err != nil {
		tb.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	initdb := command(as, filepath.Join(bin, "initdb"), "-D", data, "-U", "tarmac", "--auth=trust", "--encoding=UTF8",
		"--locale=C.UTF-8", "--no-sync")
	initdb.Dir = dir
	if output, err := initdb.CombinedOutput(); err != nil {
		tb.Fatalf("initdb: %v\n%s", err, output)
	}
	// Another process may take the free port before the server does, so try several.
	for range addresses {
		address := freeAddress(tb)
		ended := serve(tb, as, dir, filepath.Join(bin, "postgres"), data, address)
		s := &Server{
			(&url.URL{Scheme: "postgres", User: url.User("tarmac"), Host: address, Path: "/postgres",
				RawQuery: "sslmode=disable"}).String(),
		}
		if s.await(tb, ended) {
			return s
		}
	}
	tb.Fatal("PostgreSQL does not start")
	return nil
}

const addresses = 3

// At returns a Server for the server with this URL, which is already running and will not be
// stopped.
func At(url string) *Server { return &Server{url} }

// URL returns the URL of the database that the server has from its start.
func (s *Server) URL() string { return s.url }

// serve runs the server under a shell that stops the server when the shell's standard input is
// closed. That also happens if the test is killed. The returned channel is closed when the server
// has ended.
func serve(tb testing.TB, as []string, dir, program, data, address string) (ended <-chan struct{}) {
	tb.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		tb.Fatal(err)
	}
	args := []string{
		"-c",
		`exec 3<&0; "$@" </dev/null 3<&- & server=$!; (cat <&3 >/dev/null; kill -INT $server) 2>/dev/null & wait $server`,
		"sh",
		program,
		"-D",
		data,
		"-p",
		port,
	}
	for _, setting := range [...]string{
		"listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "synchronous_commit=off",
		"full_page_writes=off",
		"shared_buffers=64MB", "max_connections=300", "autovacuum=off", "timezone=UTC",
	} {
		args = append(args, "-c", setting)
	}
	server := command(as, "sh", args...)
	server.Dir = dir
	var log bytes.Buffer
	server.Stderr = &log
	hold, err := server.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := server.Start(); err != nil {
		tb.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = server.Wait()
	}()
	tb.Cleanup(func() {
		_ = hold.Close()
		<-over
		if tb.Failed() {
			tb.Logf("the end of PostgreSQL's log:\n%s", log.Bytes()[max(0, log.Len()-4000):])
		}
	})
	return over
}

// await waits until the server accepts connections. If the server ends before that, await returns
// false.
func (s *Server) await(tb testing.TB, ended <-chan struct{}) bool {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	db, err := sql.Open("pgx", s.url)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(20 * time.Millisecond):
		}
		if ctx.Err() != nil {
			tb.Fatalf("PostgreSQL did not answer within %s: %v", startTimeout, err)
		}
	}
}

// binaries returns the directory of PostgreSQL's programs. It searches PATH, and then the
// directories of Debian packages, of which it takes the newest.
func binaries() (dir string, ok bool) {
	if program, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(program), true
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", false
	}
	slices.SortFunc(found, func(a, b string) int { return version(a) - version(b) })
	return filepath.Dir(found[len(found)-1]), true
}

func version(initdb string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(initdb))))
	return n
}

// unprivileged returns the beginning of a command line that runs a program as another user than
// root, because PostgreSQL refuses to run as root. It makes that user the owner of dir. If the test
// does not run as root, the result is empty.
func unprivileged(dir string) (through []string, err error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		if who, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, err := strconv.Atoi(who.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(who.Gid)
	if err != nil {
		return nil, err
	}
	return []string{"setpriv", "--reuid=" + who.Uid, "--regid=" + who.Gid, "--clear-groups"}, os.Chown(dir, uid, gid)
}

func command(as []string, name string, args ...string) *exec.Cmd {
	all := append(append(slices.Clone(as), name), args...)
	return exec.Command(all[0], all[1:]...)
}

func freeAddress(tb testing.TB) string {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}
