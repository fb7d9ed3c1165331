package examples_test

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tarmac/apiclient"
	"tarmac/service/egress"
)

// follower runs examples/follow/follow.py, each time until it reaches the end of the feed.
type follower struct {
	*served
	python   string
	base     string // the URL it polls, possibly of a proxy with faults
	token    string
	database string
}

func newFollower(t *testing.T) *follower {
	t.Helper()
	python := interpreter(t, "python3")
	s := serve(t, egress.Config{})
	dir := t.TempDir()
	f := &follower{s, python, s.url, filepath.Join(dir, "token"), filepath.Join(dir, "events.db")}
	if err := os.WriteFile(f.token, []byte(s.token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *follower) run() (output string, err error) {
	said, err := exec.Command(f.python, "follow/follow.py", f.base, f.token, f.database, "--once").CombinedOutput()
	return string(said), err
}

// checkCaughtUp runs the program and expects the ids of the feed in its database, oldest first.
func (f *follower) checkCaughtUp(t *testing.T) {
	t.Helper()
	if output, err := f.run(); err != nil || output != "" {
		t.Fatalf("%v\n%s", err, output)
	}
	f.kept(t)
}

func (f *follower) kept(t *testing.T) {
	t.Helper()
	var feed []string
	for event, err := range f.client.Events(t.Context(), apiclient.EventQuery{Limit: 100}) {
		if err != nil {
			t.Fatal(err)
		}
		feed = append(feed, event.ID)
	}
	slices.Reverse(feed)
	var kept []string
	for _, body := range f.rows(t) {
		var event struct{ ID string }
		if err := json.Unmarshal([]byte(body), &event); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, event.ID)
	}
	if !slices.Equal(kept, feed) {
		t.Errorf("kept are %d events, in the feed are %d, or in another order", len(kept), len(feed))
	}
}

func (f *follower) rows(t *testing.T) (bodies []string) {
	t.Helper()
	db := f.open(t)
	defer db.Close()
	rows, err := db.Query("SELECT body FROM events ORDER BY n")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return bodies
}

func (f *follower) open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", f.database)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// through puts a proxy in between, which may respond to a request itself.
func (f *follower) through(t *testing.T, answers func(w http.ResponseWriter, n int64) bool) {
	t.Helper()
	target, err := url.Parse(f.url)
	if err != nil {
		t.Fatal(err)
	}
	forward := httputil.NewSingleHostReverseProxy(target)
	var asked atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answers(w, asked.Add(1)) {
			forward.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	f.base = proxy.URL
}

func TestFollowingKeepsEveryEventOnceAndInOrder(t *testing.T) {
	f := newFollower(t)

	f.checkCaughtUp(t) // the database does not exist yet
	for _, n := range []int{1, 250, 0, 100, 99, 7} {
		f.appendEvents(t, n)
		f.checkCaughtUp(t)
	}
}

func TestFollowingAsksAgainWhatPasses(t *testing.T) {
	f := newFollower(t)
	f.appendEvents(t, 250)
	f.through(t, func(w http.ResponseWriter, n int64) bool {
		if n%2 == 0 {
			return false
		}
		w.Header().Set("Retry-After", "0")
		w.WriteHeader([]int{429, 500, 502, 503}[n/2%4])
		return true
	})

	f.checkCaughtUp(t)
}

// A partly read chain must not be stored: its newest event would hide the unread ones.
func TestFollowingKeepsAChainWholeOrNotAtAll(t *testing.T) {
	f := newFollower(t)
	f.appendEvents(t, 10)
	f.checkCaughtUp(t)
	f.appendEvents(t, 250)
	f.through(t, func(w http.ResponseWriter, n int64) bool {
		if n < 3 {
			return false
		}
		w.WriteHeader(http.StatusUnauthorized)
		return true
	})

	if output, err := f.run(); err == nil {
		t.Errorf("a token that is revoked was not told: %s", output)
	}
	if kept := f.rows(t); len(kept) != 10 {
		t.Errorf("%d events are kept of an unfinished chain of 250 after 10", len(kept)-10)
	}
	f.base = f.url
	f.checkCaughtUp(t)
}

func TestFollowingTellsOfAGap(t *testing.T) {
	f := newFollower(t)
	f.appendEvents(t, 3)
	f.checkCaughtUp(t)
	db := f.open(t)
	if _, err := db.Exec("DELETE FROM events WHERE n < 3; UPDATE events SET id = 'evt_forgotten'"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	output, err := f.run()

	if err != nil || !strings.Contains(output, "the feed does not go back to evt_forgotten any more") {
		t.Errorf("%v, %q", err, output)
	}
	if kept := f.rows(t); len(kept) != 4 {
		t.Errorf("%d events are kept, want the one there was and the 3 of the feed", len(kept))
	}
}

func TestFollowingTakesTheTokenNowhereElse(t *testing.T) {
	f := newFollower(t)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect was followed, with %q", r.Header.Get("Authorization"))
	}))
	t.Cleanup(elsewhere.Close)
	f.through(t, func(w http.ResponseWriter, _ int64) bool {
		w.Header().Set("Location", elsewhere.URL)
		w.WriteHeader(http.StatusFound)
		return true
	})

	if output, err := f.run(); err == nil {
		t.Errorf("a redirect was no error: %s", output)
	}
}
