package books

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
	"tarmac/views"
)

// bridge implements importing.Providers with results that a test sets. calls lists the calls of its
// methods.
type bridge struct {
	connections []ownbooks.Connection
	found       ownbooks.Connection // result of Connect
	outcome     ownbooks.Outcome
	fail        error // of every call but Connections
	calls       []string
	token       importing.Token
	choices     []ownbooks.AccountChoice
	wait        func(ctx context.Context)  // called by Sync before it returns
	held        func(waiting func(string)) // called by Sync with its parameter
}

func (b *bridge) Kinds() []ownbooks.ProviderKind {
	return []ownbooks.ProviderKind{
		{
			Name: "mercury", Title: "Mercury", Every: 15 * time.Minute,
			Brings:    "live balance and transactions of your Mercury account",
			TokenHelp: "An API token that can only read. Make one at Mercury: Settings, API Tokens, Read Only.",
		},
		{
			Name: "simplefin", Title: "SimpleFIN", Every: 6 * time.Hour,
			Brings: "accounts at banks, through the SimpleFIN Bridge",
			TokenHelp: "A setup token. Connect your bank at bridge.simplefin.org and create a new connection for an app " +
				"there. The token can be used once.",
		},
		{
			Name: "stripe", Title: "Stripe", Every: time.Hour, Brings: "open invoices at Stripe",
			TokenHelp: "A restricted key (rk_live_…) that can only read Invoices. Make one at Stripe: Developers, API keys, " +
				"Create restricted key.",
		},
	}
}

func (b *bridge) Connections(context.Context) ([]ownbooks.Connection, error) {
	return append([]ownbooks.Connection(nil), b.connections...), nil
}

func (b *bridge) Connect(_ context.Context, r importing.ConnectRequest) (ownbooks.Connection, error) {
	b.calls = append(b.calls, strings.TrimSpace("connect "+r.Provider+" "+r.Label))
	b.token = r.Token
	return b.found, b.fail
}

func (b *bridge) Take(_ context.Context, id string, choices []ownbooks.AccountChoice) (ownbooks.Outcome, error) {
	b.calls = append(b.calls, "take "+id)
	b.choices = choices
	return b.outcome, b.fail
}

func (b *bridge) Sync(ctx context.Context, id string, acceptRemoved bool, waiting func(string)) (
	[]ownbooks.Outcome, error,
) {
	call := strings.TrimSpace("sync " + id)
	if acceptRemoved {
		call += " accepting"
	}
	b.calls = append(b.calls, call)
	if b.wait != nil {
		b.wait(ctx)
	}
	if b.held != nil {
		b.held(waiting)
	}
	return []ownbooks.Outcome{b.outcome}, errors.Join(b.fail, ctx.Err())
}

func (b *bridge) Find(context.Context, string) (ownbooks.Connection, error) {
	return ownbooks.Connection{}, errors.New("the page finds connections in its list")
}

func (b *bridge) Disconnect(_ context.Context, id string, forget bool) error {
	call := "disconnect " + id
	if forget {
		call += " forgetting"
	}
	b.calls = append(b.calls, call)
	return b.fail
}

// asked returns the calls since the last call of asked.
func (b *bridge) current() string {
	calls := strings.Join(b.calls, ", ")
	b.calls = nil
	return calls
}

// at returns a time near start.
func at(d time.Duration) ownbooks.Moment { return ownbooks.At(start.Add(d)) }

// newBridge returns a connection in each state.
func newBridge() *bridge {
	ready := ownbooks.Connection{
		ID: "con_1", Provider: "mercury", Title: "Mercury", Label: "Mercury", Company: "Northlight Labs, Inc.",
		State: ownbooks.Ready, Every: 15 * time.Minute, LastSuccess: at(-3 * time.Minute),
		LastTry: at(-3 * time.Minute), NextTry: at(12 * time.Minute),
		Accounts: []ownbooks.ConnectedAccount{
			{
				ID: "a1", Bank: "Mercury", Name: "Mercury Checking", Number: "…6789", Currency: "USD",
				Balance: ptr(int64(4211007)), Taken: true, BooksAccount: "…6789",
			},
			{ID: "a2", Bank: "Mercury", Name: "Treasury", Currency: "USD", Balance: ptr(int64(25000000))},
		},
	}
	failing := ownbooks.Connection{
		ID: "con_2", Provider: "simplefin", Title: "SimpleFIN", Label: "SimpleFIN", State: ownbooks.Failing,
		Every: 6 * time.Hour, LastSuccess: at(-31 * time.Hour), LastTry: at(-40 * time.Minute),
		NextTry: at(80 * time.Minute), Failures: 5, RequestsLeft: ptr(11),
		Problem: "bridge.simplefin.org answered with the server error 503.",
		Notices: []string{"Harbor & Pine Bank: authentication required; log in at the bridge."},
		Accounts: []ownbooks.ConnectedAccount{
			{ID: "b1", Bank: "Harbor & Pine Bank", Name: "Operating", Number: "…4821", Currency: "USD", Taken: true},
		},
	}
	denied := ownbooks.Connection{
		ID: "con_3", Provider: "stripe", Title: "Stripe", Label: "Stripe EU", State: ownbooks.Denied, Every: time.Hour,
		LastSuccess: at(-72 * time.Hour), LastTry: at(-9 * time.Hour), NextTry: at(15 * time.Hour),
		Failures: 3, Problem: "Stripe does not accept the key any more.",
	}
	found := ownbooks.Connection{
		ID: "con_4", Provider: "mercury", Title: "Mercury", Label: "Mercury 2", Company: "Northlight Labs, Inc.",
		State: ownbooks.Choosing, Every: 15 * time.Minute,
		Accounts: []ownbooks.ConnectedAccount{
			{
				ID: "a1", Bank: "Mercury", Name: "Mercury Checking", Number: "…6789", Currency: "USD",
				Balance: ptr(int64(4211007)), BooksAccount: "…6789", Matches: []string{"…6789", "…4821"},
			},
			{
				ID: "a2", Bank: "Mercury", Name: "Treasury", Currency: "USD", Balance: ptr(int64(25000000)),
				BooksAccount: "Mercury Treasury",
			},
			{ID: "a3", Bank: "Mercury", Name: "Vault", Refused: "its unit is no currency"},
		},
	}
	return &bridge{
		connections: []ownbooks.Connection{ready, failing, denied}, found: found,
		outcome: ownbooks.Outcome{Connection: ready, Added: 41, Changed: 2, Pending: 3},
	}
}

// openWith returns the page on books with connections.
func openWith(t testing.TB, change ...func(*bridge)) (*fixture, *bridge) {
	t.Helper()
	b := newBridge()
	for _, c := range change {
		c(b)
	}
	return openAs(t, views.Env{Providers: b}), b
}
