package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"tarmac/service/events"
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

func waiting(t testing.TB, s *store.Store) (due []store.DueEndpoint) {
	t.Helper()
	read(t, s, func(snap *store.Snapshot) (err error) {
		due, err = snap.DueEndpoints()
		return err
	})
	return due
}

// claim claims from the first due endpoint, and fails the test if there is none.
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

func always(v webhooks.Consequence) store.ConsequenceFunc {
	return func(webhooks.Endpoint) webhooks.Consequence { return v }
}

func finish(t testing.TB, s *store.Store, a store.Attempt, now time.Time, v webhooks.Consequence) (recorded bool) {
	t.Helper()
	write(t, s, func(tx *store.Tx) (err error) {
		recorded, err = tx.FinishAttempt(a, now, 200, webhooks.NoProblem, always(v))
		return err
	})
	return recorded
}

// Released deliveries are due within the spread, and not all at once.
func TestReleasedDeliveriesAreSpread(t *testing.T) {
	s := openChecked(t)
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

// The outcome of an attempt whose endpoint was deleted must not be recorded for another delivery.
func TestAnAttemptAtADeletedEndpointSettlesNothing(t *testing.T) {
	s := openChecked(t)
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
	if finish(t, s, stale[0], created, webhooks.Consequence{Status: webhooks.Delivered}) {
		t.Error("an attempt at a deleted endpoint was recorded")
	}
	write(t, s, func(tx *store.Tx) error { return tx.ReleaseAttempt(stale[0], created.Add(-time.Hour)) })
	got := listed(t, s, other, "wh_2")
	if len(got) != 1 || got[0].Status != webhooks.Pending || !got[0].NextRetryAt.Equal(created.Add(lease)) {
		t.Errorf("the other delivery became %+v", got)
	}
	if !finish(t, s, fresh[0], created, webhooks.Consequence{Status: webhooks.Delivered}) {
		t.Error("its own attempt was not recorded")
	}
}

// Held deliveries are neither attempted nor failed. When they are released, deliveries older
// than the limit fail.
func TestHeldDeliveriesWaitForTheirRelease(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	insertEndpoint(t, s, org, endpoint("wh_1", events.InvoicePaid))
	write(t, s, func(tx *store.Tx) error {
		return tx.AppendEvents(org, []events.Event{
			event("evt_old", events.InvoicePaid, -time.Microsecond), event("evt_same", events.InvoicePaid, 0),
			event("evt_later", events.InvoicePaid, 9*time.Hour),
		})
	})
	now := created
	for range mostAttempts {
		if claimed := claim(t, s, now, 9); len(claimed) != 2 {
			t.Fatalf("claimed %+v", claimed)
		}
		now = now.Add(lease)
	}
	due := waiting(t, s)
	write(t, s, func(tx *store.Tx) error { return tx.HoldDeliveries(org, "wh_1") })
	write(t, s, func(tx *store.Tx) error {
		claimed, err := tx.ClaimDeliveries(due[0].Endpoint, now.Add(time.Hour), now, 9, mostAttempts)
		if err == nil && len(claimed) != 0 {
			t.Errorf("claimed %+v", claimed)
		}
		return err
	})
	if due := waiting(t, s); len(due) != 0 {
		t.Errorf("somebody waits for what is held: %+v", due)
	}
	now = now.Add(time.Hour)
	write(t, s, func(tx *store.Tx) error { return tx.ReleaseDeliveries(org, "wh_1", now, created, time.Second) })
	for i, want := range []struct {
		status   webhooks.DeliveryStatus
		earliest time.Time
	}{{webhooks.Pending, *at(9 * time.Hour)}, {webhooks.Pending, now}, {webhooks.Failed, time.Time{}}} {
		d := listed(t, s, org, "wh_1")[i]
		if d.Status != want.status || d.NextRetryAt != nil &&
			(d.NextRetryAt.Before(want.earliest) || !d.NextRetryAt.Before(want.earliest.Add(time.Second))) {
			t.Errorf("%s is %s, due at %v", d.EventID, d.Status, d.NextRetryAt)
		}
	}
}

func TestTheLatestEventsAreQueuedForEndpointsThatAreNewerThanThem(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	write(t, s, func(tx *store.Tx) error {
		return tx.AppendEvents(org, []events.Event{event("evt_1", events.InvoicePaid, 0),
			event("evt_2", events.InvoicePaid, 0), event("evt_3", events.PaymentHeld, 0), event("evt_4", events.InvoicePaid, 0)})
	})
	insertEndpoint(t, s, org, endpoint("wh_1", events.InvoicePaid))

	write(t, s, func(tx *store.Tx) error { return tx.QueueLatest(org, 3) })

	queued := listed(t, s, org, "wh_1")
	if len(queued) != 2 || queued[0].EventID != "evt_4" || queued[1].EventID != "evt_2" ||
		queued[0].Status != webhooks.Pending {
		t.Errorf("%+v", queued)
	}
	if a := claim(t, s, created, 1); len(a) != 1 || len(a[0].Body) == 0 {
		t.Errorf("claimed %+v", a)
	}
}

// Test deliveries stay pending when their endpoint is disabled: they show whether it works again.
func TestGivingAnEndpointUpEndsAllButItsTests(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	insertEndpoint(t, s, org, endpoint("wh_1", events.InvoicePaid))
	insertEndpoint(t, s, org, endpoint("wh_2", events.InvoicePaid))
	write(t, s, func(tx *store.Tx) error {
		err := tx.AppendEvents(org, []events.Event{event("evt_1", events.InvoicePaid, 0),
			event("evt_2", events.InvoicePaid, 0)})
		_, failed := tx.QueueTest(org, "wh_1", event("evt_3", events.TestEvent, 0))
		return errors.Join(err, failed)
	})
	first, now := claim(t, s, created, 1)[0], *at(time.Minute)
	if !finish(t, s, first, now, webhooks.Consequence{Status: webhooks.Failed, Disable: webhooks.Gone}) {
		t.Error("the attempt was not recorded")
	}
	for id, want := range map[string][]webhooks.DeliveryStatus{
		"wh_1": {webhooks.Pending, webhooks.Failed, webhooks.Failed}, "wh_2": {webhooks.Pending, webhooks.Pending},
	} {
		for i, d := range listed(t, s, org, id) {
			if d.Status != want[i] || (d.NextRetryAt == nil) != (d.Status == webhooks.Failed) {
				t.Errorf("%s to %s is %s, due at %v", d.EventID, id, d.Status, d.NextRetryAt)
			}
		}
	}
	write(t, s, func(tx *store.Tx) error {
		e, err := tx.Endpoint(org, "wh_1")
		if e.Status != webhooks.AutoDisabled || e.DisabledReason != webhooks.Gone || !e.DisabledAt.Equal(now) ||
			!e.FailingSince.Equal(now) {
			t.Errorf("the endpoint is %+v", e)
		}
		return err
	})
}

// The cost of a claim depends on the number of claimed deliveries, not on the number of other
// deliveries that wait.
func TestAClaimLooksAtNothingBehindWhatItTakes(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	insertEndpoint(t, s, org, endpoint("wh_1", events.InvoicePaid))
	appended := func(id string, after time.Duration) {
		t.Helper()
		write(t, s, func(tx *store.Tx) error {
			return tx.AppendEvents(org, []events.Event{event(id, events.InvoicePaid, after)})
		})
	}
	taken := func(after time.Duration, want string) {
		t.Helper()
		claimed := claim(t, s, created.Add(after), 1)
		if len(claimed) != 1 || claimed[0].EventID != want {
			t.Fatalf("claimed %+v, want %s", claimed, want)
		}
	}
	appended("evt_worn", 0)
	for n := range time.Duration(mostAttempts) {
		taken(n*lease, "evt_worn")
	}
	appended("evt_before", lease)
	appended("evt_after", (mostAttempts+1)*lease)
	taken((mostAttempts+1)*lease, "evt_before")
	if d := listed(t, s, org, "wh_1")[2]; d.Status != webhooks.Pending {
		t.Errorf("%s is %s before its turn", d.EventID, d.Status)
	}
	taken((mostAttempts+1)*lease, "evt_after")
	if d := listed(t, s, org, "wh_1")[2]; d.Status != webhooks.Failed {
		t.Errorf("%s is %s after its turn", d.EventID, d.Status)
	}
}
