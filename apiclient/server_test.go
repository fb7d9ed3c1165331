package apiclient_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"tarmac/apiclient"
)

const secret = "svc_org_abcdefghijklmnopqrstuvwxyz0123456789"

// clock is a clock that only Sleep advances.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
	onNap func() // called in each sleep
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	if c.onNap != nil {
		c.onNap()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slept = append(c.slept, d)
	c.now = c.now.Add(d)
	return ctx.Err()
}

// serve starts a server and returns its client, which has a clock of its own.
func serve(t testing.TB, handler http.HandlerFunc, opts ...apiclient.Option) (*apiclient.Client, *clock) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c := newClock()
	client, err := apiclient.New(
		server.URL,
		apiclient.Token(secret),
		append([]apiclient.Option{apiclient.WithClock(c)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client, c
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// answering returns a handler that always sends the same successful response.
func answering(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, body) }
}
