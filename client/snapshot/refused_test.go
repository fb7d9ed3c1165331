package snapshot_test

import (
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
)

// One response that accepts the token again makes all parts due, even those that no screen
// shows.
func TestATokenThatWorksAgainMakesEveryPartDue(t *testing.T) {
	src := &source{account: apiclient.Account{Currency: "USD",
		Status: apiclient.AccountOpen, Balance: &apiclient.Balance{}}}
	s := newSnapshot(t, src)
	src.grow(1)
	for _, part := range snapshot.Parts {
		run(t, s, s.Load(part))
	}
	var listing resource.Resource[int]
	listing.Complete(listing.Begin(), 1, resource.Ready, nil, noon, time.Time{})

	src.fail = &apiclient.Error{Status: 401}
	run(t, s, s.Load(snapshot.Latest))
	snapshot.ApplyOutage(s, &listing)
	for _, part := range snapshot.Parts {
		if state := s.State(part); state.Err == nil || resource.Due(state, noon, resource.Policy{}) {
			t.Errorf("refused, part %d: %+v", part, state)
		}
	}
	if listing.Err() == nil {
		t.Error("refused, a screen's own list is fresh")
	}

	src.fail = nil
	run(t, s, s.Load(snapshot.Cash))
	if _, out := s.Outage(); out {
		t.Error("it counts as refused after an answer that took it")
	}
	for _, part := range snapshot.Parts {
		if due := resource.Due(s.State(part), noon, resource.Policy{}); due != (part != snapshot.Cash) {
			t.Errorf("taken again, part %d: due %t: %+v", part, due, s.State(part))
		}
	}
	if !snapshot.ApplyOutage(s, &listing) || !resource.Due(listing.State(), noon, resource.Policy{}) {
		t.Error("taken again, a screen's own list is not due")
	}
}
