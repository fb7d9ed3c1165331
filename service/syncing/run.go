package syncing

import (
	"context"
	"errors"
	"sync"
	"time"

	"tarmac/internal/panics"
	"tarmac/service/providers/pace"
	"tarmac/service/store"
)

const (
	// idlePoll is the longest time between two looks at when the next reading is due. Another
	// process may make a connection meanwhile.
	idlePoll = time.Minute
	// maxParallel is the number of connections that a process reads at the same time.
	maxParallel = 4
)

// Run reads the connections of all organizations, each when it is due, until ctx ends. It then
// waits for the readings in progress, which are canceled.
func (s *Syncer) Run(ctx context.Context) {
	var readings sync.WaitGroup
	defer readings.Wait()
	slots := make(chan struct{}, maxParallel)
	timer := time.NewTimer(0)
	defer timer.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-s.woken:
		}
		wait, err := s.startDue(ctx, slots, &readings)
		if failed := err != nil && ctx.Err() == nil; failed != failing {
			if failing = failed; failed {
				s.Logger.Warn("due connections could not be read from the database; retrying every minute", "error", err)
			} else {
				s.Logger.Info("due connections are read from the database again")
			}
		}
		timer.Reset(wait)
	}
}

// startDue starts the readings that are due, and returns how long to wait before the next call.
func (s *Syncer) startDue(ctx context.Context, slots chan struct{}, readings *sync.WaitGroup) (time.Duration, error) {
	now := s.Now()
	var (
		due  []store.Connection
		next time.Time
	)
	err := s.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		if next, err = snap.NextReading(); err != nil || next.IsZero() {
			return err
		}
		due, err = snap.DueConnections(now, now.Add(pace.LongestWait))
		return err
	})
	if err != nil || next.IsZero() {
		return idlePoll, err
	}
	for _, c := range due {
		select {
		case slots <- struct{}{}:
		default:
			return idlePoll, nil // a reading that ends wakes the loop
		}
		lease, claimed, err := s.claimReading(ctx, c.Key, c.NextTry)
		if err != nil || !claimed {
			<-slots
			if err != nil {
				return idlePoll, err
			}
			continue
		}
		readings.Go(func() {
			defer func() { <-slots; s.wake() }()
			s.readDue(ctx, lease, c)
		})
	}
	if len(due) > 0 {
		return time.Second, nil
	}
	return max(time.Second, min(idlePoll, next.Sub(now))), nil
}

// readDue reads a connection that is due.
func (s *Syncer) readDue(ctx context.Context, lease store.ReadingLease, c store.Connection) {
	defer func() {
		// The other connections are read all the same. This one is due again when its lease ends.
		if fault := recover(); fault != nil {
			s.Logger.Error("the reading of a connection panicked", "connection", c.ID, "error", panics.Describe(fault))
		}
	}()
	if _, err := s.read(ctx, lease, c, SyncOptions{}, false); err != nil && !errors.Is(err, context.Canceled) {
		s.Logger.Warn("the reading of a connection could not be stored", "connection", c.ID, "error", err)
	}
}
