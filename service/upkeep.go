package service

import (
	"context"
	"log/slog"
	"time"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// upkeepInterval is how long an invoice may at most be overdue without being
// called so (docs/api.md, Invoice status).
const upkeepInterval = time.Minute

const (
	// eventsKept is a day more than events can be read: what is on its way to a
	// receiver, or being read, is not deleted under it.
	eventsKept = (events.RetentionDays + 1) * 24 * time.Hour
)

// Nothing is deleted before the clock has gone on evenly for a while: one that is
// years ahead, until it is put right, must not delete what people can still read.
const (
	settling    = time.Hour
	longestStep = 10 * upkeepInterval
)

// Sizes of one transaction: whoever writes meanwhile waits for one at most. An
// event of an organization with all its endpoints is twenty rows more.
const (
	overdueBatch = 100
	recallBatch  = 1000
	eventsBatch  = 200
	answersBatch = 1000
)

// upkeep is what time does to records: invoices fall overdue, deliveries that a
// wrong clock put off are recalled, and what nobody can read any more is deleted. Any number of processes may keep up one database.
type upkeep struct {
	store   *store.Store
	ids     *ids.Source
	logger  *slog.Logger
	now     func() time.Time
	failing map[string]bool // what could not be done the last time, by task.failed
	last    time.Time       // of the last round
	even    time.Time       // since when the clock has gone on evenly
}

func newUpkeep(st *store.Store, source *ids.Source, logger *slog.Logger, now func() time.Time) *upkeep {
	return &upkeep{store: st, ids: source, logger: logger, now: now, failing: map[string]bool{}}
}

// run keeps the records up, at once and then every minute, until ctx ends.
func (u *upkeep) run(ctx context.Context) {
	ticker := time.NewTicker(upkeepInterval)
	defer ticker.Stop()
	u.loop(ctx, ticker.C)
}

func (u *upkeep) loop(ctx context.Context, tick <-chan time.Time) {
	for {
		u.once(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// task is one kind of upkeep: do does a batch of it in one transaction and returns
// how much that was.
type task struct {
	done, failed string // for the log
	deletes      bool
	batch        int
	do           func(tx *store.Tx, now time.Time, limit int) (int, error)
}

// once does all that is due. What fails is tried again with the next tick, and
// keeps nothing else from being done. It is told once, and not every minute that a
// disk is full.
func (u *upkeep) once(ctx context.Context) {
	settled := u.settled()
	for _, t := range [...]task{
		{"invoices fell overdue", "invoices that fell overdue were not moved", false, overdueBatch, u.sweepOverdue},
		{"deliveries that a wrong clock put off were recalled", "deliveries that a wrong clock put off were not recalled", false, recallBatch, recallDeliveries},
		{"old events were deleted", "old events were not deleted", true, eventsBatch, pruneEvents},
		{"old answers were deleted", "old answers to repeated requests were not deleted", true, answersBatch, pruneAnswers},
	} {
		if t.deletes && !settled {
			continue
		}
		n, err := u.work(ctx, t)
		if n > 0 {
			u.logger.Info(t.done, "count", n)
		}
		if ctx.Err() == nil {
			u.tell(t.failed, err)
		}
	}
}

// settled reports whether the clock has gone on evenly for long enough to delete
// by it.
func (u *upkeep) settled() bool {
	now := u.now().Round(0) // the wall clock's, which is what can jump
	if step := now.Sub(u.last); u.last.IsZero() || step < 0 || step > longestStep {
		u.even = now
	}
	u.last = now
	return now.Sub(u.even) >= settling
}

func (u *upkeep) tell(failed string, err error) {
	switch was := u.failing[failed]; {
	case err != nil && !was:
		u.logger.Warn(failed+"; they are tried again every minute", "error", err)
	case err == nil && was:
		u.logger.Info("no longer so: " + failed)
	}
	u.failing[failed] = err != nil
}

// work does batches of a task until there is nothing left, and returns how much it
// did.
func (u *upkeep) work(ctx context.Context, t task) (total int, err error) {
	for {
		n, started := 0, time.Now()
		err := u.store.Write(ctx, func(tx *store.Tx) (err error) {
			n = 0
			if alone, err := tx.TryUpkeepLock(); err != nil || !alone {
				return err
			}
			n, err = t.do(tx, u.now(), t.batch)
			return err
		})
		if err != nil {
			return total, err
		}
		total += n
		if n < t.batch {
			return total, nil
		}
		// Writers of other processes do not queue for their turn but look for it now
		// and then: the writer must be free as long as it was taken.
		select {
		case <-ctx.Done():
			return total, ctx.Err()
		case <-time.After(time.Since(started)):
		}
	}
}

func (u *upkeep) sweepOverdue(tx *store.Tx, now time.Time, limit int) (int, error) {
	return lifecycle.New(tx, u.ids, now).MarkOverdue(limit)
}

// recallDeliveries undoes what a clock that was ahead and was put right leaves
// behind: deliveries that would wait for as long as it was ahead.
func recallDeliveries(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.ResetDueTimes(now, now.Add(webhooks.MaxRetryWait), limit)
	return int(n), err
}

func pruneEvents(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.PruneEvents(now.Add(-eventsKept), limit)
	return int(n), err
}

func pruneAnswers(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.PruneResponses(now.Add(-invoicing.AnswersKept), limit)
	return int(n), err
}
