package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/events"
	"tarmac/service/invoicing"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// A delivery is deleted with its event, and its attempt's outcome must not be recorded for a
// later delivery.
func TestAnAttemptAtAPrunedEventSettlesNothing(t *testing.T) {
	s := openChecked(t)
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
	if finish(t, s, stale[0], created, webhooks.Consequence{Status: webhooks.Delivered}) {
		t.Error("an attempt at a pruned event was recorded")
	}
	if !finish(t, s, fresh[0], created, webhooks.Consequence{Status: webhooks.Delivered}) {
		t.Error("the later event's attempt was not recorded")
	}
}

func TestPruningTakesWhatIsOldWithItsDeliveriesAndNothingElse(t *testing.T) {
	stores, path := openShared(t, 1)
	s := stores[0]
	org, other := organization(t, s, "a"), organization(t, s, "b")
	insertEndpoint(t, s, org, endpoint("wh_1", events.InvoicePaid))
	insertEndpoint(t, s, org, endpoint("wh_2", events.InvoicePaid))
	insertEndpoint(t, s, other, endpoint("wh_3", events.InvoicePaid))
	write(t, s, func(tx *store.Tx) error {
		return errors.Join(
			tx.AppendEvents(org, []events.Event{
				event("evt_1", events.InvoicePaid, -2*time.Hour), event("evt_2", events.PaymentHeld, -time.Hour),
				event("evt_3", events.InvoicePaid, 0),            // exactly as old as the limit
				event("evt_4", events.InvoicePaid, -3*time.Hour), // occurred earlier, but follows an event that can still be read
			}),
			tx.AppendEvents(other, []events.Event{event("evt_5", events.InvoicePaid, -time.Hour),
				event("evt_6", events.InvoicePaid, time.Hour)}))
	})
	// Finished and pending deliveries are deleted alike.
	write(t, s, func(tx *store.Tx) error {
		claimed, err := tx.ClaimDeliveries(waiting(t, s)[0].Endpoint, created.Add(-2*time.Hour), created, 1, mostAttempts)
		if err != nil || len(claimed) != 1 {
			t.Fatalf("claimed %+v, %v", claimed, err)
		}
		_, err = tx.FinishAttempt(claimed[0], created, 200, webhooks.NoProblem,
			always(webhooks.Consequence{Status: webhooks.Delivered}))
		return err
	})
	for _, want := range []int64{2, 1, 0} {
		write(t, s, func(tx *store.Tx) error {
			n, err := tx.PruneEvents(created, 2)
			if err == nil && n != want {
				t.Errorf("%d events were deleted, want %d", n, want)
			}
			return err
		})
	}
	for id, c := range map[string]struct {
		org  store.OrgKey
		want []string
	}{
		"wh_1": {org, []string{"evt_4", "evt_3"}}, "wh_2": {org, []string{"evt_4", "evt_3"}},
		"wh_3": {other, []string{"evt_6"}},
	} {
		if got := eventIDs(listed(t, s, c.org, id)); !slices.Equal(got, c.want) {
			t.Errorf("%s still has %v, want %v", id, got, c.want)
		}
	}
	if n := ask[int](t, path, "SELECT count(*) FROM webhook_deliveries"); n != 5 {
		t.Errorf("%d deliveries are left", n)
	}
	if n := ask[int](t, path, "SELECT count(*) FROM events"); n != 3 {
		t.Errorf("%d events are left", n)
	}
	// A feed without events left continues its numbers.
	write(t, s, func(tx *store.Tx) error {
		if _, err := tx.PruneEvents(created.Add(2*time.Hour), 99); err != nil {
			return err
		}
		return tx.AppendEvents(other, []events.Event{event("evt_7", events.InvoicePaid, 0)})
	})
	read(t, s, func(snap *store.Snapshot) error {
		place, err := snap.EventSequence(other, "evt_7", created)
		if err == nil && place != 3 {
			t.Errorf("the next event has place %d", place)
		}
		return err
	})
}

func TestAnswersArePrunedByAgeTheOldestFirst(t *testing.T) {
	stores, path := openShared(t, 1)
	s := stores[0]
	org := organization(t, s, "a")
	write(t, s, func(tx *store.Tx) error {
		for n := range 5 {
			if err := tx.StoreResponse(org, fmt.Sprint(n), answer(fmt.Sprint(n), time.Duration(n)*time.Hour)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, want := range []int64{2, 1, 0} {
		write(t, s, func(tx *store.Tx) error {
			n, err := tx.PruneResponses(*at(3 * time.Hour), 2)
			if err == nil && n != want {
				t.Errorf("%d answers were deleted, want %d", n, want)
			}
			return err
		})
		if oldest := ask[string](t, path, "SELECT min(key) FROM idempotency_keys"); want == 2 && oldest != "2" {
			t.Errorf("the oldest that is left is %s", oldest)
		}
	}
	if left := ask[string](t, path, "SELECT min(key) || ',' || max(key) FROM idempotency_keys"); left != "3,4" {
		t.Errorf("left: %s", left)
	}
}

// InvoicesPastDue returns what was due before today, the longest due first.
func TestFallenDueIsWhatWasSentAndDueBeforeToday(t *testing.T) {
	s := openChecked(t)
	orgs := [...]store.OrgKey{organization(t, s, "a"), organization(t, s, "b")}
	today := civil.New(2026, 12, 31)
	write(t, s, func(tx *store.Tx) error {
		for i, c := range []struct {
			status invoicing.Status
			due    civil.Date
		}{
			{invoicing.Sent, today.AddDays(-1)}, {invoicing.Sent, today}, {invoicing.Sent, today.AddDays(1)},
			{invoicing.Sent, civil.Date{}},
			{invoicing.Draft, today.AddDays(-9)}, {invoicing.Overdue, today.AddDays(-9)}, {invoicing.Paid, today.AddDays(-9)},
			{invoicing.Voided, today.AddDays(-9)}, {invoicing.Sent, today.AddDays(-400)}, {invoicing.Sent, today.AddDays(-1)},
		} {
			inv := draft(fmt.Sprintf("inv_%d", i))
			inv.Status, inv.DueDate = c.status, c.due
			if _, err := tx.InsertInvoice(orgs[i%2], inv); err != nil {
				return err
			}
		}
		return nil
	})
	want := []string{"inv_8", "inv_0", "inv_9"}
	for limit := range 5 {
		write(t, s, func(tx *store.Tx) error {
			owed, err := tx.InvoicesPastDue(today, limit)
			var got []string
			for _, o := range owed {
				got = append(got, o.Invoice.ID)
				if owner, err := tx.InvoiceOrg(o.Invoice.ID); err != nil || owner != o.Org {
					t.Errorf("%s is of %d, want %d, %v", o.Invoice.ID, o.Org, owner, err)
				}
			}
			if !slices.Equal(got, want[:min(limit, len(want))]) {
				t.Errorf("at most %d: %v", limit, got)
			}
			return err
		})
	}
	// Overdue invoices are not returned again.
	write(t, s, func(tx *store.Tx) error {
		owed, err := tx.InvoicesPastDue(today, 1)
		if err != nil {
			return err
		}
		owed[0].Invoice.Status = invoicing.Overdue
		if err := tx.UpdateInvoice(owed[0].Org, owed[0].Invoice); err != nil {
			return err
		}
		again, err := tx.InvoicesPastDue(today, 9)
		if err == nil && (len(again) != 2 || again[0].Invoice.ID != "inv_0") {
			t.Errorf("the next sweep: %+v", again)
		}
		return err
	})
}
