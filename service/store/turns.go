package store

import (
	"context"
	"fmt"
	"sync"

	"tarmac/service/store/database"
)

// turns lets each organization do one thing at a time.
type turns struct {
	mu    sync.Mutex
	taken map[OrgKey]chan struct{} // closed when the turn ends
}

func newTurns() turns { return turns{taken: map[OrgKey]chan struct{}{}} }

// take waits for the organization's turn. The caller ends it with done.
func (t *turns) take(ctx context.Context, org OrgKey) (done func(), err error) {
	for {
		t.mu.Lock()
		ended, busy := t.taken[org]
		if !busy {
			ended = make(chan struct{})
			t.taken[org] = ended
			t.mu.Unlock()
			return func() {
				t.mu.Lock()
				delete(t.taken, org)
				t.mu.Unlock()
				close(ended)
			}, nil
		}
		t.mu.Unlock()
		select {
		case <-ended:
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for what else the organization does: %w", database.DeadlineAsBusy(ctx.Err()))
		}
	}
}
