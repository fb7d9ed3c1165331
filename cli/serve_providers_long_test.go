//go:build long

package cli_test

import (
	"database/sql"
	"errors"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
)

// Three services share a database, and a reading becomes due while all of them start: one of them
// makes it.
func TestThreeServicesReadAProviderOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server and ten processes")
	}
	t.Parallel()
	const services, readings = 3, 3
	o := goOnline(t)
	database := testdb.Start(t).Database(t)
	o.environ = append(o.environ, "TARMAC_DB="+database)
	key := filepath.Join(t.TempDir(), "key")
	account := o.simplefin.Open(o.simplefin.Connect("Harbor Bank", "Ada"), "Checking 4821", "USD", 1_000_00)
	org := strings.TrimSpace(o.must("", "admin", "org", "create", "Northlight Labs"))
	s := &sharedServices{online: o, database: database, key: key}
	s.start(1) // it makes the key
	s.stop()
	o.must(o.simplefin.Token(), "admin", "connect", "simplefin", "--org", org, "--key-file", key, "--token-stdin", "--yes")
	o.simplefin.Forget()

	for n := range readings {
		o.simplefin.Book(account, time.Now().AddDate(0, 0, -n), 100, "Payment from Acme")
		s.makeDue()
		s.start(services)
		s.awaitReading()
		s.stop()
	}

	if sent := o.simplefin.Requests(); len(sent) != readings {
		t.Errorf("%d requests were sent for %d readings", len(sent), readings)
	}
	lines := o.must("", "admin", "books", "lines", "--org", org)
	if n := strings.Count(lines, "transaction"); n != readings {
		t.Errorf("%d of %d lines are in the books:\n%s", n, readings, lines)
	}
}

// sharedServices are processes that serve one PostgreSQL database.
type sharedServices struct {
	*online
	database, key string
	running       []*exec.Cmd
	addresses     []string
}

func (s *sharedServices) start(n int) {
	s.t.Helper()
	for range n {
		address := freeAddress(s.t)
		s.addresses = append(s.addresses, address)
		cmd := program(s.t, s.environ, "serve", "--addr", address, "--key-file", s.key)
		if err := cmd.Start(); err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { _ = cmd.Process.Kill() })
		s.running = append(s.running, cmd)
	}
}

// stop ends the processes once all of them have started.
func (s *sharedServices) stop() {
	s.t.Helper()
	for _, address := range s.addresses {
		s.await("a service is ready", func() bool {
			res, err := http.Get("http://" + address + "/readyz")
			if err == nil {
				_ = res.Body.Close()
			}
			return err == nil && res.StatusCode == http.StatusOK
		})
	}
	for _, cmd := range s.running {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, cmd := range s.running {
		if err := cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			s.t.Fatal(err)
		}
	}
	s.running, s.addresses = nil, nil
}

// makeDue plans the reading for now.
func (s *sharedServices) makeDue() {
	s.t.Helper()
	s.query(func(db *sql.DB) error {
		_, err := db.Exec("UPDATE connections SET next_try = 1, last_success = 1")
		return err
	})
}

// awaitReading waits until a reading was made.
func (s *sharedServices) awaitReading() {
	s.t.Helper()
	s.await("a reading was made", func() (read bool) {
		s.query(func(db *sql.DB) error {
			return db.QueryRow("SELECT last_success > 1 AND lease_until = 0 FROM connections").Scan(&read)
		})
		return read
	})
}

func (s *sharedServices) await(what string, done func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(patience); !done(); <-time.After(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("not reached: %s", what)
		}
	}
}

func (s *sharedServices) query(run func(*sql.DB) error) {
	s.t.Helper()
	db, err := sql.Open("pgx", s.database)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := errors.Join(run(db), db.Close()); err != nil {
		s.t.Fatal(err)
	}
}
