package mercury_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/providers/internet"
	fake "tarmac/internal/testsupport/providers/mercury"
	"tarmac/service/providers"
	"tarmac/service/providers/mercury"
	"tarmac/service/providers/wire"
)

// now is the present time in all tests.
var now = time.Date(2026, time.November, 20, 15, 4, 5, 0, time.UTC)

// server is Mercury's API behind a stand-in for the internet.
type server struct {
	*fake.Server
	client *wire.Client
	answer http.HandlerFunc // answers in place of the server; nil if the server does
}

func newServer(t *testing.T) *server {
	t.Helper()
	net, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = net.Close() })
	s := &server{Server: fake.New(func() time.Time { return now })}
	net.Handle(fake.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.answer != nil {
			s.answer(w, r)
			return
		}
		s.ServeHTTP(w, r)
	}))
	if s.client, err = wire.New(wire.Config{Proxy: net.Proxy, RootCAs: net.RootCAs()}); err != nil {
		t.Fatal(err)
	}
	return s
}

// connect returns the provider with a new token.
func (s *server) connect(t *testing.T) providers.Provider {
	t.Helper()
	p, err := mercury.Kind().Open(s.client, wire.NewSecret(s.Token()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// period is what a sync reads.
func period(accounts ...string) providers.Request {
	return providers.Request{Accounts: accounts, Since: civil.Of(now).AddDays(-45), Now: now}
}

func read(t *testing.T, p providers.Provider, r providers.Request) providers.Reading {
	t.Helper()
	reading, err := p.Read(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return reading
}

func failureOf(t *testing.T, err error) *providers.Failure {
	t.Helper()
	failure, ok := errors.AsType[*providers.Failure](err)
	if !ok {
		t.Fatalf("error is %T %v", err, err)
	}
	return failure
}

func daysAgo(n int) time.Time { return now.AddDate(0, 0, -n) }
