package service_test

import (
	"database/sql"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tarmac/internal/testsupport/cutproxy"
	"tarmac/internal/testsupport/testdb"
)

// cutOff is a service whose database server can be cut off.
type cutOff struct {
	*fixture
	t     *testing.T
	proxy *cutproxy.Proxy
	owner tenant
}

func startCutOff(t *testing.T) *cutOff {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a server")
	}
	address, err := url.Parse(testdb.Start(t).Database(t))
	if err != nil {
		t.Fatal(err)
	}
	proxy := cutproxy.New(t, address.Host)
	address.Host = proxy.Addr
	c := &cutOff{fixture: start(t, 0).openOn(address.String()), t: t, proxy: proxy}
	c.owner = c.tenant("a")
	return c
}

// ask sends a request without the referee, which knows documented answers alone.
func (c *cutOff) ask(method, path, body string, header ...string) (status int, retryAfter, text string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.server.URL+prefix+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.owner.secret)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := c.server.Client().Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return response.StatusCode, response.Header.Get("Retry-After"), strings.TrimSpace(string(all))
}

// reconnect makes the service open new connections.
func (c *cutOff) reconnect() {
	c.proxy.Cut()
	c.proxy.Restore()
}

// whileAway sends a request while no server answers, and lets the server come back when the service
// has looked for it.
func (c *cutOff) whileAway(method, path, body string, header ...string) (status int, text string) {
	c.t.Helper()
	c.proxy.Cut()
	go func() {
		for range 4 { // the request itself, and searches for a server
			<-c.proxy.Refused
		}
		c.proxy.Restore()
	}()
	status, _, text = c.ask(method, path, body, header...)
	return status, text
}

// Requests during a change of servers wait for the new one.
func TestRequestsWaitWhileTheDatabaseChangesServers(t *testing.T) {
	t.Parallel()
	c := startCutOff(t)
	for _, path := range []string{"/invoices", "/ping", "/insights/cash-position"} {
		if status, text := c.whileAway(http.MethodGet, path, ""); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, text := c.whileAway(http.MethodPost, "/invoices", goodProposal); status != http.StatusCreated {
		t.Errorf("a proposal: %d %s", status, text)
	}
	if !strings.Contains(c.logs.String(), "the database was away") {
		t.Errorf("the log does not say so: %s", c.logs.String())
	}
	if c.service.Store().Away() <= 0 {
		t.Error("the outage has no length")
	}
}

// Without a database server, requests get 503 and the words that nothing was done, and nothing was.
func TestWithoutADatabaseServerNothingIsDone(t *testing.T) {
	t.Parallel()
	c := startCutOff(t)
	c.proxy.Cut()
	const key = "Idempotency-Key"
	for _, request := range [][2]string{{http.MethodGet, ""}, {http.MethodPost, goodProposal}} {
		status, retryAfter, text := c.ask(request[0], "/invoices", request[1], key, "one")
		if status != http.StatusServiceUnavailable || retryAfter != "5" ||
			text != `{"error":"the database is changing servers; nothing was done"}` {
			t.Errorf("%s: %d, Retry-After %q: %s", request[0], status, retryAfter, text)
		}
	}
	c.proxy.Restore()
	if status, _, text := c.ask(http.MethodPost, "/invoices", goodProposal, key, "one"); status != http.StatusCreated {
		t.Errorf("afterwards: %d %s", status, text)
	}
	if _, _, text := c.ask(http.MethodGet, "/invoices", ""); strings.Count(text, `"id":"inv_`) != 1 {
		t.Errorf("there is not one proposal: %s", text)
	}
}

// The outcome of a commit whose answer is lost is unknown: the answer does not say that nothing was
// done, and the key makes a repetition safe.
func TestALostCommitIsNoPromise(t *testing.T) {
	t.Parallel()
	c := startCutOff(t)
	const key = "Idempotency-Key"
	if status, _, text := c.ask(http.MethodPost, "/invoices", goodProposal, key, "first"); status != http.StatusCreated {
		t.Fatalf("%d %s", status, text)
	}
	c.reconnect() // a prepared statement's text is sent once for each connection
	c.proxy.CutAfter("INSERT INTO invoices")
	status, _, text := c.ask(http.MethodPost, "/invoices", goodProposal, key, "second")
	if status != http.StatusServiceUnavailable || !strings.Contains(text, "nothing was done") {
		t.Errorf("cut off before the commit: %d %s", status, text)
	}
	c.proxy.Restore()
	c.proxy.CutAfter("INSERT INTO invoices", "commit")
	status, _, text = c.ask(http.MethodPost, "/invoices", goodProposal, key, "third")
	if status != http.StatusInternalServerError || strings.Contains(text, "nothing") {
		t.Errorf("cut off after the commit: %d %s", status, text)
	}
	c.proxy.Restore()
	for _, again := range []string{"second", "third"} {
		if status, _, text := c.ask(http.MethodPost, "/invoices", goodProposal, key, again); status/100 != 2 {
			t.Errorf("%s again: %d %s", again, status, text)
		}
	}
	if _, _, text := c.ask(http.MethodGet, "/invoices", ""); strings.Count(text, `"id":"inv_`) != 3 {
		t.Errorf("there are not three proposals: %s", text)
	}
}

// A server that takes no writes any more, as a standby, counts as gone.
func TestAReadOnlyServerCountsAsGone(t *testing.T) {
	t.Parallel()
	c := startCutOff(t)
	db, err := sql.Open("pgx", c.database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	const readOnly = `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',
		current_database()); END $$`
	if _, err := db.ExecContext(t.Context(), readOnly); err != nil {
		t.Fatal(err)
	}
	c.reconnect()
	status, _, text := c.ask(http.MethodPost, "/invoices", goodProposal)
	if status != http.StatusServiceUnavailable || !strings.Contains(text, "nothing was done") {
		t.Errorf("%d %s", status, text)
	}
}
