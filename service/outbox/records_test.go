package outbox_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/payments"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

func (f *fixture) write(fn func(*store.Tx) error) {
	f.t.Helper()
	if err := f.store.Write(context.Background(), fn); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) read(fn func(*store.Snapshot) error) {
	f.t.Helper()
	if err := f.store.Read(context.Background(), fn); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) organization(name string) (org store.OrgKey) {
	f.t.Helper()
	f.write(func(tx *store.Tx) (err error) {
		org, err = tx.CreateOrganization(store.Organization{PublicID: "org_" + name, Name: name, CreatedAt: noon})
		return err
	})
	return org
}

func (f *fixture) id(kind string) string {
	f.t.Helper()
	id, err := f.ids.New(kind, f.clock.now())
	if err != nil {
		f.t.Fatal(err)
	}
	return id
}

func (f *fixture) secret(endpointID string) (secret string, sealed []byte) {
	f.t.Helper()
	secret, err := webhooks.NewSecret(rand.Reader)
	if err == nil {
		sealed, err = f.key.Seal(rand.Reader, secret, endpointID)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return secret, sealed
}

// endpoint adds an endpoint that subscribes to payment.failed.
func (f *fixture) endpoint(url string) (id, secret string) {
	f.t.Helper()
	return f.endpointOf(f.org, url)
}

func (f *fixture) endpointOf(org store.OrgKey, url string) (id, secret string) {
	f.t.Helper()
	id = f.id(ids.Webhook)
	secret, sealed := f.secret(id)
	f.write(func(tx *store.Tx) error {
		return tx.InsertEndpoint(org, webhooks.Endpoint{
			ID: id, URL: url, EventTypes: []events.Type{events.PaymentFailed}, Status: webhooks.Active,
			CreatedAt: f.clock.now(), UpdatedAt: f.clock.now(),
		}, sealed)
	})
	return id, secret
}

// rotate replaces an endpoint's secret, as the API does.
func (f *fixture) rotate(id string) (secret string) {
	f.t.Helper()
	secret, sealed := f.secret(id)
	now := f.clock.now()
	expires := now.Add(webhooks.RotationOverlap)
	f.write(func(tx *store.Tx) error {
		before, err := tx.EndpointSecrets(f.org, id)
		if err != nil {
			return err
		}
		return tx.SetEndpointSecrets(
			f.org, id, store.Secrets{Current: sealed, Previous: before.Current, PreviousExpiresAt: &expires}, now,
		)
	})
	return secret
}

// emit appends payment.failed events that occur now, in one transaction.
func (f *fixture) emit(n int) []events.Event {
	f.t.Helper()
	return f.emitFor(f.org, n)
}

func (f *fixture) emitFor(org store.OrgKey, n int) (evs []events.Event) {
	f.t.Helper()
	for range n {
		e, err := events.ForPayment(f.id(ids.Event), f.clock.now(),
			payments.Intent{ID: f.id(ids.PaymentIntent), Status: payments.Failed, AmountCents: 125000, Currency: "USD"})
		if err != nil {
			f.t.Fatal(err)
		}
		evs = append(evs, e)
	}
	f.write(func(tx *store.Tx) error { return tx.AppendEvents(org, evs) })
	return evs
}

// verify queues a test event, as the API does.
func (f *fixture) verify(endpointID string) (deliveryID string) {
	f.t.Helper()
	e, err := events.ForTest(f.id(ids.Event), f.clock.now())
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(func(tx *store.Tx) (err error) {
		deliveryID, err = tx.QueueTest(f.org, endpointID, e)
		return err
	})
	return deliveryID
}

// setStatus pauses or resumes an endpoint, as the API does.
func (f *fixture) setStatus(id string, status webhooks.Status) {
	f.t.Helper()
	now := f.clock.now()
	f.write(func(tx *store.Tx) error {
		e, err := tx.Endpoint(f.org, id)
		if err != nil {
			return err
		}
		e.Status, e.DisabledAt, e.DisabledReason, e.UpdatedAt = status, nil, "", now
		if status == webhooks.Paused {
			return errors.Join(tx.UpdateEndpoint(f.org, e), tx.HoldDeliveries(f.org, id))
		}
		e.FailingSince = nil
		return errors.Join(tx.UpdateEndpoint(f.org, e),
			tx.ReleaseDeliveries(f.org, id, now, now.Add(-webhooks.MaxHeldAge), webhooks.ReleaseSpread))
	})
}

// deliveries returns an endpoint's deliveries, newest first.
func (f *fixture) deliveries(endpointID string) (all []webhooks.Delivery) {
	f.t.Helper()
	f.read(func(snap *store.Snapshot) (err error) {
		all, err = snap.Deliveries(f.org, endpointID, 10_000)
		return err
	})
	return all
}

func (f *fixture) onlyDelivery(endpointID string) webhooks.Delivery {
	f.t.Helper()
	all := f.deliveries(endpointID)
	if len(all) != 1 {
		f.t.Fatalf("%d deliveries", len(all))
	}
	return all[0]
}

func (f *fixture) readEndpoint(id string) (e webhooks.Endpoint) {
	f.t.Helper()
	f.read(func(snap *store.Snapshot) (err error) {
		e, err = snap.Endpoint(f.org, id)
		return err
	})
	return e
}

func (f *fixture) depth() (d store.OutboxDepth) {
	f.t.Helper()
	f.read(func(snap *store.Snapshot) (err error) {
		d, err = snap.OutboxDepth()
		return err
	})
	return d
}

// rejectUpdates makes the database reject updates of deliveries that meet a condition,
// until allow is called.
func (f *fixture) rejectUpdates(condition, why string) (allow func()) {
	f.t.Helper()
	if !testdb.Postgres() {
		f.exec("CREATE TRIGGER refuses BEFORE UPDATE ON webhook_deliveries WHEN " + condition +
			" BEGIN SELECT RAISE(ABORT, '" + why + "'); END")
		return func() { f.exec("DROP TRIGGER refuses") }
	}
	f.exec("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ " +
		"BEGIN RAISE EXCEPTION '" + why + "'; END $$")
	f.exec("CREATE TRIGGER refuses BEFORE UPDATE ON webhook_deliveries FOR EACH ROW WHEN (" + condition +
		") EXECUTE FUNCTION refuse()")
	return func() { f.exec("DROP TRIGGER refuses ON webhook_deliveries") }
}

// exec runs a statement on a connection of its own.
func (f *fixture) exec(query string) {
	f.t.Helper()
	driver, name := "sqlite", f.path+"?_pragma=busy_timeout(5000)"
	if testdb.Postgres() {
		driver, name = "pgx", f.path
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		f.t.Fatal(err)
	}
	_, err = db.Exec(query)
	if err := errors.Join(err, db.Close()); err != nil {
		f.t.Fatal(err)
	}
}
