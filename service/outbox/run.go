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

// run holds the state of one call of Dispatcher.Run. Only the goroutine of that call uses it.
type run struct {
	*Dispatcher
	attemptCtx  context.Context // canceled when attempts in progress must stop
	completions chan completion
	inFlight    []*attempt // attempts in progress, oldest first
	slow        int        // number of attempts in inFlight that use slow slots
	states      map[store.EndpointKey]*endpointState
	outcomes    []*outcome // outcomes not yet written to the database
	failures    int        // number of consecutive database failures
	// After a failure of the database, nothing is claimed before pausedUntil.
	pausedUntil time.Time
}

// attempt is an attempt to deliver an event to an endpoint. It uses one slot while it is in
// progress.
type attempt struct {
	store.Attempt
	state   *endpointState
	slow    bool      // true if it uses a slow slot
	started time.Time // time of sending, by the system clock
	lease   time.Time // time at which the lease ends
}

// outcome is the result of an attempt, which must be written to the database.
type outcome struct {
	*attempt
	result        webhooks.Result
	canceled      bool // true if the attempt was canceled; its delivery becomes due again
	at            time.Time
	elapsed       time.Duration
	jitter        float64
	writeFailures int
	retryAt       time.Time // earliest time of the next try to write the outcome, by the system clock

	consequence webhooks.Consequence
	recorded    bool // false if the delivery was deleted, has ended or was claimed again meanwhile
}

// round does one round of work: it writes new outcomes, claims due deliveries for the free slots,
// and starts attempts at them. It returns how long Run may sleep unless an attempt ends or a
// delivery is queued before.
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

// findDue returns a grant for each endpoint for which deliveries may be claimed now. next is the
// earliest time at which a delivery of another endpoint is due; it is zero if there is none.
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

// writeAndClaim writes the new outcomes and claims deliveries within the grants, in one
// transaction. It returns an attempt for each claimed delivery, or none if the transaction failed.
func (r *run) writeAndClaim(grants []*grant) (claimed []*attempt) {
	outcomes := r.newOutcomes()
	if len(outcomes) == 0 && len(grants) == 0 {
		return nil
	}
	// Outcomes are written in the order of their endpoints. Two processes that both lock these
	// endpoints therefore cannot deadlock.
	slices.SortStableFunc(outcomes, func(a, b *outcome) int { return cmp.Compare(a.Endpoint, b.Endpoint) })
	now := r.Now() // read again, because the leases of the claims start now
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

// retryWrites tries again to write outcomes that could not be written before. round calls it after
// it has claimed deliveries, so that these retries do not delay the claims.
func (r *run) retryWrites() { r.writeEach(r.outcomesToRetry(), true) }

// writeEach writes each outcome in a separate transaction, so that one that cannot be written does
// not prevent the others. If begun is false, the database has just failed to begin a transaction,
// and outcomes are only scheduled for a retry. An outcome whose lease has ended is logged as lost
// and dropped.
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

// write calls fn in a database transaction. begun is false if the transaction could not be started.
func (r *run) write(fn func(*store.Tx) error) (begun bool, err error) {
	// The context of Run is not used, because outcomes are also written after it has ended.
	ctx, cancel := context.WithTimeout(context.Background(), r.limits.writeTimeout)
	defer cancel()
	err = r.Store.Write(ctx, func(tx *store.Tx) error {
		begun = true
		return fn(tx)
	})
	return begun, err
}

// newOutcomes returns the outcomes for which no write has failed yet.
func (r *run) newOutcomes() (fresh []*outcome) {
	for _, o := range r.outcomes {
		if o.writeFailures == 0 {
			fresh = append(fresh, o)
		}
	}
	return fresh
}

// outcomesToRetry returns the outcomes for which a write has failed and whose retry time has come.
func (r *run) outcomesToRetry() (due []*outcome) {
	now := time.Now()
	for _, o := range r.outcomes {
		if o.writeFailures > 0 && !o.retryAt.After(now) {
			due = append(due, o)
		}
	}
	return due
}

// nextRetry returns the time until the next outcome may be written again, at most
// limits.maxBackoff.
func (r *run) nextRetry() time.Duration {
	wait := r.limits.maxBackoff
	for _, o := range r.outcomes {
		wait = min(wait, time.Until(o.retryAt))
	}
	return wait
}

// backOff logs a failure of the database and pauses claims. The pause doubles with each consecutive
// failure.
func (r *run) backOff(message string, attrs ...any) {
	r.Logger.Log(context.Background(), logLevel(r.failures), message, attrs...)
	r.pausedUntil = time.Now().Add(r.backoff(r.failures))
	r.failures++
}

// logLevel returns the level at which a failure of the database is logged. failures is the number
// of consecutive failures before it. Only the first is a warning, so that the log does not fill up.
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

// reportLost logs an outcome that is dropped because it could not be written before its lease
// ended.
func (r *run) reportLost(o *outcome) {
	r.Logger.Error("the outcome of a webhook attempt was lost: the database could not be written; "+
		"the delivery is attempted again", o.logAttrs()...)
}
