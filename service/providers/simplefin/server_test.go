package simplefin_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/providers/internet"
	fake "tarmac/internal/testsupport/providers/simplefin"
	"tarmac/service/providers"
	"tarmac/service/providers/simplefin"
	"tarmac/service/providers/wire"
)

const host = "bridge.simplefin.org"

// now is the present time in all tests.
var now = time.Date(2026, time.November, 20, 15, 4, 5, 0, time.UTC)

// server is a SimpleFIN server that a client reaches over the test's own internet.
type server struct {
	*fake.Server
	client *wire.Client
	answer http.HandlerFunc // answers in place of the server; nil if the server does
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{Server: fake.New(host, func() time.Time { return now })}
	net, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = net.Close() }) // what it was asked has been answered
	net.Handle(host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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

// connect claims a token and returns the provider.
func (s *server) connect(t *testing.T) providers.Provider {
	t.Helper()
	credential, err := simplefin.Kind().Claim(t.Context(), s.client, wire.NewSecret(s.Token()))
	if err != nil {
		t.Fatal(err)
	}
	p, err := simplefin.Kind().Open(s.client, credential)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// lastQuery returns the parameters of the last request.
func (s *server) lastQuery(t *testing.T) url.Values {
	t.Helper()
	all := s.Requests()
	if len(all) == 0 {
		t.Fatal("nothing was asked")
	}
	return all[len(all)-1].Query
}

// read reads accounts, over the time that a sync covers.
func read(t *testing.T, p providers.Provider, accounts ...string) providers.Reading {
	t.Helper()
	reading, err := p.Read(t.Context(), providers.Request{
		Accounts: accounts, Since: civil.Of(now).AddDays(-45), Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return reading
}

// respond writes a JSON answer.
func respond(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, body)
}
