package store_test

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// check compares everything that can be read with the model.
func (m *outboxModel) check(t *rapid.T) {
	err := m.store().Read(context.Background(), func(snap *store.Snapshot) error {
		for _, org := range m.orgs {
			if err := m.checkEndpoints(t, snap, org); err != nil {
				return err
			}
		}
		return m.checkQueue(t, snap)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (m *outboxModel) checkEndpoints(t *rapid.T, snap *store.Snapshot, org store.OrgKey) error {
	want := []webhooks.Endpoint{}
	for _, e := range slices.Backward(m.endpoints) {
		if e.org != org {
			if _, err := snap.Deliveries(org, e.ID, 1); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("another organization's deliveries: %v", err)
			}
			continue
		}
		want = append(want, e.Endpoint)
		if err := m.checkDeliveries(t, snap, e); err != nil {
			return err
		}
	}
	got, err := snap.Endpoints(org)
	if err == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("endpoints %+v\nwant %+v", got, want)
	}
	return err
}

func (m *outboxModel) checkDeliveries(t *rapid.T, snap *store.Snapshot, e *expectedEndpoint) error {
	limit := rapid.SampledFrom([]int{1, 5, webhooks.MaxListed}).Draw(t, "listed")
	want := []webhooks.Delivery{}
	for _, d := range slices.Backward(m.deliveries) {
		if d.to == e && len(want) < limit {
			want = append(want, d.Delivery)
		}
	}
	got, err := snap.Deliveries(e.org, e.ID, limit)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("deliveries %+v\nwant %+v", got, want)
	}
	for _, d := range got {
		if (d.NextRetryAt != nil) != (d.Status == webhooks.Pending) {
			t.Errorf("%s is %s and due at %v", d.ID, d.Status, d.NextRetryAt)
		}
		if d.AttemptCount < m.begun[d.ID] {
			t.Errorf("%s had %d attempts and now %d", d.ID, m.begun[d.ID], d.AttemptCount)
		}
		m.begun[d.ID] = d.AttemptCount
	}
	return nil
}

func (m *outboxModel) checkQueue(t *rapid.T, snap *store.Snapshot) error {
	want, depth := map[store.EndpointKey]store.DueEndpoint{}, store.OutboxDepth{}
	for _, d := range m.deliveries {
		switch {
		case d.held:
			depth.Held++
			continue
		case d.Status != webhooks.Pending:
			continue
		}
		depth.Pending++
		if depth.OldestAt == nil || d.CreatedAt.Before(*depth.OldestAt) {
			depth.OldestAt = &d.CreatedAt
		}
		if w, ok := want[d.to.key]; !ok || d.NextRetryAt.Before(w.At) {
			want[d.to.key] = store.DueEndpoint{Endpoint: d.to.key, At: *d.NextRetryAt, Failing: d.to.FailingSince != nil}
		}
	}
	got, err := snap.DueEndpoints()
	if err != nil {
		return err
	}
	for _, due := range got {
		if due != want[due.Endpoint] {
			t.Errorf("due %+v, want %+v", due, want[due.Endpoint])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d endpoints wait, want %d", len(got), len(want))
	}
	deep, err := snap.OutboxDepth()
	if err == nil && !reflect.DeepEqual(deep, depth) {
		t.Errorf("depth %+v, want %+v", deep, depth)
	}
	return err
}
