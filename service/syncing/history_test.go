package syncing_test

import (
	"slices"
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
		if len(covered) != 1 || covered[0].First != first || covered[0].Last != today {
			t.Errorf("%s is covered on %v, want from %v to %v", accounts[n].Number, covered, first, today)
		}
		if accounts[n].Contradiction {
			t.Errorf("%s does not add up: %+v", accounts[n].Number, accounts[n])
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

// windowed returns a fixture with the accounts "a" and "b" of two banks, which are read in windows.
// The bank of b answers only if *signedIn is true.
func windowed(t *testing.T, signedIn *bool) *fixture {
	t.Helper()
	f := newFixture(t)
	kind := f.bank.kind()
	kind.Window = 44
	f.Kinds = []providers.Kind{kind}
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789"), checking("b", "…1234")}}
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		answer := providers.Reading{Statements: []providers.Statement{
			statement("a", r, make([]int64, 100)...), statement("b", r, make([]int64, 100)...),
		}}
		if !*signedIn {
			answer.Statements[1] = providers.Statement{Account: "b", Incomplete: "Harbor Bank: sign in"}
			answer.SignIn = []string{"Harbor Bank"}
		}
		return answer, nil
	}
	f.choose(t, f.connect(t, "token"), "a", "b")
	return f
}

func TestOneBankWithoutALoginDoesNotStopTheHistoryOfOthers(t *testing.T) {
	signedIn := false
	f := windowed(t, &signedIn)
	lines := func() (counts []int) {
		accounts, err := f.Books(f.org).Accounts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range accounts {
			counts = append(counts, a.Lines)
		}
		return counts
	}

	c := f.list(t)[0]
	without := lines()

	if !slices.Equal(without, []int{100}) || !c.History.Whole {
		t.Errorf("the accounts have %d lines, and the history is %+v", without, c.History)
	}
	if !slices.Equal(c.SignIn, []string{"Harbor Bank"}) ||
		c.Problem != "Harbor Bank: sign in; all other accounts were read" {
		t.Errorf("the connection needs %q: %q", c.SignIn, c.Problem)
	}
	signedIn = true
	f.clock.advance(time.Hour)
	f.sync(t)
	if got := lines(); !slices.Equal(got, []int{100, 100}) {
		t.Errorf("after the login the accounts have %d lines", got)
	}
	if c := f.list(t)[0]; len(c.SignIn) != 0 || c.Problem != "" || !c.History.Whole || c.History.Lacks != 0 {
		t.Errorf("after the login the connection is %+v", c.Connection)
	}
}
