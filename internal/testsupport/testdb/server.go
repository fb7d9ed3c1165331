package testdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// RequireVariable is an environment variable. If it is set, tests that need PostgreSQL fail on a
// machine without it, instead of being skipped.
const RequireVariable = "TARMAC_REQUIRE_POSTGRES"

// Server is a PostgreSQL server for tests. It listens on the loopback address, has its data in a
// temporary directory and never waits until data is on disk.
type Server struct{ url string }

// SharedVariable is an environment variable: the URL of a server that all test binaries share. If
// it is set, none starts a server of its own.
const SharedVariable = "TARMAC_TEST_POSTGRES_SERVER"

var errNotInstalled = errors.New("PostgreSQL is not installed (apt-get install postgresql)")

// Start returns the shared server, or starts one that ends with the test, even if the test is
// killed. On a machine without PostgreSQL, the test is skipped. If RequireVariable is set, the test
// fails instead.
func Start(tb testing.TB) *Server {
	tb.Helper()
	if shared := os.Getenv(SharedVariable); shared != "" {
		return &Server{shared}
	}
	s, stop, err := Launch(tb.Context())
	switch {
	case errors.Is(err, errNotInstalled) && os.Getenv(RequireVariable) == "":
		fmt.Fprintf(os.Stderr, "SKIPPED: %s was not run: %v\n", tb.Name(), err)
		tb.Skip(err)
	case err != nil:
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if log := stop(); tb.Failed() {
			tb.Logf("the end of PostgreSQL's log:\n%s", log)
		}
	})
	return s
}

// Launch starts a server. It ends when stop is called, which returns the end of its log, or when
// the program ends.
func Launch(ctx context.Context) (s *Server, stop func() (log string), err error) {
	bin, ok := binaries()
	if !ok {
		return nil, nil, errNotInstalled
	}
	dir, err := os.MkdirTemp("", "tarmac-postgres-")
	if err != nil {
		return nil, nil, err
	}
	p := &process{bin: bin, dir: dir}
	if p.as, err = unprivileged(dir); err == nil {
		err = p.create()
	}
	if err == nil {
		err = p.start(ctx)
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &Server{p.url}, func() string {
		log := p.stop()
		_ = os.RemoveAll(dir)
		return log
	}, nil
}

// At returns a Server for the server with this URL, which is already running and will not be
// stopped.
func At(url string) *Server { return &Server{url} }

// URL returns the URL of the database that the server has from its start.
func (s *Server) URL() string { return s.url }

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
