package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"tarmac/service/events"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

func TestEndpointsStopAtTheCapHoweverManyAreMadeAtOnce(t *testing.T) {
	for processes := 1; processes <= 2; processes++ {
		t.Run(fmt.Sprintf("%d on one file", processes), func(t *testing.T) {
			stores, _ := openShared(t, processes)
			org, other := organization(t, stores[0], "a"), organization(t, stores[0], "b")
			var wg sync.WaitGroup
			failures := make(chan error, 50)
			for n := range cap(failures) {
				e := endpoint(fmt.Sprintf("wh_%02d", n), events.InvoicePaid)
				e.Status = []webhooks.Status{webhooks.Active, webhooks.Paused, webhooks.AutoDisabled}[n%3]
				wg.Go(func() {
					failures <- stores[n%processes].Write(context.Background(), func(tx *store.Tx) error {
						return tx.InsertEndpoint(org, e, []byte("sealed"))
					})
				})
			}
			wg.Wait()
			close(failures)
			full := 0
			for err := range failures {
				if errors.Is(err, store.ErrFull) {
					full++
				} else if err != nil {
					t.Error(err)
				}
			}
			if full != cap(failures)-webhooks.MaxEndpoints {
				t.Errorf("%d were refused", full)
			}
			insertEndpoint(t, stores[0], other, endpoint("wh_other", events.InvoicePaid))
			read(t, stores[0], func(snap *store.Snapshot) error {
				all, err := snap.Endpoints(org)
				if err == nil && len(all) != webhooks.MaxEndpoints {
					t.Errorf("%d endpoints", len(all))
				}
				return err
			})
			// Deleting an endpoint makes room for another.
			write(t, stores[0], func(tx *store.Tx) error { return tx.DeleteEndpoint(other, "wh_other") })
			read(t, stores[0], func(snap *store.Snapshot) error {
				all, err := snap.Endpoints(org)
				if err != nil {
					return err
				}
				write(t, stores[0], func(tx *store.Tx) error { return tx.DeleteEndpoint(org, all[0].ID) })
				return nil
			})
			insertEndpoint(t, stores[0], org, endpoint("wh_again", events.InvoicePaid))
			err := stores[0].Write(context.Background(), func(tx *store.Tx) error {
				return tx.InsertEndpoint(org, endpoint("wh_more", events.InvoicePaid), []byte("sealed"))
			})
			if !errors.Is(err, store.ErrFull) {
				t.Errorf("one above the cap: %v", err)
			}
		})
	}
}

func TestEndpointsKeepWhatTheyAreToldAndNothingElse(t *testing.T) {
	s := openChecked(t)
	org, other := organization(t, s, "a"), organization(t, s, "b")
	e := endpoint("wh_1", events.PaymentFailed, events.InvoicePaid, events.TestEvent)
	insertEndpoint(t, s, org, e)
	insertEndpoint(t, s, org, endpoint("wh_2", events.InvoicePaid))
	insertEndpoint(t, s, other, endpoint("wh_3", events.InvoicePaid))
	e.URL, e.EventTypes = "https://elsewhere.example/", []events.Type{events.InvoiceVoided}
	e.Status, e.DisabledReason, e.DisabledAt = webhooks.AutoDisabled, webhooks.Failing, at(time.Hour)
	e.FailingSince, e.UpdatedAt = at(time.Minute), *at(time.Hour)
	write(t, s, func(tx *store.Tx) error { return tx.UpdateEndpoint(org, e) })
	secrets := store.Secrets{Current: []byte("new"), Previous: []byte("old"), PreviousExpiresAt: at(25 * time.Hour)}
	write(t, s, func(tx *store.Tx) error {
		first, err := tx.EndpointSecrets(org, "wh_1")
		if err != nil || !reflect.DeepEqual(first, store.Secrets{Current: []byte("sealed wh_1")}) {
			t.Errorf("before rotating: %+v, %v", first, err)
		}
		return tx.SetEndpointSecrets(org, "wh_1", secrets, *at(2 * time.Hour))
	})
	e.PreviousSecretExpiresAt, e.UpdatedAt = secrets.PreviousExpiresAt, *at(2 * time.Hour)
	write(t, s, func(tx *store.Tx) error {
		got, err := tx.Endpoint(org, "wh_1")
		if err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("Endpoint = %+v, %v\nwant %+v", got, err, e)
		}
		rotated, err := tx.EndpointSecrets(org, "wh_1")
		if err == nil && !reflect.DeepEqual(rotated, secrets) {
			t.Errorf("rotated: %+v", rotated)
		}
		return err
	})
	read(t, s, func(snap *store.Snapshot) error {
		all, err := snap.Endpoints(org)
		if err != nil || !reflect.DeepEqual(all, []webhooks.Endpoint{endpoint("wh_2", events.InvoicePaid), e}) {
			t.Errorf("Endpoints = %+v, %v", all, err)
		}
		none, err := snap.Endpoints(99)
		if err == nil && (none == nil || len(none) != 0) {
			t.Errorf("of nobody: %#v", none)
		}
		return err
	})
}

func TestAnotherOrganizationsEndpointIsNotThere(t *testing.T) {
	s := openChecked(t)
	org, other := organization(t, s, "a"), organization(t, s, "b")
	e := endpoint("wh_1", events.InvoicePaid)
	insertEndpoint(t, s, org, e)
	write(t, s, func(tx *store.Tx) error {
		return tx.AppendEvents(org, []events.Event{event("evt_1", events.InvoicePaid, 0)})
	})
	for name, call := range map[string]func(tx *store.Tx) error{
		"Endpoint":        func(tx *store.Tx) error { _, err := tx.Endpoint(other, e.ID); return err },
		"UpdateEndpoint":  func(tx *store.Tx) error { return tx.UpdateEndpoint(other, e) },
		"EndpointSecrets": func(tx *store.Tx) error { _, err := tx.EndpointSecrets(other, e.ID); return err },
		"SetEndpointSecrets": func(tx *store.Tx) error {
			return tx.SetEndpointSecrets(other, e.ID, store.Secrets{}, created)
		},
		"DeleteEndpoint": func(tx *store.Tx) error { return tx.DeleteEndpoint(other, e.ID) },
		"QueueTest": func(tx *store.Tx) error {
			_, err := tx.QueueTest(other, e.ID, event("evt_2", events.TestEvent, 0))
			return err
		},
	} {
		if err := s.Write(context.Background(), call); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s = %v", name, err)
		}
	}
	write(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.HoldDeliveries(other, e.ID),
			tx.ReleaseDeliveries(other, e.ID, *at(0), *at(time.Hour), time.Hour))
	})
	read(t, s, func(snap *store.Snapshot) error {
		if _, err := snap.Deliveries(other, e.ID, 1); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Deliveries = %v", err)
		}
		got, err := snap.Endpoint(org, e.ID)
		if err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("the endpoint became %+v, %v", got, err)
		}
		due, err := snap.DueEndpoints()
		if err == nil && (len(due) != 1 || !due[0].At.Equal(created)) {
			t.Errorf("another organization moved what is due: %+v", due)
		}
		feed, err := snap.Feed(other, store.FeedQuery{Limit: 9})
		if err == nil && len(feed) != 0 {
			t.Errorf("a test event of nobody's endpoint is in the feed: %+v", feed)
		}
		return err
	})
}

func TestDeletingAnEndpointRemovesItsDeliveriesAlone(t *testing.T) {
	stores, path := openShared(t, 1)
	s := stores[0]
	org := organization(t, s, "a")
	insertEndpoint(t, s, org, endpoint("wh_1", events.InvoicePaid))
	insertEndpoint(t, s, org, endpoint("wh_2", events.InvoicePaid))
	write(t, s, func(tx *store.Tx) error {
		return tx.AppendEvents(org, []events.Event{event("evt_1", events.InvoicePaid, 0),
			event("evt_2", events.InvoicePaid, 0)})
	})
	write(t, s, func(tx *store.Tx) error { return tx.DeleteEndpoint(org, "wh_1") })
	if n := ask[int](t, path, "SELECT count(*) FROM webhook_deliveries"); n != 2 {
		t.Errorf("%d deliveries are left", n)
	}
	if n := ask[int](t, path, "SELECT count(*) FROM events"); n != 2 {
		t.Errorf("%d events are left", n)
	}
	read(t, s, func(snap *store.Snapshot) error {
		listed, err := snap.Deliveries(org, "wh_2", webhooks.MaxListed)
		if err == nil && !slices.Equal(eventIDs(listed), []string{"evt_2", "evt_1"}) {
			t.Errorf("the other endpoint's: %+v", listed)
		}
		return err
	})
	if err := s.Write(context.Background(), func(tx *store.Tx) error {
		return tx.DeleteEndpoint(org, "wh_1")
	}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("deleting again: %v", err)
	}
}

func TestEventsAreQueuedForWhoWantsThemThen(t *testing.T) {
	s := openChecked(t)
	org, other := organization(t, s, "a"), organization(t, s, "b")
	paused := endpoint("wh_paused", events.InvoicePaid)
	paused.Status = webhooks.Paused
	disabled := endpoint("wh_disabled", events.InvoicePaid)
	disabled.Status = webhooks.AutoDisabled
	for _, e := range []webhooks.Endpoint{
		endpoint("wh_both", events.InvoicePaid, events.PaymentHeld), endpoint("wh_one", events.PaymentHeld),
		endpoint("wh_test", events.TestEvent), paused, disabled,
	} {
		insertEndpoint(t, s, org, e)
	}
	insertEndpoint(t, s, other, endpoint("wh_other", events.InvoicePaid, events.PaymentHeld))
	write(t, s, func(tx *store.Tx) error {
		return tx.AppendEvents(org, []events.Event{
			event("evt_1", events.InvoicePaid, 0), event("evt_2", events.PaymentHeld, -time.Hour),
			event("evt_3", events.TestEvent, 0), event("evt_4", events.InvoiceVoided, 0),
		})
	})
	insertEndpoint(t, s, org, endpoint("wh_late", events.InvoicePaid))
	for id, want := range map[string][]string{
		"wh_both": {"evt_2", "evt_1"}, "wh_one": {"evt_2"}, "wh_test": nil, "wh_paused": nil, "wh_disabled": nil,
		"wh_late": nil,
	} {
		got := listed(t, s, org, id)
		if got == nil || !slices.Equal(eventIDs(got), want) {
			t.Errorf("%s got %v, want %v", id, eventIDs(got), want)
		}
	}
	if got := listed(t, s, other, "wh_other"); len(got) != 0 {
		t.Errorf("another organization's endpoint got %+v", got)
	}
}

// Queued notifies after the commit, not before.
func TestQueuedTellsOfWhatWasCommitted(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	insertEndpoint(t, s, org, endpoint("wh_1", events.InvoicePaid))
	told := func() bool {
		select {
		case <-s.Queued():
			return true
		default:
			return false
		}
	}
	failure := errors.New("rolled back")
	for _, c := range []struct {
		name string
		want bool
		fn   func(*store.Tx) error
	}{
		{"an event that nobody wants", false, func(tx *store.Tx) error {
			return tx.AppendEvents(org, []events.Event{event("evt_1", events.PaymentHeld, 0)})
		}},
		{"an event rolled back", false, func(tx *store.Tx) error {
			return errors.Join(tx.AppendEvents(org, []events.Event{event("evt_2", events.InvoicePaid, 0)}), failure)
		}},
		{"an event", true, func(tx *store.Tx) error {
			return tx.AppendEvents(org, []events.Event{event("evt_3", events.InvoicePaid, 0)})
		}},
		{"a hold", false, func(tx *store.Tx) error { return tx.HoldDeliveries(org, "wh_1") }},
		{"a release", true, func(tx *store.Tx) error { return tx.ReleaseDeliveries(org, "wh_1", created, created, 0) }},
		{"a release of nothing", false, func(tx *store.Tx) error {
			return tx.ReleaseDeliveries(org, "wh_1", created, created, 0)
		}},
		{"a test", true, func(tx *store.Tx) error {
			_, err := tx.QueueTest(org, "wh_1", event("evt_4", events.TestEvent, 0))
			return err
		}},
	} {
		if err := s.Write(context.Background(), c.fn); err != nil && !errors.Is(err, failure) {
			t.Fatalf("%s: %v", c.name, err)
		}
		if told() != c.want {
			t.Errorf("%s: told is %v", c.name, !c.want)
		}
	}
}
