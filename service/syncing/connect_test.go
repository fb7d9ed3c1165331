package syncing_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"tarmac/service/providers"
	"tarmac/service/providers/wire"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// checking is an account that the stub of the bank lists.
func checking(id, number string) providers.Account {
	return providers.Account{
		ID: id, Currency: "USD",
		Account: bank.Account{Number: number, Bank: "First", Name: "Checking", Kind: bank.KindChecking},
		Balance: &providers.Balance{CurrentMinor: 500, AvailableMinor: 400, At: noon},
	}
}

func (f *fixture) connect(t testing.TB, token string) *syncing.Connection {
	t.Helper()
	c, _, err := f.Connect(context.Background(), f.org,
		syncing.ConnectRequest{Provider: "bank", Token: wire.NewSecret(token)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (f *fixture) list(t testing.TB) []syncing.Connection {
	t.Helper()
	all, err := f.List(context.Background(), f.org)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestConnectingStoresTheAccountsAndProposesTheirPlaceInTheBooks(t *testing.T) {
	f := newFixture(t)
	f.bank.listing = providers.Listing{Company: "One Inc.", Accounts: []providers.Account{
		checking("a", "…6789"), checking("b", ""), checking("c", ""),
	}}

	c := f.connect(t, "token")

	numbers := []string{}
	for _, a := range c.Accounts {
		numbers = append(numbers, a.BooksNumber)
	}
	if want := []string{"…6789", "Checking", "First Checking"}; !slices.Equal(numbers, want) {
		t.Errorf("the proposed numbers are %q, want %q", numbers, want)
	}
	all := f.list(t)
	if len(all) != 1 || all[0].State != store.ConnectionChoosing || all[0].Label != "Bank" ||
		all[0].Company != "One Inc." {
		t.Fatalf("connections are %+v", all)
	}
	if b := all[0].Accounts[0].Balance; b == nil || b.AvailableMinor != 400 || !b.At.Equal(noon) {
		t.Errorf("the stored balance is %+v", b)
	}
}

func TestATokenThatIsRefusedLeavesNoConnection(t *testing.T) {
	f := newFixture(t)

	_, _, err := f.Connect(context.Background(), f.org,
		syncing.ConnectRequest{Provider: "bank", Token: wire.NewSecret("used")})

	failure, ok := errors.AsType[*providers.Failure](err)
	if !ok || failure.Cause != providers.Denied {
		t.Errorf("the error is %v", err)
	}
	if all := f.list(t); len(all) != 0 {
		t.Errorf("connections are %+v", all)
	}
}

func TestAnotherTokenForTheSameAccountsReplacesTheCredential(t *testing.T) {
	f := newFixture(t)
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789"), checking("b", "…1234")}}
	first := f.connect(t, "token")
	f.choose(t, first, "a")
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("new", "…6789"), checking("b", "…1234")}}

	second := f.connect(t, "another")

	all := f.list(t)
	if len(all) != 1 || second.ID != first.ID || all[0].State != store.ConnectionReady {
		t.Fatalf("connections are %+v", all)
	}
	if a := all[0].Accounts[0]; a.RemoteID != "new" || !a.Taken || a.BooksNumber != "…6789" {
		t.Errorf("the account that was linked again is %+v", a)
	}
	if a := all[0].Accounts[1]; a.RemoteID != "b" || a.Taken {
		t.Errorf("the other account is %+v", a)
	}
}

func TestConnectionsAreFoundByLabelProviderAndID(t *testing.T) {
	f := newFixture(t)
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789")}}
	first := f.connect(t, "token")
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("z", "…0001")}}
	second := f.connect(t, "other")

	for name, want := range map[string]string{"bank": first.ID, "BANK 2": second.ID, second.ID: second.ID} {
		if c, err := f.Find(context.Background(), f.org, name); err != nil || c.ID != want {
			t.Errorf("%q is %s, %v; want %s", name, c.ID, err, want)
		}
	}
	_, err := f.Find(context.Background(), f.org, "other")
	if !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), "Bank, Bank 2") {
		t.Errorf("the error is %v", err)
	}
}

func TestADisconnectedConnectionLosesItsCredential(t *testing.T) {
	f := newFixture(t)
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789")}}
	c := f.connect(t, "token")

	if err := f.Disconnect(context.Background(), f.org, "bank", false); err != nil {
		t.Fatal(err)
	}

	if all := f.list(t); len(all) != 0 {
		t.Errorf("connections are %+v", all)
	}
	err := f.Store.Read(context.Background(), func(snap *store.Snapshot) error {
		sealed, err := snap.ConnectionSecret(c.Key)
		if sealed != nil {
			t.Error("the credential is still stored")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// choose takes accounts of a connection.
func (f *fixture) choose(t testing.TB, c *syncing.Connection, remoteIDs ...string) {
	t.Helper()
	var choices []syncing.Choice
	for _, id := range remoteIDs {
		choices = append(choices, syncing.Choice{RemoteID: id})
	}
	if _, err := f.Take(context.Background(), f.org, c.ID, choices); err != nil {
		t.Fatal(err)
	}
}

func TestADisconnectedConnectionIsContinuedByANewToken(t *testing.T) {
	f := connected(t, nil, 100, 200)
	before := f.list(t)[0]
	if err := f.Disconnect(context.Background(), f.org, "bank", false); err != nil {
		t.Fatal(err)
	}

	after := f.connect(t, "another")
	outcome := f.sync(t)

	if after.ID != before.ID || after.State != store.ConnectionReady || outcome.Problem != "" || outcome.Added != 0 {
		t.Errorf("the connection is %+v, and its reading %+v", after, outcome)
	}
}

func TestANewTokenEndsTheFailure(t *testing.T) {
	f := connected(t, nil, 100)
	f.bank.failure = &providers.Failure{Cause: providers.Denied, Text: "revoked"}
	f.sync(t)
	f.bank.failure = nil

	c := f.connect(t, "another")

	if c.State != store.ConnectionReady || c.Problem != "" || c.Failures != 0 || c.NextTry.After(f.clock.now()) {
		t.Errorf("the connection is %+v", c.Connection)
	}
}

// A process that dies while it exchanges a token leaves a connection that says so, until another
// token was accepted.
func TestATokenWhoseExchangeWasInterruptedIsShownUntilTheNext(t *testing.T) {
	f := newFixture(t)
	err := f.Store.Write(context.Background(), func(tx *store.Tx) error {
		_, err := tx.InsertConnection(store.Connection{
			Org: f.org, ID: "con_1", Provider: "bank", Label: "Bank", State: store.ConnectionClaiming, CreatedAt: noon,
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789")}}

	interrupted := f.sync(t).Problem
	c := f.connect(t, "token")

	if !strings.Contains(interrupted, "may be used up") {
		t.Errorf("the problem is %q", interrupted)
	}
	if all := f.list(t); c.Label != "Bank" || len(all) != 1 || all[0].ID != c.ID {
		t.Errorf("connections are %+v", all)
	}
}

func TestAccountsCanBeChosenAgainWithoutAToken(t *testing.T) {
	f := newFixture(t)
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789"), checking("b", "…1234")}}
	f.bank.reading = func(r providers.Request) (reading providers.Reading, err error) {
		for _, account := range r.Accounts {
			reading.Statements = append(reading.Statements, statement(account, r, 100))
		}
		return reading, nil
	}
	f.choose(t, f.connect(t, "token"), "a")

	f.choose(t, f.connect(t, ""), "a", "b")

	if sent := f.bank.sent(); f.bank.claims != 1 || sent[3] != "read since 2024-11-18" {
		t.Errorf("%d claims; the requests are %q", f.bank.claims, sent)
	}
	accounts, err := f.Books(f.org).Accounts(context.Background())
	if err != nil || len(accounts) != 2 {
		t.Errorf("the accounts in the books are %+v, %v", accounts, err)
	}
}

func TestAnAccountIsReadIntoOneAccountOfTheBooks(t *testing.T) {
	f := newFixture(t)
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789"), checking("b", "…1234")}}
	f.choose(t, f.connect(t, "token"), "a")

	for what, choices := range map[string][]syncing.Choice{
		"another account of the books": {{RemoteID: "a", BooksAccount: "5555"}},
		"an account for two":           {{RemoteID: "a"}, {RemoteID: "b", BooksAccount: "…6789"}},
	} {
		_, err := f.Take(context.Background(), f.org, f.list(t)[0].ID, choices)

		if err == nil || !strings.Contains(err.Error(), "6789") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if a := f.list(t)[0].Accounts; a[0].BooksNumber != "…6789" || !a[0].Taken || a[1].Taken {
		t.Errorf("the accounts are %+v", a)
	}
}

func TestAnotherChoiceOfAccountsOutlivesAReadingInProgress(t *testing.T) {
	f := connected(t, nil, 100)
	f.bank.listing.Accounts = append(f.bank.listing.Accounts, checking("b", "…1234"))
	again, _, err := f.Connect(context.Background(), f.org, syncing.ConnectRequest{Provider: "bank"})
	if err != nil {
		t.Fatal(err)
	}
	answer := f.bank.reading
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		f.bank.reading = answer
		f.choose(t, again, "b")
		return answer(r)
	}

	_, _ = f.Sync(context.Background(), f.org, "bank", syncing.SyncOptions{}) // its outcome is lost

	for _, a := range f.list(t)[0].Accounts {
		if a.Taken != (a.RemoteID == "b") {
			t.Errorf("the account %s is read: %v", a.RemoteID, a.Taken)
		}
	}
}
