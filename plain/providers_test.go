package plain_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
)

// bridge implements importing.Providers with one connection. calls lists what it was asked to do.
type bridge struct {
	state ownbooks.ConnectionState
	found []ownbooks.ConnectedAccount
	fail  error
	calls []string
	token string
	busy  string // for what Sync waits; "" if for nothing
}

func (b *bridge) Kinds() []ownbooks.ProviderKind {
	return []ownbooks.ProviderKind{
		{Name: "mercury", Title: "Mercury", TokenHelp: "An API token that can only read."}, {Name: "stripe", Title: "Stripe"},
	}
}

func (b *bridge) connection() ownbooks.Connection {
	c := ownbooks.Connection{
		ID: "con_1", Provider: "mercury", Title: "Mercury", Label: "Bank", State: b.state, Every: 15 * time.Minute,
		LastSuccess: ownbooks.At(time.Now().Add(-5 * time.Minute)), NextTry: ownbooks.At(time.Now().Add(time.Hour)),
		Accounts: []ownbooks.ConnectedAccount{{ID: "a1", Name: "Checking", Number: "…6789", Taken: true}},
	}
	if b.state != ownbooks.Ready {
		c.Problem = "Mercury no longer has 31 lines"
	}
	return c
}

func (b *bridge) Connections(context.Context) ([]ownbooks.Connection, error) {
	if b.state == "" {
		return nil, nil
	}
	return []ownbooks.Connection{b.connection()}, nil
}

func (b *bridge) Connect(_ context.Context, r importing.ConnectRequest) (ownbooks.Connection, error) {
	b.token = r.Token.Reveal()
	c := b.connection()
	c.Accounts = b.found
	return c, b.fail
}

func (b *bridge) Take(_ context.Context, id string, choices []ownbooks.AccountChoice) (ownbooks.Outcome, error) {
	call := "take " + id
	for _, choice := range choices {
		call += " " + choice.ID + " as " + choice.BooksAccount
	}
	b.calls = append(b.calls, call)
	return ownbooks.Outcome{Connection: b.connection(), Added: 41}, b.fail
}

func (b *bridge) Sync(_ context.Context, id string, acceptRemoved bool, waiting func(string)) (
	[]ownbooks.Outcome, error,
) {
	call := "sync " + id
	if acceptRemoved {
		call += " accepting"
	}
	b.calls = append(b.calls, call)
	if b.busy != "" {
		waiting(b.busy)
		waiting("")
	}
	return []ownbooks.Outcome{{Connection: b.connection(), Added: 1, Pending: 2}}, b.fail
}

func (b *bridge) Find(_ context.Context, name string) (ownbooks.Connection, error) {
	if b.state == "" {
		return ownbooks.Connection{}, errors.New("no provider is connected")
	}
	if c := b.connection(); strings.EqualFold(name, c.Label) || name == c.Provider {
		return c, nil
	}
	return ownbooks.Connection{}, fmt.Errorf("no connection is called %q; there are Bank", name)
}

func (b *bridge) Disconnect(_ context.Context, id string, forget bool) error {
	call := "disconnect " + id
	if forget {
		call += " forgetting"
	}
	b.calls = append(b.calls, call)
	return b.fail
}

func TestProvidersAreListedReadAndDisconnectedInWords(t *testing.T) {
	b := &bridge{state: ownbooks.Ready}
	k := talk{client: serve(t).client, providers: b}

	text := k.say(t, "providers", "open 1", "sync", "sync bank", "sync stripe", "disconnect mercury", "no",
		"disconnect bank", "yes", "disconnect bank", "forget")

	inOrder(t, text, `1 connection:`, `1: Bank, ok, read 5 minutes ago, next in 59 minutes, accounts read: 1\.`,
		`State: Ok\.`, `Account: Checking …6789`, `Bank: 1 line new, 2 pending\.`, `Bank: 1 line new, 2 pending\.`,
		`[Nn]o connection is called "stripe"; there are Bank\.`, `tarmac deletes its token`, `Nothing changed`,
		`Bank is disconnected; its lines stay in the books`, `its lines are removed from the books`)
	want := []string{"sync ", "sync con_1", "disconnect con_1", "disconnect con_1 forgetting"}
	if !slices.Equal(b.calls, want) {
		t.Errorf("calls are %q, want %q", b.calls, want)
	}
}

func TestAReadingSaysInWordsForWhomItWaits(t *testing.T) {
	b := &bridge{state: ownbooks.Ready, busy: "Bank is being read by process 4711 on host. Waiting, until 12:05:00 UTC"}
	k := talk{client: serve(t).client, providers: b}

	text := k.say(t, "sync bank", "providers")

	inOrder(t, text, `Bank is being read by process 4711 on host\. Waiting, until 12:05:00 UTC…`,
		`Bank: 1 line new, 2 pending\.`, `1 connection:`)
}

func TestAProviderIsConnectedWithATokenThatIsNotShown(t *testing.T) {
	b := &bridge{state: ownbooks.Ready, found: []ownbooks.ConnectedAccount{
		{ID: "a1", Name: "Checking", BooksAccount: "000123456789", Matches: []string{"000123456789"}},
		{ID: "a2", Name: "Vault", Refused: "its unit is no currency"},
		{ID: "a3", Name: "Savings", BooksAccount: "Mercury Savings"},
	}}
	k := talk{client: serve(t).client, providers: b}
	hidden := 0
	k.HideInput = func() (func(), error) { hidden++; return func() { hidden-- }, nil }

	text := k.say(t, "connect", "connect mercury", "secret-token:abc", "4", "1", "no")

	if b.token != "secret-token:abc" || strings.Contains(text, "secret-token") || hidden != 0 {
		t.Errorf("the token is %q, hidden %d times, in\n%s", b.token, hidden, text)
	}
	inOrder(t, text, `Type connect with mercury or stripe\.`, `An API token that can only read`,
		`2: Vault, cannot be read: its unit is no currency`, `1: …6789 of your books`, `2: a new account, Mercury Checking`,
		`Type a number from 1 to 2, or no\.`, `1: a new account, Mercury Savings`, `Connected\. Bank: 41 lines new\.`)
	if want := []string{"take con_1 a1 as 000123456789"}; !slices.Equal(b.calls, want) {
		t.Errorf("calls are %q, want %q", b.calls, want)
	}
}

func TestLinesThatAreGoneAreRemovedOnlyAfterYes(t *testing.T) {
	b := &bridge{state: ownbooks.Asking}

	text := talk{client: serve(t).client, providers: b}.say(t, "sync mercury", "n", "sync mercury", "y")

	inOrder(t, text, `Mercury no longer has 31 lines\. Nothing has changed in the books\.`, `Nothing changed`)
	if want := []string{"sync con_1 accepting"}; !slices.Equal(b.calls, want) {
		t.Errorf("calls are %q, want %q", b.calls, want)
	}
}

func TestFailuresOfProvidersAreSaid(t *testing.T) {
	b := &bridge{state: ownbooks.Ready, fail: errors.New("Mercury does not accept this token")}

	text := talk{client: serve(t).client, providers: b}.say(t, "connect mercury", "", "connect mercury", "x", "sync",
		"disconnect", "disconnect mercury", "yes")

	inOrder(t, text, `Nothing was connected`, `Not connected: Mercury does not accept this token`,
		`Mercury does not accept this token`, `Type disconnect with the name of a connection`,
		`Still connected: Mercury does not accept this token`)
}

func TestProvidersNeedASessionThatCanHaveThem(t *testing.T) {
	client := serve(t).client
	none := talk{client: client}.say(t, "providers", "connect mercury")
	empty := talk{client: client, providers: &bridge{}}.say(t, "providers", "sync x")
	reading := talk{client: client, providers: &bridge{}, readOnly: true}.say(t, "connect mercury")

	inOrder(t, none, `Unknown command "providers"`, `Unknown command "connect"`)
	inOrder(t, empty, `No provider is connected. Type connect with mercury or stripe`, `No provider is connected`)
	inOrder(t, reading, `Unknown command "connect"`)
}
