package syncing

import (
	"context"
	"time"
)

// Idle looks once for readings that are due, when none is, and returns how long Run then waits.
func (s *Syncer) Idle(ctx context.Context) (time.Duration, error) { return s.startDue(ctx, nil, nil) }
