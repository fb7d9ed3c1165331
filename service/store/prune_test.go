package store_test

import (
	"testing"
	"time"

	"tarmac/service/events"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// A delivery goes with its event, and its attempt must not speak for a later one.
func TestAnAttemptAtAPrunedEventSettlesNothing(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	insertEndpoint(t, s, org, endpoint("wh_1", events.InvoicePaid))
	write(t, s, func(tx *store.Tx) error {
		return tx.AppendEvents(org, []events.Event{event("evt_1", events.InvoicePaid, 0)})
	})
	stale := claim(t, s, created, 1)
	write(t, s, func(tx *store.Tx) error {
		if _, err := tx.PruneEvents(created.Add(time.Second), 10); err != nil {
			return err
		}
		return tx.AppendEvents(org, []events.Event{event("evt_2", events.InvoicePaid, 0)})
	})
	fresh := claim(t, s, created, 1)
	if settle(t, s, stale[0], created, webhooks.Verdict{Status: webhooks.Delivered}) {
		t.Error("an attempt at a pruned event was settled")
	}
	if !settle(t, s, fresh[0], created, webhooks.Verdict{Status: webhooks.Delivered}) {
		t.Error("the later event's attempt was not settled")
	}
}
