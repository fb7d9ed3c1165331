package syncing_test

import (
	"context"
	"testing"
	"time"

	"tarmac/internal/testsupport/providers/internet"
	fake "tarmac/internal/testsupport/providers/simplefin"
	"tarmac/service/providers"
	"tarmac/service/providers/simplefin"
	"tarmac/service/providers/wire"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// simpleFIN connects the fixture and further processes on its database to a SimpleFIN server.
func (f *fixture) simpleFIN(t *testing.T, processes int) (*fake.Server, []*syncing.Syncer) {
	t.Helper()
	web, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = web.Close() })
	client, err := wire.New(wire.Config{Proxy: web.Proxy, RootCAs: web.RootCAs()})
	if err != nil {
		t.Fatal(err)
	}
	const host = "bridge.simplefin.org"
	server := fake.New(host, f.clock.now)
	web.Handle(host, server)
	all := []*syncing.Syncer{f.Syncer}
	for len(all) < processes {
		all = append(all, f.open(t))
	}
	for _, p := range all {
		p.Client, p.Kinds = client, []providers.Kind{simplefin.Kind()}
	}
	return server, all
}

func TestThreeProcessesReadAProviderOnce(t *testing.T) {
	const rounds = 8
	f := newFixture(t)
	server, processes := f.simpleFIN(t, 3)
	account := server.Open(server.Connect("Harbor Bank", "Ada"), "Checking 4821", "USD", 1_000_00)
	c, _, err := f.Connect(context.Background(), f.org,
		syncing.ConnectRequest{Provider: "simplefin", Token: wire.NewSecret(server.Token())})
	if err != nil {
		t.Fatal(err)
	}
	f.choose(t, c, c.Accounts[0].RemoteID)
	server.Forget()

	for range rounds {
		f.clock.advance(6*time.Hour + 10*time.Minute)
		server.Book(account, f.clock.now(), 100, "Payment from Acme")
		f.runAll(t, processes, []store.OrgKey{f.org})
	}

	if sent := server.Requests(); len(sent) != rounds {
		t.Errorf("%d requests were sent for %d readings: %+v", len(sent), rounds, sent)
	}
	accounts, err := f.Books(f.org).Accounts(context.Background())
	if err != nil || len(accounts) != 1 || accounts[0].Lines != rounds {
		t.Errorf("the accounts in the books are %+v, %v", accounts, err)
	}
}
