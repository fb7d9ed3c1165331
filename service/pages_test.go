package service_test

import (
	"bytes"
	"context"
	"net/http"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/long"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// Writes happen between requests. Each response is compared with that of a process without a
// cache.
func TestCachedPagesEqualTheDatabase(t *testing.T) {
	f := start(t, 0)
	tenants := [...]tenant{f.tenant("a"), f.tenant("b")}
	paths := []string{
		"limit=100", "limit=3", "limit=4", "direction=inflow", "direction=outflow&limit=3", "from=2026-05-03",
		"to=2026-05-03", "keyword=strasse",
		"keyword=STRASSE", "keyword=%C3%9F", "keyword=nobody", "keyword=strasse&direction=inflow&limit=1", "direction=up",
	}
	if testing.Short() {
		paths = paths[2:8]
	}
	// Each case opens a service and sends about 150 requests.
	long.Cases(t, 5, 30)
	rapid.Check(t, func(t *rapid.T) {
		another := *f
		another.open()
		defer another.close()
		writer := f.service
		if rapid.Bool().Draw(t, "another process writes") {
			writer = another.service
		}
		for _, of := range tenants {
			if rows := f.drawTransactions(t, 4); rapid.Bool().Draw(t, "writes") {
				insert := func(tx *store.Tx) error { return tx.InsertTransactions(of.key, rows) }
				if err := writer.Store().Write(context.Background(), insert); err != nil {
					t.Fatal(err)
				}
			}
		}
		same := func(of tenant, path string) (fresh answer) {
			fresh = another.get(of.secret, path)
			for range 2 {
				if got := f.get(of.secret, path); got.status != fresh.status || !bytes.Equal(got.body, fresh.body) {
					t.Fatalf("%s of %s:\n got %d %s\nwant %d %s", path, of.id, got.status, got.body, fresh.status, fresh.body)
				}
			}
			return fresh
		}
		for _, asked := range paths {
			path := prefix + "/transactions?" + asked
			for _, of := range tenants {
				fresh := same(of, path)
				if fresh.status != http.StatusOK {
					continue
				}
				var page listedPage
				if f.decode(fresh, &page); page.NextCursor == "" {
					continue
				}
				for _, by := range tenants { // the cursor is not the other's
					same(by, path+"&cursor="+page.NextCursor)
				}
			}
		}
	})
}

func TestARevokedTokenGetsNoCachedPage(t *testing.T) {
	f := start(t, 0)
	a, other := f.tenant("a"), f.tenant("b")
	row := ledger.Transaction{
		ID: f.id("txn_"), Date: civil.Of(noon), AmountKnown: true, AmountMinor: 7, Currency: "GBP",
		Counterparty: "Harbour Office",
	}
	f.write(func(tx *store.Tx) error { return tx.InsertTransactions(a.key, []ledger.Transaction{row}) })
	path := prefix + "/transactions"
	for range 2 {
		if got := f.get(a.secret, path); got.status != http.StatusOK || !bytes.Contains(got.body, []byte("Harbour")) {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	f.write(func(tx *store.Tx) error { return tx.RevokeToken(a.token.PublicID, f.clock.now()) })
	if got := f.get(a.secret, path); got.status != http.StatusUnauthorized {
		t.Errorf("after it was revoked: %d %s", got.status, got.body)
	}
	if got := f.get(other.secret, path); bytes.Contains(got.body, []byte("Harbour")) {
		t.Errorf("another organization's token: %s", got.body)
	}
}

// A standby that takes over may lack the last writes, and then reuses their revisions.
func TestPagesOfALostRevisionAreNotServedFromTheCache(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	write := func(name string, days int) {
		row := ledger.Transaction{
			ID: f.id("txn_"), Date: civil.Of(noon).AddDays(days), AmountKnown: true, AmountMinor: 7, USDKnown: true, USDCents: 7,
			Currency: "USD", Counterparty: name,
		}
		f.write(func(tx *store.Tx) error { return tx.InsertTransactions(a.key, []ledger.Transaction{row}) })
	}
	path := prefix + "/transactions"
	write("Harbour Office", 0)
	f.execute("CREATE TABLE backup_of_revisions AS SELECT id, ledger_revision FROM organizations")
	write("Lost and Found", 1)
	if got := f.get(a.secret, path); !bytes.Contains(got.body, []byte("Lost")) {
		t.Fatalf("%d %s", got.status, got.body)
	}
	for _, statement := range []string{
		"DELETE FROM transactions WHERE counterparty = 'Lost and Found'",
		"DELETE FROM ledger_daily WHERE day = (SELECT max(day) FROM ledger_daily)",
		"UPDATE organizations SET ledger_revision = " +
			"(SELECT was.ledger_revision FROM backup_of_revisions was WHERE was.id = organizations.id)",
	} {
		f.execute(statement)
	}
	write("Quay", 2)
	if got := f.get(a.secret, path); bytes.Contains(got.body, []byte("Lost")) ||
		!bytes.Contains(got.body, []byte("Quay")) {
		t.Errorf("%d %s", got.status, got.body)
	}
}
