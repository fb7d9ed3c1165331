package syncing_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"tarmac/internal/testsupport/faults"
	"tarmac/internal/testsupport/providers/internet"
	mercuryfake "tarmac/internal/testsupport/providers/mercury"
	simplefinfake "tarmac/internal/testsupport/providers/simplefin"
	"tarmac/service/providers"
	"tarmac/service/providers/mercury"
	"tarmac/service/providers/simplefin"
	"tarmac/service/providers/wire"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// troubledBank is a fake of a bank whose answers can be broken.
type troubledBank struct {
	kind  providers.Kind
	host  string
	fake  http.Handler
	token func() string
	book  func(minor int64) // books a line now
}

// troubledBanks returns a bank of each kind, with some lines.
func troubledBanks(now func() time.Time) []troubledBank {
	const bridge = "bridge.simplefin.org"
	server := simplefinfake.New(bridge, now)
	shared := server.Open(server.Connect("Harbor Bank", "Ada"), "Checking 4821", "USD", 1_000_00)
	own := mercuryfake.New(now)
	account := own.Open("Operations", "checking", "202400001111", 1_000_00)
	all := []troubledBank{
		{simplefin.Kind(), bridge, server, server.Token, func(minor int64) { server.Book(shared, now(), minor, "Rent") }},
		{mercury.Kind(), mercuryfake.Host, own, own.Token, func(minor int64) { own.Book(account, now(), minor, "Rent") }},
	}
	for _, b := range all {
		b.book(-5_00)
		b.book(12_00)
	}
	return all
}

func TestAfterHoursOfTroubleTheBooksGoOn(t *testing.T) {
	if testing.Short() {
		t.Skip("reads one provider after the other")
	}
	for _, fault := range []faults.Fault{
		faults.RetryAfter(http.StatusServiceUnavailable, ""), faults.RetryAfter(http.StatusServiceUnavailable, "5400"),
		faults.TooManyRequests(""), faults.TooManyRequests("99999999999999999999"), faults.TooManyRequests("-1"),
		faults.RetryAfter(http.StatusUnauthorized, ""), faults.RetryAfter(http.StatusPaymentRequired, ""),
		faults.Page(http.StatusOK), faults.Page(http.StatusForbidden), faults.Redirect(http.StatusFound, true),
		named(t, "null"), named(t, "every other field missing"), named(t, "hung up"), named(t, "hung up in the body"),
	} {
		for n := range 2 {
			f := newFixture(t)
			b := troubledBanks(f.clock.now)[n]
			t.Run(b.kind.Title+", "+fault.Name, func(t *testing.T) { f.trouble(t, b, fault) })
		}
	}
}

// named returns the fault with a name.
func named(t *testing.T, name string) faults.Fault {
	t.Helper()
	for _, f := range append(faults.Answers(), faults.Connections()...) {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no fault is called %q", name)
	return faults.Fault{}
}

// trouble reads a bank, lets its answers be broken for five hours, and mends them.
func (f *fixture) trouble(t *testing.T, b troubledBank, fault faults.Fault) {
	service := f.reach(t, b)
	before, _ := picture(t, f.Books(f.org))
	good := f.list(t)[0]
	service.Script(faults.Rule{Fault: fault})
	end := good.NextTry.Add(5 * time.Hour)
	sentBefore := requestsTo(service)

	readings := 0
	for c := good; c.NextTry.Before(end); readings++ {
		c = f.readNext(t)
		if c.Problem == "" || !c.LastSuccess.Equal(good.LastSuccess) {
			t.Fatalf("the connection is %+v", c.Connection)
		}
	}
	// The waits grow from a minute to six hours: the tenth reading is after more than five hours.
	if sent := requestsTo(service) - sentBefore; readings == 0 || readings > 9 || sent != readings {
		t.Errorf("%d readings sent %d requests", readings, sent)
	}
	if during, _ := picture(t, f.Books(f.org)); during != before {
		t.Errorf("the books are:\n%s\nbefore:\n%s", during, before)
	}

	service.Clear()
	b.book(7_00)
	after := f.readNext(t)
	text, _ := picture(t, f.Books(f.org))
	if after.Problem != "" || after.State != store.ConnectionReady || text == before {
		t.Errorf("afterwards the connection is %+v, the books are:\n%s", after.Connection, text)
	}
}

// reach connects the organization to a bank and takes all accounts. The handler that it returns
// answers for the bank.
func (f *fixture) reach(t *testing.T, b troubledBank) *faults.Handler {
	t.Helper()
	web, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = web.Close() })
	service := faults.New(b.fake, faults.Options{Elsewhere: "https://elsewhere.example.net"})
	web.Handle(b.host, service)
	if f.Client, err = wire.New(wire.Config{Proxy: web.Proxy, RootCAs: web.RootCAs()}); err != nil {
		t.Fatal(err)
	}
	f.Kinds = []providers.Kind{b.kind}
	c, _, err := f.Connect(t.Context(), f.org, syncing.ConnectRequest{
		Provider: b.kind.Name, Token: wire.NewSecret(b.token()),
	})
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := f.Take(t.Context(), f.org, c.ID, []syncing.Choice{{RemoteID: c.Accounts[0].RemoteID}})
	if err != nil || outcome.Problem != "" {
		t.Fatalf("%+v, %v", outcome, err)
	}
	return service
}

// readNext sets the clock to the time of the next reading, and waits until it was made.
func (f *fixture) readNext(t *testing.T) syncing.Connection {
	t.Helper()
	due, failures := f.list(t)[0].NextTry, f.list(t)[0].Failures
	f.clock.advance(due.Sub(f.clock.now()))
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	running.Go(func() { f.Run(ctx) })
	for tick, deadline := time.Tick(2*time.Millisecond), time.After(time.Minute); ; {
		if c := f.list(t)[0]; c.Failures > failures || c.LastSuccess.Equal(due) {
			return c
		}
		select {
		case <-tick:
		case <-deadline:
			t.Fatal("the connection was not read")
		}
	}
}

// requestsTo returns the number of requests that a service has received.
func requestsTo(service *faults.Handler) (sent int) {
	for _, times := range service.Counts().Requests {
		sent += times
	}
	return sent
}
