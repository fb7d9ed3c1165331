//go:build long

package e2e_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/testprogram"
)

// durableServer is a service that creates drafts, with a record of every response.
type durableServer struct {
	crashTest
	log    string // the service's log file
	drafts map[string]bool
}

const durableScopes = "invoices:read,invoices:propose,event_feed:read,webhook_endpoints:manage"

// newDurableServer creates an organization in a database in dir and serves it.
func newDurableServer(t *testing.T, dir string) *durableServer {
	t.Helper()
	k := &durableServer{drafts: map[string]bool{}, log: filepath.Join(t.TempDir(), "log")}
	k.t, k.database, k.address = t, filepath.Join(dir, "tarmac.db"), testprogram.FreeAddress(t)
	org := testprogram.Must(t, "admin", "--db", k.database, "org", "create", "Northlight Labs")
	testprogram.Must(t, "admin", "--db", k.database, "owner", "set", "--org", org, "--name", "Ada", "--email",
		"ada@example.com")
	k.token = testprogram.Must(t, "admin", "--db", k.database, "token", "create", "--org", org, "--scope", durableScopes)
	k.serve()
	t.Cleanup(func() { k.kill() })
	return k
}

func (k *durableServer) serve() { k.t.Helper(); k.serveWith() }

func (k *durableServer) serveWith(args ...string) {
	k.t.Helper()
	log, err := os.OpenFile(k.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		k.t.Fatal(err)
	}
	defer log.Close()
	k.process = testprogram.Command(k.t, nil, append([]string{"serve", "--db", k.database, "--addr", k.address,
		"--rate", "0"},
		args...)...)
	k.process.Stderr = log
	if err := k.process.Start(); err != nil {
		k.t.Fatal(err)
	}
	for deadline := time.Now().Add(testprogram.Patience); ; {
		if res, err := http.Get("http://" + k.address + "/readyz"); err == nil {
			_ = res.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			k.t.Fatalf("the service did not come up: %s", k.logged())
		}
		<-time.After(5 * time.Millisecond)
	}
}

func (k *durableServer) logged() string {
	b, err := os.ReadFile(k.log)
	if err != nil {
		k.t.Fatal(err)
	}
	return string(b)
}

// propose requests one draft and records its response. The description has the maximum length,
// to fill the disk quickly.
func (k *durableServer) propose() (status int, answer string, header http.Header) {
	k.t.Helper()
	body := `{"currency":"USD","description":"` + strings.Repeat("d", 400) +
		`","recipient_name":"n","recipient_email":"a@b.example",` +
		`"line_items":[{"description":"l","quantity":"1","unit_price_cents":100}]}`
	req, err := http.NewRequest(http.MethodPost, "http://"+k.address+"/api/ext/v1/invoices", strings.NewReader(body))
	if err != nil {
		k.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+k.token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		k.t.Fatal(err)
	}
	defer res.Body.Close()
	var made struct{ ID, Error string }
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil {
		k.t.Fatal(err)
	}
	if res.StatusCode == http.StatusCreated {
		k.drafts[made.ID] = true
	}
	return res.StatusCode, made.Error, res.Header
}

// works checks that a draft can be created.
func (k *durableServer) works(when string) {
	k.t.Helper()
	if status, answer, _ := k.propose(); status != http.StatusCreated {
		k.t.Errorf("%s: %d %s\n%s", when, status, answer, k.logged())
	}
}

// reads checks that every confirmed draft can be read.
func (k *durableServer) reads(when string) {
	k.t.Helper()
	status, _, err := k.ask(http.MethodGet, "/invoices", "", "")
	if err != nil || status != http.StatusOK {
		k.t.Errorf("%s: the list is answered %d, %v", when, status, err)
	}
	for id := range k.drafts {
		if status, _, err := k.ask(http.MethodGet, "/invoices/"+id, "", ""); err != nil || status != http.StatusOK {
			k.t.Errorf("%s: %s is answered %d, %v", when, id, status, err)
		}
	}
}

// whole checks the file's integrity and that it contains exactly the confirmed drafts.
func (k *durableServer) whole() {
	k.t.Helper()
	var integrity string
	var invoices int
	k.query(k.t, "PRAGMA integrity_check", &integrity)
	k.query(k.t, "SELECT count(*) FROM invoices", &invoices)
	if integrity != "ok" || invoices != len(k.drafts) {
		k.t.Errorf("integrity %s; %d drafts, %d were answered", integrity, invoices, len(k.drafts))
	}
}
