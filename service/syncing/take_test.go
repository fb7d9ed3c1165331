package syncing_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tarmac/service/providers"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// events returns the bodies of the organization's events about readings, the newest first.
func (f *fixture) events(t testing.TB) (bodies []string) {
	t.Helper()
	err := f.Store.Read(context.Background(), func(snap *store.Snapshot) error {
		all, err := snap.Feed(f.org, store.FeedQuery{Limit: 100})
		for _, e := range all {
			bodies = append(bodies, string(e.Body))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bodies
}

// answer makes the bank answer with these amounts.
func (f *fixture) answer(amounts ...int64) {
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		return providers.Reading{Statements: []providers.Statement{statement("a", r, amounts...)}}, nil
	}
}

func TestAReadingThatChangesTheBooksHasNoEvent(t *testing.T) {
	f := connected(t, nil, 100, 200)
	f.clock.advance(time.Hour)
	f.sync(t)
	f.answer(100, 300)
	f.clock.advance(time.Hour)

	outcome := f.sync(t)

	if outcome.Added != 1 || outcome.Removed != 1 {
		t.Errorf("the outcome is %+v", outcome)
	}
	if told := f.events(t); len(told) != 0 {
		t.Errorf("the events are %q", told)
	}
}

func TestManyLinesThatVanishAreAsked(t *testing.T) {
	many := make([]int64, 30)
	for n := range many {
		many[n] = int64(n + 1)
	}
	f := connected(t, nil, many...)
	f.answer(many[20:]...)
	f.clock.advance(time.Hour)

	outcome := f.sync(t)

	if c := outcome.Connection; c.State != store.ConnectionAsking || !strings.Contains(c.Problem, "--accept-removed") {
		t.Errorf("the connection is %+v", c)
	}
	outcomes, err := f.Sync(context.Background(), f.org, "", syncing.SyncOptions{AcceptRemoved: true})
	if err != nil || outcomes[0].Removed != 20 || outcomes[0].Connection.State != store.ConnectionReady {
		t.Errorf("after the answer: %+v, %v", outcomes, err)
	}
}

func TestAForgottenConnectionLeavesNothingInTheBooks(t *testing.T) {
	f := connected(t, nil, 100, 200)

	for _, forget := range [...]bool{false, true} {
		if err := f.Disconnect(context.Background(), f.org, "bank", forget); err != nil {
			t.Fatal(err)
		}
	}

	accounts, err := f.Books(f.org).Accounts(context.Background())
	if err != nil || len(accounts) != 0 || len(f.list(t)) != 0 {
		t.Errorf("the accounts in the books are %+v, %v", accounts, err)
	}
}

func TestPendingLinesAreCountedAndAskedForAgain(t *testing.T) {
	f := connected(t, nil)
	var since []string
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		since = append(since, r.PendingSince.String())
		st := statement("a", r, 100)
		st.Lines = append(st.Lines, bank.Line{Booked: r.Since.AddDays(3), Minor: -50, Pending: true})
		return providers.Reading{Statements: []providers.Statement{st}}, nil
	}

	outcome := f.sync(t)
	f.sync(t)

	if outcome.Pending != 1 || since[0] != "" || since[1] != "2026-10-10" {
		t.Errorf("%d lines are pending, asked since %q", outcome.Pending, since)
	}
}

func TestABalanceThatDoesNotAddUpIsTheConnectionsStateUntilItIsGone(t *testing.T) {
	f := newFixture(t)
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789")}}
	closing := int64(1000)
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		st := statement("a", r, 100)
		st.Closing = &bank.Balance{Minor: closing, Date: st.Last}
		return providers.Reading{Statements: []providers.Statement{st}}, nil
	}
	f.choose(t, f.connect(t, "token"), "a")
	closing = 1500
	f.clock.advance(24 * time.Hour)

	residual := f.sync(t).Connection.Residual
	closing = 1000
	f.clock.advance(time.Hour)
	after := f.sync(t).Connection.Residual

	if !strings.Contains(residual, "5.00") || after != "" {
		t.Errorf("the residual is %q, and afterwards %q", residual, after)
	}
}

func TestAnAccountWithoutANumberKeepsItsName(t *testing.T) {
	f := newFixture(t)
	treasury := checking("t", "")
	treasury.Name = "Treasury"
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789"), treasury}}
	lines := []int64{100}
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		return providers.Reading{Statements: []providers.Statement{
			statement("a", r, lines...), statement("t", r, lines...),
		}}, nil
	}
	f.choose(t, f.connect(t, "token"), "a", "t")

	for range 2 {
		lines = append([]int64{200}, lines...)
		f.clock.advance(time.Hour)
		if outcome := f.sync(t); outcome.Added != 2 || outcome.Removed != 0 {
			t.Errorf("the outcome is %+v", outcome)
		}
	}

	accounts, err := f.Books(f.org).Accounts(context.Background())
	if err != nil || len(accounts) != 2 || accounts[0].Number != "Treasury" || accounts[1].Number != "…6789" {
		t.Errorf("the accounts in the books are %+v, %v", accounts, err)
	}
}
