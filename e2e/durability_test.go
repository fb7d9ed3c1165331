//go:build long

package e2e_test

import (
	"database/sql"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/testprogram"
)

// While another process locks the database for long, writers get a retryable error, readers
// continue, and commands name the cause.
func TestALockedDatabaseIsToldAndComesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for locks that do not come free")
	}
	t.Parallel()
	k := newDurableServer(t, t.TempDir())
	k.works("before")
	other, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(k.database),
		RawQuery: "_txlock=exclusive&_pragma=busy_timeout(20000)"}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock, err := other.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	status, answer, header := k.propose()
	if status != http.StatusTooManyRequests || header.Get("Retry-After") == "" ||
		!strings.Contains(answer, "retry after") {
		t.Errorf("a draft is answered %d %s, %v", status, answer, header)
	}
	k.reads("while it is locked")
	testprogram.OneLine(t, "org create", testprogram.Process(t, "admin", "--db", k.database, "org", "create", "Other"),
		"another process has been writing to it for 5s", "try again")
	if r := testprogram.Process(t, "admin", "--db", k.database, "org", "list"); r.Code != 0 {
		t.Errorf("org list: %s", r.Stderr)
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	k.works("afterwards")
	k.reads("afterwards")
	k.kill()
	k.whole()
}

// killEarly starts tarmac and kills it at a random moment, unless it ends first.
func killEarly(t testing.TB, within time.Duration, args ...string) {
	t.Helper()
	cmd := testprogram.Command(t, nil, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	select {
	case <-ended:
	case <-time.After(mathrand.N(within)):
		_ = cmd.Process.Kill()
		<-ended
	}
}

const cuts = 4

// A first start that is killed while creating the file, its schema or its key is completed by
// the next start.
func TestAFirstStartThatIsKilledIsMadeUpFor(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	t.Parallel()
	database := ""
	for n := range cuts {
		database = filepath.Join(t.TempDir(), "tarmac.db")
		for range 3 {
			killEarly(t, 400*time.Millisecond, "serve", "--db", database, "--addr", "127.0.0.1:0")
		}
		if r := testprogram.Process(t, "admin", "--db", database, "org", "create", "Northlight Labs"); r.Code != 0 {
			t.Fatalf("%d: %s", n, r.Stderr)
		}
		var integrity string
		(&crashTest{database: database}).query(t, "PRAGMA integrity_check", &integrity)
		if integrity != "ok" {
			t.Errorf("%d: %s", n, integrity)
		}
	}
}

// Killed seeding leaves a partial organization in an intact database, where others can be
// seeded. A killed backup leaves no file of its name.
func TestSeedingAndBackupsThatAreKilledLeaveTheDatabaseWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	t.Parallel()
	database, org, _ := testprogram.Organization(t, "20000", testprogram.ReadScopes)
	for n := range cuts {
		half := testprogram.Must(t, "admin", "--db", database, "org", "create", fmt.Sprint("Half ", n))
		killEarly(t, 1500*time.Millisecond, "admin", "--db", database, "seed", "--org", half, "--transactions", "20000")
		copied := filepath.Join(t.TempDir(), "copy.db")
		killEarly(t, 600*time.Millisecond, "admin", "--db", database, "backup", copied)
		if _, err := os.Stat(copied); err == nil {
			r := testprogram.Process(t, "admin", "--db", copied, "org", "list")
			if r.Code != 0 || !strings.Contains(r.Stdout, org) {
				t.Errorf("%d: the copy: %s", n, r.Stderr)
			}
		}
	}
	var integrity string
	var apart int
	c := &crashTest{database: database}
	c.query(t, "PRAGMA integrity_check", &integrity)
	c.query(t, `SELECT (SELECT count(*) FROM transactions) - (SELECT sum(n) FROM ledger_daily)`, &apart)
	if integrity != "ok" || apart != 0 {
		t.Errorf("integrity %s; ledger and totals are %d rows apart", integrity, apart)
	}
	whole := testprogram.Must(t, "admin", "--db", database, "org", "create", "Whole")
	testprogram.Must(t, "admin", "--db", database, "seed", "--org", whole, "--transactions", "2000")
}

// A killed key reset is complete or has no effect. After a reset, every endpoint is paused and
// the next start creates a key; otherwise the old key still works.
func TestResettingTheKeyHappensOrNot(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	t.Parallel()
	k := newDurableServer(t, t.TempDir())
	for i := range 3 {
		status, answer, err := k.ask(http.MethodPost, "/webhooks",
			fmt.Sprintf(`{"url":"https://hooks.example.com/%d","event_types":["invoice.sent"]}`, i), "")
		if err != nil || status != http.StatusCreated {
			t.Fatalf("%d %s %v", status, answer, err)
		}
	}
	key, err := os.ReadFile(k.database + ".key")
	if err != nil {
		t.Fatal(err)
	}
	k.kill()
	for n := range cuts {
		if err := os.Rename(k.database+".key", k.database+".lost"); err != nil {
			t.Fatal(err)
		}
		killEarly(t, 200*time.Millisecond, "admin", "--db", k.database, "key", "reset", "--yes")
		var active, known int
		k.query(t, "SELECT count(*) FROM webhook_endpoints WHERE status = 'active'", &active)
		k.query(t, "SELECT count(*) FROM server_keys WHERE name = 'sealing_key_check'", &known)
		switch {
		case active == 3 && known == 1:
			if err := os.Rename(k.database+".lost", k.database+".key"); err != nil {
				t.Fatal(err)
			}
			k.serve()
			k.kill()
			continue
		case active != 0 || known != 0:
			t.Fatalf("%d: %d endpoints are active, %d keys are known", n, active, known)
		}
		k.serve()
		k.kill()
		if b, err := os.ReadFile(k.database + ".key"); err != nil || string(b) == string(key) {
			t.Errorf("%d: the new key is %d bytes, %v", n, len(b), err)
		}
		return
	}
}

// A backup made during writes contains every draft confirmed before it began and none requested
// after it ended, and can be served.
func TestABackupUnderWritesIsOfOneMoment(t *testing.T) {
	t.Parallel()
	k := newDurableServer(t, t.TempDir())
	for range 5 {
		before := len(k.drafts)
		copied := filepath.Join(t.TempDir(), "copy.db")
		done := make(chan testprogram.Result, 1)
		go func() { done <- testprogram.Process(t, "admin", "--db", k.database, "backup", copied) }()
		var r testprogram.Result
		for running := true; running; {
			select {
			case r = <-done:
				running = false
			default:
				k.works("during a backup")
			}
		}
		if r.Code != 0 {
			t.Fatalf("backup: %s", r.Stderr)
		}
		c := &crashTest{database: copied}
		var integrity string
		var invoices, last int
		c.query(t, "PRAGMA integrity_check", &integrity)
		c.query(t, "SELECT count(*), coalesce(max(sequence), 0) FROM invoices", &invoices, &last)
		if integrity != "ok" || invoices != last || invoices < before || invoices > len(k.drafts) {
			t.Errorf("integrity %s; %d drafts up to number %d, from %d to %d were answered meanwhile", integrity, invoices, last,
				before, len(k.drafts))
		}
		restored := &durableServer{drafts: map[string]bool{}, log: k.log}
		restored.t, restored.database, restored.address, restored.token = t, copied, testprogram.FreeAddress(t), k.token
		restored.serveWith("--key-file", k.database+".key")
		restored.works("served from the copy")
		restored.kill()
	}
	k.kill()
	k.whole()
}
