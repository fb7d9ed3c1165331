package ui

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/faults"
)

// No key waits for a server with a million rows that stops answering.
func TestNoKeyWaitsForAServerThatIsSilent(t *testing.T) {
	silent := make(chan struct{})
	p := millionRows(t, silent)
	d, first := newDashboard(t, p)
	d.drain(first)
	d.press("4")
	d.shows("1,000,000")
	close(silent)
	// From here on commands are created but not run: I/O inside Update or View would block forever.
	for _, k := range keysOfALongWalk() {
		d.Update(keyPress(k))
		if lines := strings.Split(d.render(), "\n"); len(lines) != d.height {
			t.Fatalf("%d lines after %s", len(lines), k)
		}
	}
	d.shows("acme", "Loading")
}

func keysOfALongWalk() (keys []string) {
	hold := func(k string, n int) {
		for range n {
			keys = append(keys, k)
		}
	}
	typed := func(open, text string) {
		keys = append(keys, open)
		for _, r := range text {
			keys = append(keys, string(r))
		}
		keys = append(keys, "enter")
	}
	hold("j", 300)
	hold("ctrl+d", 50)
	hold("pgdown", 50)
	hold("G", 30)
	hold("k", 100)
	typed("t", "50%")
	hold("j", 50)
	typed("t", "2020-01-01")
	hold("ctrl+u", 50)
	typed("/", "acme")
	hold("j", 50)
	keys = append(keys, "esc", "g", "1", "4")
	hold("r", 30)
	return keys
}

// millionRows returns a server of a million generated transactions that stops answering once silent
// is closed.
func millionRows(t *testing.T, silent <-chan struct{}) *faultyServer {
	t.Helper()
	a := healthy()
	p := &faultyServer{clock: &clock{now: faultNoon}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-silent:
			<-r.Context().Done()
			return
		default:
		}
		path := strings.TrimPrefix(r.URL.Path, faults.Prefix)
		body, ok := a.bodies[path]
		if path == "/transactions" {
			body = millionPage(r)
		}
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	var err error
	p.client, err = apiclient.New(
		server.URL,
		"svc_org_test",
		apiclient.WithClock(p.clock),
		apiclient.WithRetry(apiclient.NoRetry),
	)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func millionPage(r *http.Request) string {
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
	var rows []string
	for i := from; i < from+limit; i++ {
		rows = append(rows, strings.Replace(oneTransaction, "txn_1", fmt.Sprintf("txn_%07d", 1_000_000-i), 1))
	}
	return fmt.Sprintf(
		`{"data":[%s],"next_cursor":"%d","summary":{"count":1000000,"inflow_usd_cents":0,"outflow_usd_cents":125000000000,
		"net_usd_cents":-125000000000,"unconverted_count":0}}`,
		strings.Join(rows, ","),
		from+limit,
	)
}
