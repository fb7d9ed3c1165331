package store

import "context"

// places are as many as a pool has connections. database/sql gives a connection
// that becomes free to any of those who wait for one, so that with many waiting
// some wait several times as long as others; here who came first goes first.
type places chan struct{}

// enter waits for a place; leave gives it back. The error is ctx's.
func (p places) enter(ctx context.Context) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case p <- struct{}{}:
		return func() { <-p }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
