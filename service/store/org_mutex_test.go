package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/events"
	"tarmac/service/store"
)

// Many waiting writes of one organization do not keep another's from being done.
func TestAnOrganizationThatIsBusyKeepsNoOtherFromWriting(t *testing.T) {
	if !testdb.Postgres() {
		t.Skip("with SQLite there is one writer")
	}
	stores, _ := openShared(t, 2)
	busy, other := organization(t, stores[0], "a"), organization(t, stores[0], "b")
	add := func(org store.OrgKey, id string, then func()) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			defer then()
			return tx.AppendEvents(org, []events.Event{event(id, events.InvoicePaid, 0)})
		}
	}
	locked, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		if err := stores[1].WriteOf(t.Context(), busy, add(busy, "evt_0", func() { close(locked); <-release })); err != nil {
			t.Error(err)
		}
	})
	<-locked
	var waiting sync.WaitGroup
	for i := range 40 {
		waiting.Add(1)
		all.Go(func() {
			waiting.Done()
			if err := stores[0].WriteOf(t.Context(), busy, add(busy, "evt_a"+string(rune('A'+i)), func() {})); err != nil {
				t.Error(err)
			}
		})
	}
	waiting.Wait()
	// Shorter than the lock timeout, after which the lock would be released.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	for i := range 20 {
		if err := stores[0].WriteOf(ctx, other, add(other, "evt_b"+string(rune('A'+i)), func() {})); err != nil {
			t.Errorf("the other's: %v", err)
			break
		}
	}
	close(release)
	all.Wait()
}
