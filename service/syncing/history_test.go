package syncing_test

import (
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/providers/internet"
	fake "tarmac/internal/testsupport/providers/simplefin"
	"tarmac/service/providers"
	"tarmac/service/providers/simplefin"
	"tarmac/service/providers/wire"
	"tarmac/service/syncing"
)

// newSimpleFIN returns a fixture with a SimpleFIN server that has two accounts.
func newSimpleFIN(t *testing.T) (f *fixture, server *fake.Server, a, b *fake.Account) {
	t.Helper()
	web, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = web.Close() }) // all requests were answered
	f = newFixture(t)
	f.Kinds = []providers.Kind{simplefin.Kind()}
	if f.Client, err = wire.New(wire.Config{Proxy: web.Proxy, RootCAs: web.RootCAs()}); err != nil {
		t.Fatal(err)
	}
	const host = "bridge.simplefin.org"
	server = fake.New(host, f.clock.now)
	web.Handle(host, server)
	login := server.Connect("Harbor Bank", "Ada")
	a = server.Open(login, "Checking (4821)", "USD", 1_000_00)
	b = server.Open(login, "Savings (7733)", "USD", 1_000_00)
	return f, server, a, b
}

func (f *fixture) connectSimpleFIN(t *testing.T, server *fake.Server) {
	t.Helper()
	c, _, err := f.Connect(t.Context(), f.org, syncing.ConnectRequest{
		Provider: "simplefin", Token: wire.NewSecret(server.Token()),
	})
	if err != nil {
		t.Fatal(err)
	}
	f.choose(t, c, c.Accounts[0].RemoteID, c.Accounts[1].RemoteID)
}

// A request for a window does not say whether days without lines are days of the bank's history.
// Earlier lines say it.
func TestTheHistoryIsCoveredFromTheEarliestLineOnWithoutGaps(t *testing.T) {
	f, server, checking, savings := newSimpleFIN(t)
	today := civil.Of(noon)
	for ago := 128; ago > 0; ago -= 7 {
		server.Book(checking, today.AddDays(-ago).Time(), -1_00, "Rent")
	}
	server.Book(savings, today.AddDays(-100).Time(), 2_00, "Interest")

	f.connectSimpleFIN(t, server)

	accounts, err := f.Books(f.org).Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for n, first := range []civil.Date{today.AddDays(-128), today.AddDays(-100)} {
		covered := accounts[n].Covered
		if len(covered) != 1 || covered[0].First != first.String() || covered[0].Last != today.String() {
			t.Errorf("%s is covered on %v, want from %v to %v", accounts[n].Account, covered, first, today)
		}
		if accounts[n].Contradiction {
			t.Errorf("%s does not add up: %+v", accounts[n].Account, accounts[n])
		}
	}
}

func TestDaysWithoutReadingsAreReadAfterwards(t *testing.T) {
	f, server, checking, _ := newSimpleFIN(t)
	server.Book(checking, noon.AddDate(0, 0, -10), -1_00, "Rent")
	f.connectSimpleFIN(t, server)
	for range 15 {
		f.clock.advance(7 * 24 * time.Hour)
		server.Book(checking, f.clock.now(), -1_00, "Rent")
	}

	f.sync(t)

	accounts, err := f.Books(f.org).Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a := accounts[0]; len(a.Covered) != 1 || a.Lines != 16 || a.Contradiction {
		t.Errorf("%+v", a)
	}
}

func TestAfterAPauseAReadingReachesBackToTheLastOne(t *testing.T) {
	f := connected(t, nil, 100)
	f.clock.advance(60 * 24 * time.Hour)

	f.sync(t)

	sent := f.bank.sent()
	if last, want := sent[len(sent)-1], "read since "+civil.Of(noon).String(); last != want {
		t.Errorf("the last request is %q, want %q", last, want)
	}
}
