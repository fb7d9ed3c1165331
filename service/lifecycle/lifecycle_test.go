package lifecycle_test

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/lifecycle"
	"tarmac/service/payments"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

var (
	created = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	now     = time.Date(2026, 11, 21, 13, 0, 0, 123_456_789, time.FixedZone("", 3600))
	moment  = time.Date(2026, 11, 21, 12, 0, 0, 123_456_000, time.UTC) // now as it is kept
)

// world is a store with one organization and an endpoint of it that wants
// everything.
type world struct {
	testing.TB
	st  *store.Store
	ids *ids.Source
	org store.OrgKey
}

func newWorld(t testing.TB) world {
	t.Helper()
	w := world{TB: t, st: open(t, testdb.New(t)), ids: ids.NewSource(rand.Reader)}
	w.org = w.organization("org_a")
	return w
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

func (w world) write(fn func(*store.Tx) error) {
	w.Helper()
	if err := w.st.Write(context.Background(), fn); err != nil {
		w.Fatal(err)
	}
}

func (w world) organization(id string) (org store.OrgKey) {
	w.Helper()
	w.write(func(tx *store.Tx) (err error) {
		if org, err = tx.CreateOrganization(store.Organization{PublicID: id, Name: id, CreatedAt: created}); err != nil {
			return err
		}
		return tx.InsertEndpoint(org, webhooks.Endpoint{
			ID: "wh_" + id, URL: "https://hooks.example.com", EventTypes: events.Types[:], Status: webhooks.Active, CreatedAt: created, UpdatedAt: created,
		}, []byte("sealed"))
	})
	return org
}

// move makes moves at now, in one transaction.
func (w world) move(fn func(lifecycle.Moves) error) error {
	return w.st.Write(context.Background(), func(tx *store.Tx) error { return fn(lifecycle.At(tx, w.ids, now)) })
}

// invoice adds an invoice of 1,000.00 USD that stands in the given status.
func (w world) invoice(id string, status invoicing.Status) (inv invoicing.Invoice) {
	w.Helper()
	inv = invoicing.Invoice{
		ID: id, Status: status, Currency: "USD", Description: "d", RecipientName: "n", RecipientEmail: "n@example.com",
		SubtotalCents: 1000_00, TotalCents: 1000_00, CreatedAt: created, UpdatedAt: created,
		LineItems: []invoicing.LineItem{{Description: "d", Quantity: "1", UnitPriceCents: 1000_00, AmountCents: 1000_00}},
	}
	if status != invoicing.Draft {
		inv.SentAt = &created
	}
	w.write(func(tx *store.Tx) (err error) {
		inv, err = tx.InsertInvoice(w.org, inv)
		return err
	})
	return inv
}

func (w world) payment(id string, status payments.Status) (p payments.Intent) {
	w.Helper()
	p = payments.Intent{
		ID: id, Status: status, AmountCents: 5_00, Currency: "USD", Direction: "outflow", Description: "d", Counterparty: "c",
		CreatedAt: created, UpdatedAt: created,
	}
	if status == payments.Held {
		p.StatusReason, p.HeldAt = payments.StepUpRequired, &created
	}
	w.write(func(tx *store.Tx) error { return tx.InsertPaymentIntent(w.org, p) })
	return p
}

func (w world) read(fn func(*store.Snapshot) error) {
	w.Helper()
	if err := w.st.Read(context.Background(), fn); err != nil {
		w.Fatal(err)
	}
}

// feed returns the organization's events, and checks that each is queued for its
// endpoint exactly once.
func (w world) feed(org store.OrgKey, endpoint string) (feed []events.Event) {
	w.Helper()
	w.read(func(snap *store.Snapshot) (err error) {
		if feed, err = snap.Feed(org, store.FeedQuery{Limit: 10_000}); err != nil {
			return err
		}
		deliveries, err := snap.Deliveries(org, endpoint, 10_000)
		if err != nil {
			return err
		}
		if len(deliveries) != len(feed) {
			w.Errorf("%d events and %d deliveries", len(feed), len(deliveries))
			return nil
		}
		for i := range feed {
			if deliveries[i].EventID != feed[i].ID {
				w.Errorf("the event %s is not delivered in its turn", feed[i].ID)
			}
		}
		return nil
	})
	return feed
}

// told checks that the organization's feed is exactly these bytes, but for ids.
func (w world) told(what string, want ...string) {
	w.Helper()
	feed := w.feed(w.org, "wh_org_a")
	if len(feed) != len(want) {
		w.Errorf("%s: %d events, want %d", what, len(feed), len(want))
		return
	}
	for i, e := range feed {
		if full := `{"id":"` + e.ID + `",` + want[len(want)-1-i]; string(e.Body) != full {
			w.Errorf("%s:\n got %s\nwant %s", what, e.Body, full)
		}
	}
}
