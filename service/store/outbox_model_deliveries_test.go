package store_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"pgregory.net/rapid"

	"tarmac/service/events"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

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
		// The store chooses how far each is spread.
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
	var waiting, due []*expectedDelivery
	for _, d := range m.deliveries {
		if d.to == e && d.Status == webhooks.Pending && !d.held && !d.NextRetryAt.After(m.now) {
			waiting = append(waiting, d)
		}
	}
	slices.SortStableFunc(waiting, func(a, b *expectedDelivery) int { return a.NextRetryAt.Compare(*b.NextRetryAt) })
	for _, d := range waiting {
		switch {
		case len(due) == limit:
		case d.AttemptCount >= mostAttempts:
			d.Status, d.NextRetryAt = webhooks.Failed, nil
		default:
			due = append(due, d)
		}
	}
	m.write(t, func(tx *store.Tx) error {
		claimed, err := tx.ClaimDeliveries(e.key, m.now, ends, limit, mostAttempts)
		if err != nil {
			return err
		}
		want := []store.Attempt{}
		for i, d := range due {
			d.AttemptCount++
			begun, wasDue := m.now, *d.NextRetryAt
			d.LastAttemptAt, d.NextRetryAt = &begun, &ends
			a := store.Attempt{
				Endpoint: e.key, DeliveryID: d.ID, EndpointID: e.ID, EventID: d.EventID, EventType: d.EventType, Body: d.event.Body,
				URL: e.URL, Secrets: e.secrets, DueAt: wasDue, Number: d.AttemptCount, Failures: d.failures,
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

// attempt draws any attempt that ever began, and the delivery that it may still change.
func (m *outboxModel) attempt(t *rapid.T) (store.Attempt, *expectedDelivery) {
	if len(m.attempts) == 0 {
		t.Skip("no attempt")
	}
	among := m.attempts
	if rapid.Bool().Draw(t, "late") { // attempts that are probably still in progress
		among = among[max(0, len(among)-3):]
	}
	a := rapid.SampledFrom(among).Draw(t, "attempt")
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

func (m *outboxModel) finish(t *rapid.T) {
	a, d := m.attempt(t)
	v := rapid.SampledFrom([]webhooks.Consequence{
		{Status: webhooks.Delivered, StopFailing: true},
		{Status: webhooks.Pending, RetryIn: 5 * time.Second, StartFailing: true},
		{Status: webhooks.Pending, RetryIn: 5 * time.Minute, StartFailing: true},
		{Status: webhooks.Failed, StartFailing: true},
		{Status: webhooks.Failed, Disable: webhooks.Gone, StartFailing: true},
		{Status: webhooks.Failed, Disable: webhooks.Failing, StartFailing: true},
	}).Draw(t, "consequence")
	if a.EventType == events.TestEvent { // failures of test events do not count against the endpoint
		v.Disable, v.StartFailing = "", false
	}
	code, problem := 503, webhooks.BadStatus
	if v.Status == webhooks.Delivered {
		code, problem = 200, webhooks.NoProblem
	}
	m.write(t, func(tx *store.Tx) error {
		recorded, err := tx.FinishAttempt(a, m.now, code, problem, func(e webhooks.Endpoint) webhooks.Consequence {
			if d == nil || !reflect.DeepEqual(e, d.to.Endpoint) {
				t.Errorf("decided with the endpoint %+v", e)
			}
			return v
		})
		if recorded != (d != nil) {
			t.Errorf("attempt %d at %s: recorded is %v", a.Number, a.DeliveryID, recorded)
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
	m.applyToEndpoint(d.to, v)
}

func (m *outboxModel) applyToEndpoint(e *expectedEndpoint, v webhooks.Consequence) {
	now := m.now
	if v.StartFailing && e.FailingSince == nil {
		e.FailingSince = &now
	}
	if v.StopFailing {
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
