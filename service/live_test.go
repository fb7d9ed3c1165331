package service_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/internal/testsupport/providers/internet"
	fake "tarmac/internal/testsupport/providers/mercury"
	"tarmac/service"
	"tarmac/service/providers"
	"tarmac/service/providers/mercury"
	"tarmac/service/providers/wire"
	"tarmac/service/syncing"
)

// liveBank is an organization whose books are read from Mercury.
type liveBank struct {
	*fixture
	tenant
	bank     *fake.Server
	internet *internet.Internet
	account  *fake.Account
	before   int // number of requests when the test began
}

// newLiveBank connects an organization to an account with 1,000.00 dollars at Mercury, reads it,
// and waits until the balance is no longer fresh.
func newLiveBank(t testing.TB) *liveBank {
	t.Helper()
	net, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = net.Close() })
	l := &liveBank{fixture: start(t, 0), internet: net}
	l.bank = fake.New(l.clock.now)
	net.Handle(fake.Host, l.bank)
	if l.bankWire, err = wire.New(wire.Config{Proxy: net.Proxy, RootCAs: net.RootCAs()}); err != nil {
		t.Fatal(err)
	}
	l.banks = []providers.Kind{mercury.Kind()}
	l.restart()
	l.tenant = l.fixture.tenant("a")
	l.account = l.bank.Open("Operating", "checking", "202012346789", 0)
	for day := range 100 {
		l.bank.Book(l.account, noon.AddDate(0, 0, -day), 10_00, fmt.Sprintf("Customer %d", day))
	}
	l.connect(t, l.bank.Token())
	l.clock.advance(time.Minute)
	l.before = len(l.bank.Requests())
	return l
}

// connect connects to Mercury with a token and reads all accounts.
func (l *liveBank) connect(t testing.TB, token string) {
	t.Helper()
	s := l.service.Syncing()
	c, _, err := s.Connect(t.Context(), l.key, syncing.ConnectRequest{Provider: "mercury", Token: wire.NewSecret(token)})
	if err != nil {
		t.Fatal(err)
	}
	var choices []syncing.Choice
	for _, a := range c.Accounts {
		choices = append(choices, syncing.Choice{RemoteID: a.RemoteID})
	}
	if o, err := s.Take(t.Context(), l.key, c.ID, choices); err != nil || o.Problem != "" {
		t.Fatalf("%+v, %v", o, err)
	}
}

// asked returns the number of requests to Mercury since the test began.
func (l *liveBank) asked() int { return len(l.bank.Requests()) - l.before }

func (l *liveBank) account200(t testing.TB) (c ownCash) {
	t.Helper()
	got := l.get(l.secret, prefix+"/account")
	if err := json.Unmarshal(got.body, &c); err != nil || got.status != http.StatusOK {
		t.Fatalf("%d %s", got.status, got.body)
	}
	return c
}

func TestTheAccountIsReadFromItsProviderWhenItIsAskedFor(t *testing.T) {
	l := newLiveBank(t)
	l.bank.Hold(l.account, l.clock.now(), -250_00, "Card")
	l.bank.Book(l.account, l.clock.now(), 7_00, "Customer")

	got := l.account200(t)

	want := l.clock.now().UTC().Format(time.RFC3339)
	if b := got.Balance; b.Available != 757_00 || b.Holding != 250_00 || b.Locked != 0 || b.Pending != 0 ||
		got.SyncedAt != want || l.asked() != 1 {
		t.Errorf("%+v after %d requests", got, l.asked())
	}
	if cash := l.ownCash(l.tenant); cash.Cash != 1007_00 ||
		!strings.Contains(cash.RunwayNote, "Mercury …6789: read at 2026-11-21 12:01 UTC.") {
		t.Errorf("the cash position is %+v", cash)
	}
}

func TestAccountsInFilesStayBesideALiveOne(t *testing.T) {
	l := newLiveBank(t)
	l.importFiles(l.tenant, year.source())
	l.bank.Book(l.account, l.clock.now(), 7_00, "Customer")

	got := l.account200(t)

	if got.Balance.Available != 1007_00+10_000_00 || got.SyncedAt != "2026-11-20T23:59:59Z" {
		t.Errorf("%+v", got)
	}
}

func TestManyRequestsAreOneQuestionToTheProvider(t *testing.T) {
	l := newLiveBank(t)
	var requests sync.WaitGroup
	for range 20 {
		requests.Go(func() { l.account200(t) })
	}
	requests.Wait()
	l.clock.advance(9 * time.Second)
	l.account200(t)

	if l.asked() != 1 {
		t.Errorf("the provider was asked %d times within ten seconds", l.asked())
	}
	l.clock.advance(2 * time.Second)
	if l.account200(t); l.asked() != 2 {
		t.Errorf("the provider was asked %d times after ten seconds", l.asked())
	}
}

// another returns another service on the same database, as another process has it.
func (l *liveBank) another(t testing.TB) *service.Service {
	t.Helper()
	s, err := service.Open(context.Background(), service.Config{
		Database: l.database, KeyFile: l.keyFile, Ephemeral: true, Logger: slog.New(slog.DiscardHandler),
		Now: l.clock.now, Entropy: rand.Reader, Webhooks: l.webhooks, Providers: l.banks, ProviderClient: l.bankWire,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestTwoProcessesAskTheProviderOnce(t *testing.T) {
	for _, fails := range []bool{false, true} {
		l := newLiveBank(t)
		other := l.another(t)
		arrived, release := make(chan struct{}, 2), make(chan struct{})
		l.internet.Handle(fake.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			arrived <- struct{}{}
			<-release
			l.bank.ServeHTTP(w, r)
		}))
		if fails {
			l.bank.Fail(500, "")
		}
		outcomes := make(chan error, 3)
		go func() { outcomes <- l.service.Syncing().RefreshBalances(t.Context(), l.key) }()
		<-arrived
		for range 2 {
			go func() { outcomes <- other.Syncing().RefreshBalances(t.Context(), l.key) }()
		}
		close(release)

		for range 3 {
			if err := <-outcomes; (err != nil) != fails {
				t.Errorf("the outcome is %v", err)
			}
		}
		if l.asked() != 1 {
			t.Errorf("the provider was asked %d times", l.asked())
		}
	}
}

func TestAProviderThatFailsIsA503AndNeverAnOlderBalance(t *testing.T) {
	const failed, often = "has a problem (status 50", "asked too often"
	fail := func(status int, wait string) func(l *liveBank) {
		return func(l *liveBank) { l.bank.Fail(status, wait) }
	}
	for name, test := range map[string]struct {
		fail       func(l *liveBank)
		text, wait string
		soon       time.Duration // until the provider may be asked again
	}{
		"a server error":         {fail(500, ""), failed, "30", 6 * time.Second},
		"a busy server":          {fail(503, "40"), failed, "40", 41 * time.Second},
		"a limit":                {fail(429, "90"), often, "90", 91 * time.Second},
		"a short limit":          {fail(429, "4"), often, "4", 4 * time.Second},
		"an absurd wait":         {fail(429, "99999999999"), often, "86400", 25 * time.Hour},
		"a limit without a time": {fail(429, ""), often, "30", 31 * time.Second},
		"a page of HTML":         {fail(401, ""), "web page with status 401", "30", 6 * time.Second},
		"no connection": {
			func(l *liveBank) { l.internet.SetDown(fake.Host, true) }, "mercury.com", "30", 6 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLiveBank(t)
			test.fail(l)

			got := l.get(l.secret, prefix+"/account")

			if got.status != 503 || got.header.Get("Retry-After") != test.wait ||
				!strings.Contains(string(got.body), "the account balance could not be read: ") ||
				!strings.Contains(string(got.body), test.text) {
				t.Errorf("%d %s, retry after %s", got.status, got.body, got.header.Get("Retry-After"))
			}
			asked := l.asked()
			if again := l.get(l.secret, prefix+"/account"); again.status != 503 || l.asked() != asked {
				t.Errorf("%d after %d more requests", again.status, l.asked()-asked)
			}
			if cash := l.get(l.secret, prefix+"/insights/cash-position"); cash.status != 200 ||
				!strings.Contains(string(cash.body), "read at 2026-11-21 12:00 UTC") {
				t.Errorf("the cash position is %d %s", cash.status, cash.body)
			}
			l.bank.Fail(0, "")
			l.internet.SetDown(fake.Host, false)
			l.clock.advance(test.soon)
			if back := l.account200(t); back.Balance.Available != 1000_00 {
				t.Errorf("then the account is %+v", back)
			}
		})
	}
}

func TestASilentProviderIsNamedWithTheTimeThatItHad(t *testing.T) {
	t.Parallel() // waits as long as a request for the account does
	l := newLiveBank(t)
	released := make(chan struct{})
	defer close(released)
	l.internet.Handle(fake.Host, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-released }))

	got := l.get(l.secret, prefix+"/account")

	if got.status != 503 ||
		!strings.Contains(string(got.body), "could not be read: Mercury did not answer within 4 seconds") {
		t.Errorf("the account is %d %s", got.status, got.body)
	}
}

func TestAReadingThatIsToldToWaitBlocksTheAccountNoLonger(t *testing.T) {
	l := newLiveBank(t)
	l.bank.Fail(429, "4")
	outcomes, err := l.service.Syncing().Sync(t.Context(), l.key, "", syncing.SyncOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l.bank.Fail(0, "")

	got := l.get(l.secret, prefix+"/account")

	if got.status != 503 || got.header.Get("Retry-After") != "4" ||
		outcomes[0].Problem != "Mercury was asked too often, and asks to wait 4 seconds" {
		t.Errorf("%d, retry after %s, %+v", got.status, got.header.Get("Retry-After"), outcomes)
	}
	l.clock.advance(4 * time.Second)
	l.account200(t)
	if again, err := l.service.Syncing().Sync(t.Context(), l.key, "", syncing.SyncOptions{}); err != nil ||
		again[0].Problem != "" {
		t.Errorf("then the reading is %+v, %v", again, err)
	}
}

func TestARevokedTokenIsNotAskedWithAndANewOneIsAtOnce(t *testing.T) {
	l := newLiveBank(t)
	l.bank.Revoke()
	if _, err := l.service.Syncing().Sync(t.Context(), l.key, "", syncing.SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	asked := l.asked()

	got := l.get(l.secret, prefix+"/account")

	if got.status != 503 || !strings.Contains(string(got.body), "connect again") || l.asked() != asked {
		t.Errorf("%d %s after %d requests", got.status, got.body, l.asked()-asked)
	}
	l.connect(t, l.bank.Token())
	if back := l.account200(t); back.Balance.Available != 1000_00 {
		t.Errorf("then the account is %+v", back)
	}
}

func TestARemovedConnectionLeavesItsLastBalanceWithItsAge(t *testing.T) {
	l := newLiveBank(t)
	l.bank.Hold(l.account, l.clock.now(), -250_00, "Card")
	l.account200(t)
	asked := l.asked()
	l.clock.advance(time.Hour)
	if err := l.service.Syncing().Disconnect(t.Context(), l.key, "mercury", false); err != nil {
		t.Fatal(err)
	}

	got := l.account200(t)

	if got.Balance.Available != 750_00 || got.Balance.Holding != 250_00 || l.asked() != asked ||
		got.SyncedAt != "2026-11-21T12:01:00Z" {
		t.Errorf("%+v after %d requests", got, l.asked())
	}
	if cash := l.ownCash(l.tenant); cash.Cash != 1000_00 ||
		!strings.Contains(cash.RunwayNote, "Mercury …6789: read at 2026-11-21 12:01 UTC.") {
		t.Errorf("the cash position is %+v", cash)
	}
}
