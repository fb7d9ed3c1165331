package store

import (
	"context"
	"fmt"
	"sync"

	"tarmac/service/store/database"
)

// orgMutex is a mutex for each organization. Its zero value is not ready; use newOrgMutex.
type orgMutex struct {
	mu   sync.Mutex
	held map[OrgKey]chan struct{} // closed when the holder unlocks
}

func newOrgMutex() orgMutex { return orgMutex{held: map[OrgKey]chan struct{}{}} }

// lock waits for the organization's mutex. The error is ctx's, as ErrBusy if its deadline
// passed.
func (m *orgMutex) lock(ctx context.Context, org OrgKey) (unlock func(), err error) {
	for {
		m.mu.Lock()
		released, busy := m.held[org]
		if !busy {
			released = make(chan struct{})
			m.held[org] = released
			m.mu.Unlock()
			return func() {
				m.mu.Lock()
				delete(m.held, org)
				m.mu.Unlock()
				close(released)
			}, nil
		}
		m.mu.Unlock()
		select {
		case <-released:
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for what else the organization does: %w", database.DeadlineAsBusy(ctx.Err()))
		}
	}
}
