package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/internal/testsupport/long"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

const (
	lease        = 30 * time.Second
	mostAttempts = 2
	heldFor      = 72 * time.Hour
	spread       = 30 * time.Second
)

// expectedDelivery is the expected content of one row of the outbox.
type expectedDelivery struct {
	webhooks.Delivery
	to       *expectedEndpoint
	event    *expectedEvent
	held     bool
	failures int
}

type expectedEndpoint struct {
	webhooks.Endpoint
	org     store.OrgKey
	key     store.EndpointKey
	secrets store.Secrets
}

type expectedEvent struct {
	events.Event
	org     store.OrgKey
	reached time.Time
}

// outboxModel is the expected content of the outbox, oldest first, with two stores on one
// database. Each operation uses one of the stores.
type outboxModel struct {
	t          testing.TB
	path       string
	stores     [2]*store.Store
	orgs       [2]store.OrgKey
	now        time.Time
	made       int
	endpoints  []*expectedEndpoint
	events     []*expectedEvent
	deliveries []*expectedDelivery
	attempts   []store.Attempt      // all attempts that have begun
	leases     map[string]time.Time // ends of leases by delivery, for attempts without a known outcome
	begun      map[string]int       // by delivery, the greatest number of attempts that was read
}

// The outbox agrees with its model after any sequence of operations.
func TestOutboxAgreesWithItsModel(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the database alone")
	}
	long.Cases(t, 30, 100)
	rapid.Check(t, func(rt *rapid.T) {
		m := &outboxModel{
			t: t, path: migrated.New(t), now: created, leases: map[string]time.Time{}, begun: map[string]int{},
		}
		m.open(rt, 0)
		m.open(rt, 1)
		defer func() {
			for _, s := range m.stores {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
			checkReferences(t, m.path)
		}()
		for i := range m.orgs {
			m.write(rt, func(tx *store.Tx) (err error) {
				m.orgs[i], err = tx.CreateOrganization(store.Organization{PublicID: fmt.Sprintf("org_%d", i), Name: "a",
					CreatedAt: created})
				return err
			})
		}
		m.create(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"":        m.check,
			"append":  m.append,
			"append ": m.append, // operations listed twice are drawn more often
			"claim":   m.claim,
			"claim ":  m.claim,
			"create":  m.create,
			"delete":  m.delete,
			"die":     m.reopen,
			"pause":   m.pause,
			"prune":   m.prune,
			"release": m.giveBack,
			"resume":  m.resume,
			"rotate":  m.rotate,
			"finish":  m.finish,
			"finish ": m.finish,
			"test":    m.test,
			"types":   m.subscribe,
			"wait":    m.wait,
			"wait ":   m.wait,
		})
	})
}

func (m *outboxModel) open(t *rapid.T, i int) {
	s, err := store.Open(context.Background(), m.path, store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	m.stores[i] = s
}

// reopen closes and opens one of the stores, as a restarted process does. Its attempts stay in
// progress.
func (m *outboxModel) reopen(t *rapid.T) {
	i := rapid.IntRange(0, 1).Draw(t, "which")
	if err := m.stores[i].Close(); err != nil {
		t.Fatal(err)
	}
	m.open(t, i)
}

func (m *outboxModel) id(prefix string) string {
	m.made++
	return fmt.Sprintf("%s%04d", prefix, m.made)
}

func (m *outboxModel) store() *store.Store {
	m.made++
	return m.stores[m.made%2]
}

func (m *outboxModel) write(t *rapid.T, fn func(*store.Tx) error) {
	t.Helper()
	if err := m.store().Write(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

func (m *outboxModel) some(t *rapid.T) *expectedEndpoint {
	if len(m.endpoints) == 0 {
		t.Skip("no endpoint")
	}
	return rapid.SampledFrom(m.endpoints).Draw(t, "endpoint")
}

var modelTypes = []events.Type{events.InvoicePaid, events.InvoiceSent, events.TestEvent}

func (m *outboxModel) drawTypes(t *rapid.T) []events.Type {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(modelTypes), 1, len(modelTypes), rapid.ID).Draw(t, "types")
}

func (m *outboxModel) create(t *rapid.T) {
	id := m.id("wh_")
	e := &expectedEndpoint{
		Endpoint: endpoint(id, m.drawTypes(t)...), org: rapid.SampledFrom(m.orgs[:]).Draw(t, "org"),
		secrets: store.Secrets{Current: []byte("secret of " + id)},
	}
	e.CreatedAt, e.UpdatedAt = m.now, m.now
	mine := 0
	for _, other := range m.endpoints {
		if other.org == e.org {
			mine++
		}
	}
	err := m.store().Write(context.Background(), func(tx *store.Tx) error {
		return tx.InsertEndpoint(e.org, e.Endpoint, e.secrets.Current)
	})
	if mine >= webhooks.MaxEndpoints {
		if !errors.Is(err, store.ErrFull) {
			t.Fatalf("one more than there may be: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	m.endpoints = append(m.endpoints, e)
	e.key = ask[store.EndpointKey](m.t, m.path, "SELECT id FROM webhook_endpoints WHERE public_id = ?", id)
}

func (m *outboxModel) delete(t *rapid.T) {
	e := m.some(t)
	m.write(t, func(tx *store.Tx) error { return tx.DeleteEndpoint(e.org, e.ID) })
	m.endpoints = slices.DeleteFunc(m.endpoints, func(other *expectedEndpoint) bool { return other == e })
	m.drop(func(d *expectedDelivery) bool { return d.to == e })
}

func (m *outboxModel) drop(gone func(*expectedDelivery) bool) {
	m.deliveries = slices.DeleteFunc(m.deliveries, gone)
}

func (m *outboxModel) subscribe(t *rapid.T) {
	e := m.some(t)
	e.EventTypes, e.UpdatedAt, e.URL = m.drawTypes(t), m.now, "https://moved.example/"+m.id("")
	m.write(t, func(tx *store.Tx) error { return tx.UpdateEndpoint(e.org, e.Endpoint) })
}

func (m *outboxModel) rotate(t *rapid.T) {
	e := m.some(t)
	expires := m.now.Add(24 * time.Hour)
	e.secrets = store.Secrets{Current: []byte(m.id("secret ")), Previous: e.secrets.Current, PreviousExpiresAt: &expires}
	e.PreviousSecretExpiresAt, e.UpdatedAt = &expires, m.now
	m.write(t, func(tx *store.Tx) error { return tx.SetEndpointSecrets(e.org, e.ID, e.secrets, m.now) })
}

func (m *outboxModel) wait(t *rapid.T) {
	m.now = m.now.Add(rapid.SampledFrom([]time.Duration{
		time.Second, lease - time.Microsecond, lease, lease, heldFor, 40 * 24 * time.Hour,
	}).Draw(t, "time"))
}

// event makes an event that may have occurred a little before it is appended.
func (m *outboxModel) event(t *rapid.T, org store.OrgKey, kind events.Type) *expectedEvent {
	id := m.id("evt_")
	occurred := m.now.Add(-rapid.SampledFrom([]time.Duration{0, 0, time.Minute}).Draw(t, "late"))
	e := &expectedEvent{Event: events.Event{ID: id, Type: kind, OccurredAt: occurred, Body: []byte(`{"id":"` + id + `"}`)},
		org: org, reached: occurred}
	for _, earlier := range m.events {
		if earlier.org == org && earlier.reached.After(e.reached) {
			e.reached = earlier.reached
		}
	}
	m.events = append(m.events, e)
	return e
}

func (m *outboxModel) queue(e *expectedEvent, to *expectedEndpoint) *expectedDelivery {
	due := e.OccurredAt
	d := &expectedDelivery{to: to, event: e, Delivery: webhooks.Delivery{
		ID: ids.Derived(ids.Delivery, e.ID, to.ID), EventID: e.ID, EventType: e.Type, Status: webhooks.Pending,
		NextRetryAt: &due, CreatedAt: e.OccurredAt,
	}}
	m.deliveries = append(m.deliveries, d)
	return d
}

func (m *outboxModel) append(t *rapid.T) {
	org := rapid.SampledFrom(m.orgs[:]).Draw(t, "org")
	var evs []events.Event
	for range rapid.IntRange(1, 3).Draw(t, "events") {
		e := m.event(t, org, rapid.SampledFrom(modelTypes).Draw(t, "type"))
		evs = append(evs, e.Event)
		for _, to := range m.endpoints {
			if to.org == org && to.Status == webhooks.Active && e.Type != events.TestEvent &&
				slices.Contains(to.EventTypes, e.Type) {
				m.queue(e, to)
			}
		}
	}
	m.write(t, func(tx *store.Tx) error { return tx.AppendEvents(org, evs) })
}

func (m *outboxModel) test(t *rapid.T) {
	to := m.some(t)
	want := m.queue(m.event(t, to.org, events.TestEvent), to)
	m.write(t, func(tx *store.Tx) error {
		id, err := tx.QueueTest(to.org, to.ID, want.event.Event)
		if err == nil && id != want.ID {
			t.Errorf("the test's delivery is %s, want %s", id, want.ID)
		}
		return err
	})
}

func (m *outboxModel) prune(t *rapid.T) {
	before := m.now.Add(-rapid.SampledFrom([]time.Duration{0, time.Minute, 50 * time.Hour, 60 * 24 * time.Hour}).Draw(t,
		"age"))
	limit := rapid.IntRange(0, 5).Draw(t, "limit")
	old := 0
	for _, e := range m.events {
		if e.reached.Before(before) {
			old++
		}
	}
	m.write(t, func(tx *store.Tx) error {
		n, err := tx.PruneEvents(before, limit)
		if err == nil && n != int64(min(limit, old)) {
			t.Errorf("%d events were deleted of %d, at most %d", n, old, limit)
		}
		return err
	})
	// The store chooses which of the old events it deletes.
	left := map[string]bool{}
	for _, org := range m.orgs {
		err := m.store().Read(context.Background(), func(snap *store.Snapshot) error {
			feed, err := snap.Feed(org, store.FeedQuery{Limit: 10_000})
			for _, e := range feed {
				left[e.ID] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	m.events = slices.DeleteFunc(m.events, func(e *expectedEvent) bool {
		if !left[e.ID] && !e.reached.Before(before) {
			t.Errorf("%s of %v is gone", e.ID, e.OccurredAt)
		}
		return !left[e.ID]
	})
	m.drop(func(d *expectedDelivery) bool { return !left[d.EventID] })
}
