package database

import "context"

// slots limits the callers of a pool to the number of its connections and lets them in in the order
// in which they came. database/sql gives a free connection to a random waiting caller, so under
// load some callers would wait several times as long as others.
type slots chan struct{}

// acquire waits until the pool has a free connection. The caller must call release. If ctx ends
// first, it returns the error of ctx.
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
