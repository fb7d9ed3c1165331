package database

import "context"

// slots lets at most as many callers use a pool as it has connections, in the order in which
// they came. database/sql would give a free connection to a random waiter, so that under load
// some callers wait several times as long as others.
type slots chan struct{}

// acquire waits for a slot, which release frees. If ctx ends first the error is ctx's.
func (s slots) acquire(ctx context.Context) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
