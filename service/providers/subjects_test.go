package providers_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/providers/internet"
	mercuryfake "tarmac/internal/testsupport/providers/mercury"
	simplefinfake "tarmac/internal/testsupport/providers/simplefin"
	stripefake "tarmac/internal/testsupport/providers/stripe"
	"tarmac/service/providers"
	"tarmac/service/providers/mercury"
	"tarmac/service/providers/simplefin"
	"tarmac/service/providers/stripe"
	"tarmac/service/providers/wire"
)

// now is the present time in all tests.
var now = time.Date(2026, time.November, 20, 15, 4, 5, 0, time.UTC)

func clock() time.Time { return now }

// subject is a provider with a fake of its service, which has some data.
type subject struct {
	kind    providers.Kind
	host    string
	fake    http.Handler
	token   func() string
	secrets func() []string
	// forget makes the fake forget the requests that count against its limits.
	forget func()
	// invoices are the ids of invoices that were open in the reading before.
	invoices []string
}

// subjects returns all providers.
func subjects() []subject { return []subject{simpleFIN(), mercuryBank(), stripeInvoices()} }

func simpleFIN() subject {
	const host = "bridge.simplefin.example.com"
	s := simplefinfake.New(host, clock)
	login := s.Connect("Chase", "Ada")
	checking := s.Open(login, "Checking (6789)", "USD", 100_000)
	s.SetAvailable(checking, 88_888)
	s.Book(checking, now.AddDate(0, 0, -20), -1_234, "Rent")
	s.Book(checking, now.AddDate(0, 0, -3), 5_678, "Customer")
	s.Hold(checking, now.AddDate(0, 0, -1), -99, "Coffee")
	s.Open(login, "Savings (1234)", "USD", 500_000)
	s.Report(simplefinfake.Problem{Code: "gen.api", Text: "Be patient."})
	return subject{simplefin.Kind(), host, s, s.Token, s.Secrets, s.Forget, nil}
}

func mercuryBank() subject {
	at := now.AddDate(0, -2, 0)
	s := mercuryfake.New(func() time.Time { return at })
	checking := s.Open("Operations", "checking", "202400001111", 100_000)
	s.Open("Treasury", "treasury", "", 900_000)
	s.Link("Old bank", "303", 5)
	at = now
	s.Book(checking, now.AddDate(0, 0, -20), -1_234, "Rent")
	s.Book(checking, now.AddDate(0, 0, -3), 5_678, "Customer")
	s.Hold(checking, now.AddDate(0, 0, -1), -99, "Coffee")
	return subject{mercury.Kind(), mercuryfake.Host, s, s.Token, s.Secrets, func() {}, nil}
}

func stripeInvoices() subject {
	s := stripefake.New(clock)
	send := func(number string, total int64) *stripefake.Invoice {
		return s.Send(stripefake.Invoice{
			Number: number, Customer: "Fernhill", Email: "ap@fernhill.example", Currency: "usd", Total: total,
			Due: now.AddDate(0, 0, 30),
		})
	}
	send("F-1", 10_000)
	paid := send("F-2", 20_000)
	s.Pay(paid, paid.Total)
	return subject{stripe.Kind(), stripefake.Host, s, s.Key, s.Secrets, func() {}, []string{paid.ID}}
}

// connected is a subject with a client that is connected to it.
type connected struct {
	subject
	provider providers.Provider
	online   *internet.Internet
	accounts []string // ids of the accounts
	known    []string // secrets
}

// connect connects to the subject, with answers of the fake itself.
func (s subject) connect(t *testing.T) *connected {
	t.Helper()
	online, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = online.Close() })
	online.Handle(s.host, s.fake)
	client, err := wire.New(wire.Config{Proxy: online.Proxy, RootCAs: online.RootCAs()})
	if err != nil {
		t.Fatal(err)
	}
	credential := wire.NewSecret(s.token())
	c := &connected{subject: s, online: online, known: []string{credential.Reveal()}}
	if s.kind.Claim != nil {
		if credential, err = s.kind.Claim(t.Context(), client, credential); err != nil {
			t.Fatal(err)
		}
	}
	c.known = append(c.known, s.secrets()...)
	if c.provider, err = s.kind.Open(client, credential); err != nil {
		t.Fatal(err)
	}
	listing, err := c.provider.Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range listing.Accounts {
		if a.Refused == "" {
			c.accounts = append(c.accounts, a.ID)
		}
	}
	slices.Sort(c.accounts)
	return c
}

// answer sets the handler that answers the requests from now on.
func (c *connected) answer(handler http.Handler) {
	c.forget()
	c.online.Handle(c.host, handler)
}

// request asks for everything that the subject has.
func (c *connected) request() providers.Request {
	return providers.Request{Accounts: c.accounts, Since: civil.Of(now).AddDays(-44), Now: now, Invoices: c.invoices}
}
