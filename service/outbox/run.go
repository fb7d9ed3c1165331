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

// run is the state of one call of Dispatcher.Run. Only Run's goroutine uses it.
type run struct {
	*Dispatcher
	attemptCtx  context.Context // canceled when attempts in progress must stop
	completions chan completion
	inFlight    []*attempt // attempts in progress, the oldest first
	slow        int        // how many of inFlight have slow slots
	states      map[store.EndpointKey]*endpointState
	outcomes    []*outcome // outcomes that are not written yet
	failures    int        // consecutive failures of the database
	pausedUntil time.Time  // no claims before this time, after a failure of the database
}

// attempt is a delivery attempt in progress.
type attempt struct {
	store.Attempt
	state   *endpointState
	slow    bool      // whether it has a slow slot
	started time.Time // when it was sent, by the real clock
	lease   time.Time // when the lease ends
}

// outcome is the outcome of an attempt, which waits to be written to the database.
type outcome struct {
	*attempt
	result        webhooks.Result
	canceled      bool // interrupted without a result; its delivery becomes due again
	at            time.Time
	elapsed       time.Duration
	jitter        float64
	writeFailures int
	retryAt       time.Time // earliest time of the next write, by the real clock

	consequence webhooks.Consequence
	recorded    bool // false if the delivery was deleted, has ended or was claimed again
}

// round writes the outcomes that are ready, claims due deliveries for free slots, and sends
// them. It returns how long Run may sleep if meanwhile no attempt ends and no delivery is
// queued.
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

// findDue returns grants for the endpoints that may claim deliveries now. next is the earliest
// time at which a delivery of another endpoint is due, or zero if there is none.
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

// writeAndClaim writes the new outcomes and claims the deliveries that the grants allow, in one
// transaction. It returns the claimed attempts, or none if the transaction failed.
func (r *run) writeAndClaim(grants []*grant) (claimed []*attempt) {
	outcomes := r.newOutcomes()
	if len(outcomes) == 0 && len(grants) == 0 {
		return nil
	}
	// Endpoints are locked in a fixed order, so that two processes cannot deadlock.
	slices.SortStableFunc(outcomes, func(a, b *outcome) int { return cmp.Compare(a.Endpoint, b.Endpoint) })
	now := r.Now() // leases start here, not when findDue read the deliveries
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

// retryWrites tries again to write the outcomes whose earlier write failed. A round calls it
// after its claims, so that retries do not delay them.
func (r *run) retryWrites() { r.writeEach(r.outcomesToRetry(), true) }

// writeEach writes each outcome in a transaction of its own, so that an outcome that cannot be
// written does not block the others. begun is false if the database has just refused to begin a
// transaction; then the outcomes are only scheduled for a retry. An outcome whose lease has
// ended is logged as lost and dropped.
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

// write runs fn in a transaction. begun is false if the database refused to begin it.
func (r *run) write(fn func(*store.Tx) error) (begun bool, err error) {
	// Run's context is not used, because outcomes are also written after it has ended.
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

// nextRetry returns how long it takes until an outcome may be written again, at most maxBackoff.
func (r *run) nextRetry() time.Duration {
	wait := r.limits.maxBackoff
	for _, o := range r.outcomes {
		wait = min(wait, time.Until(o.retryAt))
	}
	return wait
}

// backOff logs a failure of the database and pauses claims, twice as long after each consecutive
// failure.
func (r *run) backOff(message string, attrs ...any) {
	r.Logger.Log(context.Background(), logLevel(r.failures), message, attrs...)
	r.pausedUntil = time.Now().Add(r.backoff(r.failures))
	r.failures++
}

// logLevel returns the level for logging a failure of the database after a number of consecutive
// failures. Only the first failure is a warning.
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

// reportLost logs an outcome that is dropped because it could not be written in time.
func (r *run) reportLost(o *outcome) {
	r.Logger.Error("the outcome of a webhook attempt was lost: the database could not be written; "+
		"the delivery is attempted again", o.logAttrs()...)
}
