package store

import (
	"context"
	"fmt"
	"sync"

	"tarmac/service/store/database"
)

// orgMutex is a set of mutexes, one for each organization. It must be created by newOrgMutex.
type orgMutex struct {
	mu   sync.Mutex
	held map[OrgKey]chan struct{} // channel for each locked mutex, closed when it is unlocked
}

func newOrgMutex() orgMutex { return orgMutex{held: map[OrgKey]chan struct{}{}} }

// lock waits until it has locked the organization's mutex. If ctx ends first, it returns an error
// that wraps the error of ctx, and ErrBusy if the deadline has passed.
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
