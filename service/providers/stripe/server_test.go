package stripe_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"tarmac/internal/testsupport/providers/internet"
	fake "tarmac/internal/testsupport/providers/stripe"
	"tarmac/service/providers"
	"tarmac/service/providers/stripe"
	"tarmac/service/providers/wire"
)

// now is the present time in all tests.
var now = time.Date(2026, time.November, 20, 15, 4, 5, 0, time.UTC)

// server is Stripe, which a client reaches over the test's own internet.
type server struct {
	*fake.Server
	client *wire.Client
	answer http.HandlerFunc // answers in place of the server; nil if the server does
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{Server: fake.New(func() time.Time { return now })}
	s.client = reach(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.answer != nil {
			s.answer(w, r)
			return
		}
		s.ServeHTTP(w, r)
	}))
	return s
}

// reach returns a client whose requests to Stripe are answered by a handler.
func reach(t *testing.T, handler http.Handler) *wire.Client {
	t.Helper()
	online, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = online.Close() })
	online.Handle(fake.Host, handler)
	client, err := wire.New(wire.Config{Proxy: online.Proxy, RootCAs: online.RootCAs()})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// connect returns the provider for a new key.
func (s *server) connect(t *testing.T) providers.Provider {
	t.Helper()
	return open(t, s.client, s.Key())
}

func open(t *testing.T, client *wire.Client, key string) providers.Provider {
	t.Helper()
	p, err := stripe.Kind().Open(client, wire.NewSecret(key))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// read reads the invoices. The given ids are those of the open invoices in the books.
func read(t *testing.T, p providers.Provider, known ...string) providers.Reading {
	t.Helper()
	reading, err := p.Read(t.Context(), providers.Request{Invoices: known, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return reading
}

// failureOf returns an error as the failure of a provider.
func failureOf(t *testing.T, err error) *providers.Failure {
	t.Helper()
	failure, ok := errors.AsType[*providers.Failure](err)
	if !ok {
		t.Fatalf("the error is %v", err)
	}
	return failure
}

// respond writes a JSON answer.
func respond(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprint(w, body)
}
