package syncing_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/providers"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// runAll runs several processes until every connection was read after the clock was advanced, and
// then stops them.
func (f *fixture) runAll(t *testing.T, processes []*syncing.Syncer, orgs []store.OrgKey) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, process := range processes {
		running.Go(func() { process.Run(ctx) })
	}
	deadline := time.After(time.Minute)
	for tick := time.Tick(5 * time.Millisecond); ; {
		read := 0
		for _, org := range orgs {
			all, err := f.List(context.Background(), org)
			if err != nil {
				t.Error(err)
			}
			if err == nil && all[0].LastSuccess.Equal(f.clock.now()) && all[0].NextTry.After(f.clock.now()) {
				read++
			}
		}
		if read == len(orgs) || t.Failed() {
			break
		}
		select {
		case <-deadline:
			t.Fatalf("%d of %d connections were read", read, len(orgs))
		case <-tick:
		}
	}
	stop()
	running.Wait()
}

func TestProcessesTakeTurns(t *testing.T) {
	const connections, processes, hours = 12, 3, 4
	f := newFixture(t)
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		return providers.Reading{Statements: []providers.Statement{statement("a", r, 100, 200)}}, nil
	}
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789")}}
	var orgs []store.OrgKey
	for n := range connections {
		org := f.organization(t, fmt.Sprintf("org_%d", n+2))
		orgs = append(orgs, org)
		f.org = org
		f.choose(t, f.connect(t, "token"), "a")
	}
	var all []*syncing.Syncer
	for range processes {
		all = append(all, f.open(t, f.bank.kind()))
	}
	before := len(f.bank.sent())

	for range hours {
		f.clock.advance(time.Hour + 2*time.Minute)
		f.runAll(t, all, orgs)
	}

	if sent := len(f.bank.sent()) - before; sent != hours*connections {
		t.Errorf("%d requests were sent for %d readings", sent, hours*connections)
	}
	for _, org := range orgs {
		accounts, err := f.Books(org).Accounts(context.Background())
		if err != nil || len(accounts) != 1 || accounts[0].Lines != 2 {
			t.Errorf("the accounts in the books are %+v, %v", accounts, err)
		}
	}
}

func TestAReadingOfAProcessThatDiedIsMadeAgain(t *testing.T) {
	f := connected(t, nil)
	f.clock.advance(time.Hour + time.Minute)
	c := f.list(t)[0]
	err := f.Store.Write(context.Background(), func(tx *store.Tx) error {
		_, claimed, err := tx.ClaimReading(c.Key, f.clock.now(), f.clock.now().Add(5*time.Minute), c.NextTry, "")
		if !claimed {
			t.Error("the connection is not due")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	before := len(f.bank.sent())
	f.clock.advance(5 * time.Minute)

	f.runAll(t, []*syncing.Syncer{f.Syncer}, []store.OrgKey{f.org})

	if sent := len(f.bank.sent()) - before; sent != 1 {
		t.Errorf("%d requests were sent", sent)
	}
}

func TestALeaseThatWasTakenOverRecordsNothing(t *testing.T) {
	f := connected(t, nil, 100)
	f.clock.advance(time.Hour)
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		f.bank.reading = nil
		if err := f.Disconnect(context.Background(), f.org, "bank", false); err != nil {
			t.Error(err)
		}
		return providers.Reading{Statements: []providers.Statement{statement("a", r, 100, 200, 300)}}, nil
	}

	_, err := f.Sync(context.Background(), f.org, "", syncing.SyncOptions{})

	if err == nil {
		t.Error("the reading of a removed connection is no error")
	}
	accounts, err := f.Books(f.org).Accounts(context.Background())
	if err != nil || len(accounts) != 1 || accounts[0].Lines != 1 {
		t.Errorf("the accounts in the books are %+v, %v", accounts, err)
	}
}

// A process without connections sends nothing and asks its database once a minute.
func TestRunEndsWithItsContext(t *testing.T) {
	testdb.SQLiteOnly(t)
	f := newFixture(t)
	ctx, stop := context.WithCancel(context.Background())
	stop()

	f.Run(ctx)

	if sent := f.bank.sent(); len(sent) != 0 {
		t.Errorf("the requests are %q", sent)
	}
}
