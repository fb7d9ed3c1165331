package outbox

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"tarmac/service/events"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// run is the state of one Run. Only the goroutine of Run uses it.
type run struct {
	*Dispatcher
	attemptCtx  context.Context // canceled when attempts must stop
	completions chan completion
	inFlight    []*attempt // the oldest first
	slow        int        // how many of inFlight have slow slots
	states      map[store.EndpointKey]*endpointState
	outcomes    []*outcome // not written yet
	failures    int        // consecutive failures of the database
	pausedUntil time.Time  // nothing is claimed before this, after a failure of the database
}

// attempt is an attempt in progress.
type attempt struct {
	store.Attempt
	state   *endpointState
	slow    bool      // it has a slow slot
	started time.Time // real time
	lease   time.Time // when the lease ends
}

// outcome is the outcome of an attempt, to be written.
type outcome struct {
	*attempt
	result        webhooks.Result
	canceled      bool // it has no result and is released
	at            time.Time
	elapsed       time.Duration
	jitter        float64
	writeFailures int
	retryAt       time.Time // real time; not written before this

	consequence webhooks.Consequence
	recorded    bool // false if the lease was lost
}

// round writes, claims and sends all that it can. It returns how long to wait for the next
// round if no attempt finishes and nothing is queued.
func (r *run) round() (wait time.Duration) {
	r.moveToSlow()
	now := r.Now()
	grants, next := r.findDue(now)
	for _, a := range r.writeAndClaim(grants) {
		r.send(a)
	}
	r.retryWrites()
	r.Observer.ObserveInFlight(len(r.inFlight)-r.slow, r.slow)
	wait = r.Poll
	if !next.IsZero() {
		wait = min(wait, next.Sub(now))
	}
	if len(r.outcomes) > 0 {
		wait = min(wait, r.nextRetry())
	}
	if pause := time.Until(r.pausedUntil); pause > 0 {
		wait = min(wait, pause)
	}
	if oldest := r.oldestPrompt(); oldest != nil && r.freeSlots(false) == 0 && r.freeSlots(true) > 0 {
		wait = min(wait, time.Until(oldest.started.Add(r.limits.slowAfter)))
	}
	return max(0, wait)
}

// findDue returns which endpoints may claim now, and when the next other delivery is due,
// zero if none is known.
func (r *run) findDue(now time.Time) (grants []*grant, next time.Time) {
	if r.freeSlots(false)+r.freeSlots(true) == 0 || time.Now().Before(r.pausedUntil) {
		return nil, time.Time{}
	}
	ctx, cancel := context.WithTimeout(context.Background(), r.limits.writeTimeout)
	defer cancel()
	var due []store.DueEndpoint
	err := r.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		due, err = snap.DueEndpoints()
		return err
	})
	if err != nil {
		r.backOff("due webhook deliveries could not be read; retrying", "error", err)
		return nil, time.Time{}
	}
	return r.grants(due, now)
}

// writeAndClaim writes the new outcomes and claims what the grants allow, in one
// transaction.
func (r *run) writeAndClaim(grants []*grant) (claimed []*attempt) {
	outcomes := r.newOutcomes()
	if len(outcomes) == 0 && len(grants) == 0 {
		return nil
	}
	// Endpoints are locked in a fixed order, so that two processes cannot deadlock.
	slices.SortStableFunc(outcomes, func(a, b *outcome) int { return cmp.Compare(a.Endpoint, b.Endpoint) })
	now := r.Now() // the lease starts here, not when the due deliveries were read
	begun, err := r.write(func(tx *store.Tx) (err error) {
		for _, o := range outcomes {
			if err := o.write(tx); err != nil {
				return err
			}
		}
		claimed, err = r.claim(tx, grants, now)
		return err
	})
	if err == nil {
		if r.failures > 0 {
			r.Logger.Info("webhook outcomes and claims are written again", "failures", r.failures)
		}
		r.failures = 0
		for _, o := range outcomes {
			r.onWritten(o)
		}
		return claimed
	}
	r.backOff("webhook outcomes and claims could not be written; retrying", "outcomes", len(outcomes), "error", err)
	r.writeEach(outcomes, begun)
	return nil
}

// retryWrites writes the outcomes that failed before and whose backoff is over. It runs
// after the claims, so as not to delay them.
func (r *run) retryWrites() { r.writeEach(r.outcomesToRetry(), true) }

// writeEach writes outcomes one by one, so that one that cannot be written does not block
// the others. Without begun the database accepts no transaction at all, and they are only
// scheduled for later. An outcome whose lease is over is dropped.
func (r *run) writeEach(outcomes []*outcome, begun bool) {
	for _, o := range outcomes {
		if begun {
			var err error
			if begun, err = r.write(o.write); err == nil {
				r.onWritten(o)
				continue
			}
			r.Logger.Log(context.Background(), logLevel(o.writeFailures),
				"a webhook outcome could not be written; retrying until its lease ends", "delivery", o.DeliveryID, "error", err)
		}
		o.retryAt = time.Now().Add(r.backoff(o.writeFailures))
		o.writeFailures++
		if !r.Now().Before(o.lease) {
			r.reportLost(o)
			r.remove(o)
		}
	}
}

// write runs fn in a transaction. It reports whether the transaction began.
func (r *run) write(fn func(*store.Tx) error) (begun bool, err error) {
	// Not the context of Run: outcomes are written also when Run is to end.
	ctx, cancel := context.WithTimeout(context.Background(), r.limits.writeTimeout)
	defer cancel()
	err = r.Store.Write(ctx, func(tx *store.Tx) error {
		begun = true
		return fn(tx)
	})
	return begun, err
}

// newOutcomes returns the outcomes that no transaction has tried to write yet.
func (r *run) newOutcomes() (fresh []*outcome) {
	for _, o := range r.outcomes {
		if o.writeFailures == 0 {
			fresh = append(fresh, o)
		}
	}
	return fresh
}

// outcomesToRetry returns the outcomes that could not be written before and whose backoff has
// passed.
func (r *run) outcomesToRetry() (due []*outcome) {
	now := time.Now()
	for _, o := range r.outcomes {
		if o.writeFailures > 0 && !o.retryAt.After(now) {
			due = append(due, o)
		}
	}
	return due
}

// nextRetry returns how long to wait until the next outcome is to be written.
func (r *run) nextRetry() time.Duration {
	wait := r.limits.maxBackoff
	for _, o := range r.outcomes {
		wait = min(wait, time.Until(o.retryAt))
	}
	return wait
}

// backOff logs a failure of the database and pauses claims for a while.
func (r *run) backOff(message string, attrs ...any) {
	r.Logger.Log(context.Background(), logLevel(r.failures), message, attrs...)
	r.pausedUntil = time.Now().Add(r.backoff(r.failures))
	r.failures++
}

// logLevel returns the level for a failure after so many consecutive ones: only the first
// is a warning.
func logLevel(failures int) slog.Level {
	if failures > 0 {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}

func (r *run) backoff(failures int) time.Duration {
	return min(r.limits.backoff<<min(failures, 16), r.limits.maxBackoff)
}

func (o *outcome) write(tx *store.Tx) (err error) {
	if o.canceled {
		return tx.ReleaseAttempt(o.Attempt, o.at)
	}
	decide := func(e webhooks.Endpoint) webhooks.Consequence {
		o.consequence = o.result.Consequence(o.Failures, o.EventType == events.TestEvent, e, o.at, o.jitter)
		return o.consequence
	}
	o.recorded, err = tx.FinishAttempt(o.Attempt, o.at, o.result.Code, o.result.Problem, decide)
	return err
}

func (r *run) remove(o *outcome) {
	r.outcomes = slices.DeleteFunc(r.outcomes, func(other *outcome) bool { return other == o })
}

// reportLost logs an outcome that could not be written within its lease.
func (r *run) reportLost(o *outcome) {
	r.Logger.Error("the outcome of a webhook attempt was lost: the database could not be written; "+
		"the delivery is attempted again", o.logAttrs()...)
}
