package database

import "context"

// slots grants as many callers as a pool has connections their turn, first come, first
// served. database/sql hands a free connection to a random waiter instead, so that under
// load some wait several times as long as others.
type slots chan struct{}

// acquire waits for a slot. The error is ctx's.
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
