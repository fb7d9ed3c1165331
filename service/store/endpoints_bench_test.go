package store_test

import (
	"fmt"
	"testing"
	"time"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// benchEndpoints adds n endpoints that subscribe to one event type, twenty to each organization.
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

// BenchmarkAppend measures appending an event, with its commit, in an organization that has as
// many endpoints as it may, which all subscribe to the event.
func BenchmarkAppend(b *testing.B) {
	s, source := open(b), newIDs()
	org := benchEndpoints(b, s, webhooks.MaxEndpoints)[0]
	for b.Loop() {
		write(b, s, func(tx *store.Tx) error { return tx.AppendEvents(org, []events.Event{benchEvent(b, source, created)}) })
	}
}

// BenchmarkClaim measures finding and claiming the due deliveries of 200 endpoints, among 100,000
// finished ones.
func BenchmarkClaim(b *testing.B) {
	const endpoints, perOrganization = 200, 500
	s, source := open(b), newIDs()
	orgs := benchEndpoints(b, s, endpoints)
	for _, org := range orgs {
		write(b, s, func(tx *store.Tx) error {
			for range perOrganization {
				if err := tx.AppendEvents(org, []events.Event{benchEvent(b, source, created)}); err != nil {
					return err
				}
			}
			finished, err := claimAll(tx, endpoints, perOrganization)
			for _, a := range finished {
				if _, err := tx.FinishAttempt(a, created, 200, webhooks.NoProblem,
					always(webhooks.Consequence{Status: webhooks.Delivered})); err != nil {
					return err
				}
			}
			return err
		})
	}
	for _, org := range orgs {
		write(b, s, func(tx *store.Tx) error { return tx.AppendEvents(org, []events.Event{benchEvent(b, source, created)}) })
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

// claimAll claims up to limit deliveries of each of the endpoints.
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
