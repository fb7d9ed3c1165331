package lifecycle_test

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/lifecycle"
	"tarmac/service/payments"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

var (
	created   = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	now       = time.Date(2026, 11, 21, 13, 0, 0, 123_456_789, time.FixedZone("", 3600))
	storedNow = time.Date(2026, 11, 21, 12, 0, 0, 123_456_000, time.UTC) // now as it is stored
)

// fixture is a store with one organization, whose endpoint subscribes to all events.
type fixture struct {
	testing.TB
	st  *store.Store
	ids *ids.Source
	org store.OrgKey
}

func newFixture(t testing.TB) fixture {
	t.Helper()
	f := fixture{TB: t, st: open(t, migrated.New(t)), ids: ids.NewSource(rand.Reader)}
	f.org = f.organization("org_a")
	return f
}

func open(t testing.TB, path string) *store.Store {
	t.Helper()
	st, err := store.Open(context.Background(), path, store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return st
}

func (f fixture) write(fn func(*store.Tx) error) {
	f.Helper()
	if err := f.st.Write(context.Background(), fn); err != nil {
		f.Fatal(err)
	}
}

func (f fixture) organization(id string) (org store.OrgKey) {
	f.Helper()
	f.write(func(tx *store.Tx) (err error) {
		if org, err = tx.CreateOrganization(store.Organization{PublicID: id, Name: id, CreatedAt: created}); err != nil {
			return err
		}
		return tx.InsertEndpoint(org, webhooks.Endpoint{
			ID: "wh_" + id, URL: "https://hooks.example.com", EventTypes: events.Types[:], Status: webhooks.Active,
			CreatedAt: created, UpdatedAt: created,
		}, []byte("sealed"))
	})
	return org
}

// move runs fn in one transaction at the time now.
func (f fixture) move(fn func(lifecycle.Transitions) error) error {
	return f.st.Write(context.Background(), func(tx *store.Tx) error { return fn(lifecycle.New(tx, f.ids, now)) })
}

// invoice stores an invoice of 1,000.00 USD in the given status.
func (f fixture) invoice(id string, status invoicing.Status) (inv invoicing.Invoice) {
	f.Helper()
	inv = invoicing.Invoice{
		ID: id, Status: status, Currency: "USD", Description: "d", RecipientName: "n", RecipientEmail: "n@example.com",
		SubtotalCents: 1000_00, TotalCents: 1000_00, CreatedAt: created, UpdatedAt: created,
		LineItems: []invoicing.LineItem{{Description: "d", Quantity: "1", UnitPriceCents: 1000_00, AmountCents: 1000_00}},
	}
	if status != invoicing.Draft {
		inv.SentAt = &created
	}
	f.write(func(tx *store.Tx) (err error) {
		inv, err = tx.InsertInvoice(f.org, inv)
		return err
	})
	return inv
}

func (f fixture) payment(id string, status payments.Status) (p payments.Intent) {
	f.Helper()
	p = payments.Intent{
		ID: id, Status: status, AmountCents: 5_00, Currency: "USD", Direction: "outflow", Description: "d", Counterparty: "c",
		CreatedAt: created, UpdatedAt: created,
	}
	if status == payments.Held {
		p.StatusReason, p.HeldAt = payments.StepUpRequired, &created
	}
	f.write(func(tx *store.Tx) error { return tx.InsertPaymentIntent(f.org, p) })
	return p
}

func (f fixture) read(fn func(*store.Snapshot) error) {
	f.Helper()
	if err := f.st.Read(context.Background(), fn); err != nil {
		f.Fatal(err)
	}
}

// feed returns the organization's events, and checks that each is queued once for the
// endpoint.
func (f fixture) feed(org store.OrgKey, endpoint string) (feed []events.Event) {
	f.Helper()
	f.read(func(snap *store.Snapshot) (err error) {
		if feed, err = snap.Feed(org, store.FeedQuery{Limit: 10_000}); err != nil {
			return err
		}
		deliveries, err := snap.Deliveries(org, endpoint, 10_000)
		if err != nil {
			return err
		}
		if len(deliveries) != len(feed) {
			f.Errorf("%d events and %d deliveries", len(feed), len(deliveries))
			return nil
		}
		for i := range feed {
			if deliveries[i].EventID != feed[i].ID {
				f.Errorf("the event %s is not delivered in order", feed[i].ID)
			}
		}
		return nil
	})
	return feed
}

// checkEvents checks that the organization's feed has exactly these bytes, except for ids.
func (f fixture) checkEvents(what string, want ...string) {
	f.Helper()
	feed := f.feed(f.org, "wh_org_a")
	if len(feed) != len(want) {
		f.Errorf("%s: %d events, want %d", what, len(feed), len(want))
		return
	}
	for i, e := range feed {
		if full := `{"id":"` + e.ID + `",` + want[len(want)-1-i]; string(e.Body) != full {
			f.Errorf("%s:\n got %s\nwant %s", what, e.Body, full)
		}
	}
}
