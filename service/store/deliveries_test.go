package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

func event(id string, t events.Type, after time.Duration) events.Event {
	return events.Event{ID: id, Type: t, OccurredAt: created.Add(after), Body: []byte(`{"id":"` + id + `"}`)}
}

func eventIDs(deliveries []webhooks.Delivery) (names []string) {
	for _, d := range deliveries {
		names = append(names, d.EventID)
	}
	return names
}

func listed(t testing.TB, s *store.Store, org store.OrgKey, endpointID string) (all []webhooks.Delivery) {
	t.Helper()
	read(t, s, func(snap *store.Snapshot) (err error) {
		all, err = snap.Deliveries(org, endpointID, webhooks.MaxListed)
		return err
	})
	return all
}

func waiting(t testing.TB, s *store.Store) (due []store.Due) {
	t.Helper()
	read(t, s, func(snap *store.Snapshot) (err error) {
		due, err = snap.DueEndpoints()
		return err
	})
	return due
}

// claim claims from the first endpoint that waits, which has to be there.
func claim(t testing.TB, s *store.Store, now time.Time, limit int) (claimed []store.Attempt) {
	t.Helper()
	due := waiting(t, s)
	if len(due) == 0 {
		t.Fatal("nothing waits")
	}
	write(t, s, func(tx *store.Tx) (err error) {
		claimed, err = tx.ClaimDeliveries(due[0].Endpoint, now, now.Add(lease), limit, mostAttempts)
		return err
	})
	return claimed
}

func verdict(v webhooks.Verdict) store.Judge {
	return func(webhooks.Endpoint) webhooks.Verdict { return v }
}

func settle(t testing.TB, s *store.Store, a store.Attempt, now time.Time, v webhooks.Verdict) (settled bool) {
	t.Helper()
	write(t, s, func(tx *store.Tx) (err error) {
		settled, err = tx.SettleAttempt(a, now, 200, webhooks.NoProblem, verdict(v))
		return err
	})
	return settled
}

// What is released falls due within the spread, and not all of it at once.
func TestReleasedDeliveriesAreSpread(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	insertEndpoint(t, s, org, endpoint("wh_1", events.InvoicePaid))
	write(t, s, func(tx *store.Tx) error {
		var evs []events.Event
		for n := range webhooks.MaxListed {
			evs = append(evs, event(fmt.Sprintf("evt_%d", n), events.InvoicePaid, 0))
		}
		return errors.Join(tx.AppendEvents(org, evs), tx.HoldDeliveries(org, "wh_1"))
	})
	now, spread := *at(time.Hour), 30*time.Second
	write(t, s, func(tx *store.Tx) error { return tx.ReleaseDeliveries(org, "wh_1", now, created, spread) })
	parts := map[time.Duration]int{}
	for _, d := range listed(t, s, org, "wh_1") {
		late := d.NextRetryAt.Sub(now)
		if late < 0 || late >= spread {
			t.Errorf("%s falls due %v after the release", d.ID, late)
		}
		parts[late*10/spread]++
	}
	for part := range 10 {
		if n := parts[time.Duration(part)]; n > 20 {
			t.Errorf("%d of 100 in one tenth of the spread", n)
		}
	}
}

// An attempt that outlives its endpoint must not speak for another delivery that
// was queued since.
func TestAnAttemptAtADeletedEndpointSettlesNothing(t *testing.T) {
	s := open(t)
	org, other := organization(t, s, "a"), organization(t, s, "b")
	insertEndpoint(t, s, org, endpoint("wh_1", events.InvoicePaid))
	write(t, s, func(tx *store.Tx) error {
		return tx.AppendEvents(org, []events.Event{event("evt_1", events.InvoicePaid, 0)})
	})
	stale := claim(t, s, created, 1)
	if len(stale) != 1 {
		t.Fatalf("claimed %+v", stale)
	}
	write(t, s, func(tx *store.Tx) error { return tx.DeleteEndpoint(org, "wh_1") })
	insertEndpoint(t, s, other, endpoint("wh_2", events.InvoicePaid))
	write(t, s, func(tx *store.Tx) error {
		return tx.AppendEvents(other, []events.Event{event("evt_2", events.InvoicePaid, 0)})
	})
	fresh := claim(t, s, created, 1)
	if len(fresh) != 1 || fresh[0].DeliveryID == stale[0].DeliveryID {
		t.Fatalf("claimed %+v", fresh)
	}
	if fresh[0].Endpoint == stale[0].Endpoint || fresh[0].Delivery == stale[0].Delivery {
		t.Error("a key was given out twice")
	}
	if settle(t, s, stale[0], created, webhooks.Verdict{Status: webhooks.Delivered}) {
		t.Error("an attempt at a deleted endpoint was settled")
	}
	write(t, s, func(tx *store.Tx) error { return tx.ReleaseAttempt(stale[0], created.Add(-time.Hour)) })
	got := listed(t, s, other, "wh_2")
	if len(got) != 1 || got[0].Status != webhooks.Pending || !got[0].NextRetryAt.Equal(created.Add(lease)) {
		t.Errorf("the other delivery became %+v", got)
	}
	if !settle(t, s, fresh[0], created, webhooks.Verdict{Status: webhooks.Delivered}) {
		t.Error("its own attempt was not settled")
	}
}

func (m *outboxModel) pause(t *rapid.T) {
	e := m.some(t)
	if e.Status == webhooks.Paused {
		t.Skip("paused already")
	}
	e.Status, e.DisabledAt, e.DisabledReason, e.UpdatedAt = webhooks.Paused, nil, "", m.now
	m.write(t, func(tx *store.Tx) error {
		return errors.Join(tx.UpdateEndpoint(e.org, e.Endpoint), tx.HoldDeliveries(e.org, e.ID))
	})
	for _, d := range m.deliveries {
		if d.to == e && d.Status == webhooks.Pending && d.EventType != events.TestEvent {
			d.held = true
		}
	}
}

func (m *outboxModel) resume(t *rapid.T) {
	e := m.some(t)
	if e.Status == webhooks.Active {
		t.Skip("active already")
	}
	e.Status, e.DisabledAt, e.DisabledReason, e.FailingSince, e.UpdatedAt = webhooks.Active, nil, "", nil, m.now
	stale := m.now.Add(-heldFor)
	m.write(t, func(tx *store.Tx) error {
		return errors.Join(tx.UpdateEndpoint(e.org, e.Endpoint), tx.ReleaseDeliveries(e.org, e.ID, m.now, stale, spread))
	})
	now := m.listing(t, e)
	for _, d := range m.deliveries {
		if d.to != e || !d.held {
			continue
		}
		d.held = false
		if d.CreatedAt.Before(stale) {
			d.Status, d.NextRetryAt = webhooks.Failed, nil
			continue
		}
		// How far each is spread is the store's to choose.
		earliest, got := *d.NextRetryAt, now[d.ID].NextRetryAt
		if m.now.After(earliest) {
			earliest = m.now
		}
		if got == nil || got.Before(earliest) || !got.Before(earliest.Add(spread)) {
			t.Fatalf("%s was released to %v, earliest %v", d.ID, got, earliest)
		}
		d.NextRetryAt = got
	}
}

func (m *outboxModel) listing(t *rapid.T, e *expectedEndpoint) map[string]webhooks.Delivery {
	byID := map[string]webhooks.Delivery{}
	err := m.store().Read(context.Background(), func(snap *store.Snapshot) error {
		all, err := snap.Deliveries(e.org, e.ID, 10_000)
		for _, d := range all {
			byID[d.ID] = d
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return byID
}

func (m *outboxModel) claim(t *rapid.T) {
	e, limit := m.some(t), rapid.IntRange(1, 4).Draw(t, "limit")
	ends := m.now.Add(lease)
	var due []*expectedDelivery
	for _, d := range m.deliveries {
		if d.to != e || d.Status != webhooks.Pending || d.held || d.NextRetryAt.After(m.now) {
			continue
		}
		if d.AttemptCount >= mostAttempts {
			d.Status, d.NextRetryAt = webhooks.Failed, nil
			continue
		}
		due = append(due, d)
	}
	slices.SortStableFunc(due, func(a, b *expectedDelivery) int { return a.NextRetryAt.Compare(*b.NextRetryAt) })
	due = due[:min(limit, len(due))]
	m.write(t, func(tx *store.Tx) error {
		claimed, err := tx.ClaimDeliveries(e.key, m.now, ends, limit, mostAttempts)
		if err != nil {
			return err
		}
		want := []store.Attempt{}
		for i, d := range due {
			d.AttemptCount++
			begun := m.now
			d.LastAttemptAt, d.NextRetryAt = &begun, &ends
			a := store.Attempt{
				Endpoint: e.key, DeliveryID: d.ID, EndpointID: e.ID, EventID: d.EventID, EventType: d.EventType, Body: d.event.Body,
				URL: e.URL, Secrets: e.secrets, Number: d.AttemptCount, Failures: d.failures,
			}
			if i < len(claimed) {
				a.Delivery = claimed[i].Delivery
			}
			want = append(want, a)
		}
		if !reflect.DeepEqual(claimed, want) {
			t.Fatalf("claimed %+v\nwant %+v", claimed, want)
		}
		m.attempts = append(m.attempts, claimed...)
		for _, a := range claimed {
			if m.leases[a.DeliveryID].After(m.now) {
				t.Errorf("%s was claimed again before %v", a.DeliveryID, m.leases[a.DeliveryID])
			}
			m.leases[a.DeliveryID] = ends
		}
		return nil
	})
}

// attempt picks any that ever began, and what it may still write to.
func (m *outboxModel) attempt(t *rapid.T) (store.Attempt, *expectedDelivery) {
	if len(m.attempts) == 0 {
		t.Skip("no attempt")
	}
	a := rapid.SampledFrom(m.attempts).Draw(t, "attempt")
	for _, d := range m.deliveries {
		if d.ID == a.DeliveryID && d.Status == webhooks.Pending && d.AttemptCount == a.Number {
			return a, d
		}
	}
	return a, nil
}

func (m *outboxModel) giveBack(t *rapid.T) {
	a, d := m.attempt(t)
	m.write(t, func(tx *store.Tx) error { return tx.ReleaseAttempt(a, m.now) })
	if d != nil {
		now := m.now
		d.NextRetryAt = &now
		delete(m.leases, d.ID)
	}
}

func (m *outboxModel) settle(t *rapid.T) {
	a, d := m.attempt(t)
	v := rapid.SampledFrom([]webhooks.Verdict{
		{Status: webhooks.Delivered, ClockStops: true},
		{Status: webhooks.Pending, RetryIn: 5 * time.Second, ClockStarts: true},
		{Status: webhooks.Pending, RetryIn: 5 * time.Minute, ClockStarts: true},
		{Status: webhooks.Failed, ClockStarts: true},
		{Status: webhooks.Failed, Disable: webhooks.Gone, ClockStarts: true},
		{Status: webhooks.Failed, Disable: webhooks.Failing, ClockStarts: true},
	}).Draw(t, "verdict")
	if a.EventType == events.TestEvent { // its failures say nothing of the endpoint
		v.Disable, v.ClockStarts = "", false
	}
	code, problem := 503, webhooks.BadStatus
	if v.Status == webhooks.Delivered {
		code, problem = 200, webhooks.NoProblem
	}
	m.write(t, func(tx *store.Tx) error {
		settled, err := tx.SettleAttempt(a, m.now, code, problem, func(e webhooks.Endpoint) webhooks.Verdict {
			if d == nil || !reflect.DeepEqual(e, d.to.Endpoint) {
				t.Errorf("judged by the endpoint %+v", e)
			}
			return v
		})
		if settled != (d != nil) {
			t.Errorf("attempt %d at %s: settled is %v", a.Number, a.DeliveryID, settled)
		}
		return err
	})
	if d == nil {
		return
	}
	delete(m.leases, d.ID)
	d.Status, d.LastResponseCode, d.LastProblem, d.NextRetryAt = v.Status, code, problem, nil
	d.held = false
	now := m.now
	switch v.Status {
	case webhooks.Delivered:
		d.DeliveredAt = &now
	case webhooks.Pending:
		due := now.Add(v.RetryIn)
		d.NextRetryAt = &due
		d.held = d.to.Status != webhooks.Active && d.EventType != events.TestEvent
	}
	if problem != webhooks.NoProblem {
		d.failures = a.Failures + 1
	}
	m.settleEndpoint(d.to, v)
}

func (m *outboxModel) settleEndpoint(e *expectedEndpoint, v webhooks.Verdict) {
	now := m.now
	if v.ClockStarts && e.FailingSince == nil {
		e.FailingSince = &now
	}
	if v.ClockStops {
		e.FailingSince = nil
	}
	if v.Disable == "" || e.Status != webhooks.Active {
		return
	}
	e.Status, e.DisabledAt, e.DisabledReason, e.UpdatedAt = webhooks.AutoDisabled, &now, v.Disable, now
	for _, d := range m.deliveries {
		if d.to == e && d.Status == webhooks.Pending && d.EventType != events.TestEvent {
			d.Status, d.NextRetryAt, d.held = webhooks.Failed, nil, false
		}
	}
}

// benchEndpoints makes endpoints of one type, twenty to an organization.
func benchEndpoints(b *testing.B, s *store.Store, n int) (orgs []store.OrgKey) {
	b.Helper()
	for i := range n {
		if i%webhooks.MaxEndpoints == 0 {
			orgs = append(orgs, organization(b, s, fmt.Sprint(i)))
		}
		insertEndpoint(b, s, orgs[len(orgs)-1], endpoint(fmt.Sprintf("wh_%d", i), events.InvoicePaid))
	}
	return orgs
}

func benchEvent(b *testing.B, source *ids.Source, at time.Time) events.Event {
	b.Helper()
	id, err := source.New(ids.Event, at)
	if err != nil {
		b.Fatal(err)
	}
	return events.Event{ID: id, Type: events.InvoicePaid, OccurredAt: at, Body: []byte(`{"id":"` + id + `"}`)}
}

// BenchmarkAppend measures an event that all endpoints an organization may have
// want, the commit included.
func BenchmarkAppend(b *testing.B) {
	s, source := open(b), newIDs()
	org := benchEndpoints(b, s, webhooks.MaxEndpoints)[0]
	for b.Loop() {
		write(b, s, func(tx *store.Tx) error { return tx.AppendEvents(org, []events.Event{benchEvent(b, source, created)}) })
	}
}

// BenchmarkClaim measures finding and claiming what is due at 200 endpoints, with
// 100,000 finished deliveries behind them.
func BenchmarkClaim(b *testing.B) {
	const endpoints, perOrganization = 200, 500
	s, source := open(b), newIDs()
	for _, org := range benchEndpoints(b, s, endpoints) {
		write(b, s, func(tx *store.Tx) error {
			for range perOrganization {
				if err := tx.AppendEvents(org, []events.Event{benchEvent(b, source, created)}); err != nil {
					return err
				}
			}
			finished, err := claimAll(tx, endpoints, perOrganization)
			for _, a := range finished {
				if _, err := tx.SettleAttempt(a, created, 200, webhooks.NoProblem, verdict(webhooks.Verdict{Status: webhooks.Delivered})); err != nil {
					return err
				}
			}
			return errors.Join(err, tx.AppendEvents(org, []events.Event{benchEvent(b, source, created)}))
		})
	}
	b.Run("look", func(b *testing.B) {
		for b.Loop() {
			if n := len(waiting(b, s)); n != endpoints {
				b.Fatalf("%d endpoints wait", n)
			}
		}
	})
	b.Run("claim", func(b *testing.B) {
		for b.Loop() {
			var claimed []store.Attempt
			write(b, s, func(tx *store.Tx) (err error) {
				claimed, err = claimAll(tx, endpoints, 4)
				return err
			})
			if len(claimed) != endpoints {
				b.Fatalf("%d claimed", len(claimed))
			}
			b.StopTimer()
			write(b, s, func(tx *store.Tx) error {
				for _, a := range claimed {
					if err := tx.ReleaseAttempt(a, created); err != nil {
						return err
					}
				}
				return nil
			})
			b.StartTimer()
		}
	})
}

// claimAll claims from every endpoint there may be.
func claimAll(tx *store.Tx, endpoints, limit int) (all []store.Attempt, err error) {
	for key := range store.EndpointKey(endpoints) {
		claimed, err := tx.ClaimDeliveries(key+1, created, created.Add(lease), limit, 1<<30)
		if err != nil {
			return nil, err
		}
		all = append(all, claimed...)
	}
	return all, nil
}
