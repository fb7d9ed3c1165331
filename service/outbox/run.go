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

// run is the state of one Run. Only its goroutine touches it.
type run struct {
	*Dispatcher
	wire     context.Context // of the attempts
	ended    chan ending
	flights  []*flight // on the wire, the oldest first
	slow     int       // of flights, those in slow slots
	lanes    map[store.EndpointKey]*lane
	outcomes []*outcome // to be written
	failures int        // of looking and claiming, in a row
	quiet    time.Time  // nothing is claimed before this: the database had trouble
}

// flight is an attempt on the wire.
type flight struct {
	store.Attempt
	lane    *lane
	slow    bool
	started time.Time // real
	lease   time.Time
}

// outcome is what became of an attempt and is not written yet.
type outcome struct {
	*flight
	result webhooks.Result
	cut    bool // it has no result and is given back
	at     time.Time
	took   time.Duration
	jitter float64
	tries  int
	again  time.Time // real; not before this

	verdict webhooks.Verdict
	settled bool
}

// round does all that can be done now. It returns how long nothing more is to be
// done unless something happens.
func (r *run) round() (wait time.Duration) {
	r.sideline()
	now := r.Now()
	turns, next := r.look(now)
	for _, f := range r.record(turns) {
		r.send(f)
	}
	r.retry()
	r.Observe.InFlight(len(r.flights)-r.slow, r.slow)
	wait = r.Poll
	if !next.IsZero() {
		wait = min(wait, next.Sub(now))
	}
	if len(r.outcomes) > 0 {
		wait = min(wait, r.retryIn())
	}
	if quiet := time.Until(r.quiet); quiet > 0 {
		wait = min(wait, quiet)
	}
	if oldest := r.oldestPrompt(); oldest != nil && r.free(false) == 0 && r.free(true) > 0 {
		wait = min(wait, time.Until(oldest.started.Add(r.limits.slowAfter)))
	}
	return max(0, wait)
}

// look returns which endpoints have a turn now, and when the next delivery falls
// due; zero if none does.
func (r *run) look(now time.Time) (turns []*turn, next time.Time) {
	if r.free(false)+r.free(true) == 0 || time.Now().Before(r.quiet) {
		return nil, time.Time{}
	}
	ctx, cancel := context.WithTimeout(context.Background(), r.limits.write)
	defer cancel()
	var due []store.Due
	err := r.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		due, err = snap.DueEndpoints()
		return err
	})
	if err != nil {
		r.trouble("the deliveries that are due were not read; trying again until they are", "error", err)
		return nil, time.Time{}
	}
	return r.turns(due, now)
}

// record writes the outcomes that have come in and claims what the turns allow,
// in one transaction.
func (r *run) record(turns []*turn) (claimed []*flight) {
	outcomes := r.due(true)
	if len(outcomes) == 0 && len(turns) == 0 {
		return nil
	}
	// Endpoints are locked in one order, so that two processes do not wait for each other.
	slices.SortStableFunc(outcomes, func(a, b *outcome) int { return cmp.Compare(a.Endpoint, b.Endpoint) })
	now := r.Now() // the lease begins here, however long looking took
	begun, err := r.write(func(tx *store.Tx) (err error) {
		for _, o := range outcomes {
			if err := o.write(tx); err != nil {
				return err
			}
		}
		claimed, err = r.claim(tx, turns, now)
		return err
	})
	if err == nil {
		if r.failures > 0 {
			r.Logger.Info("webhook outcomes and claims are written again", "failures", r.failures)
		}
		r.failures = 0
		for _, o := range outcomes {
			r.written(o)
		}
		return claimed
	}
	r.trouble("webhook outcomes and claims were not written; trying again until they are", "outcomes", len(outcomes), "error", err)
	r.recordEach(outcomes, begun)
	return nil
}

// retry writes the outcomes that could not be written before and whose time has
// come again. It comes after the claims, so that it cannot keep them waiting.
func (r *run) retry() { r.recordEach(r.due(false), true) }

// recordEach writes outcomes one by one, so that one that cannot be written does
// not keep the others, unless the database takes nothing at all.
func (r *run) recordEach(outcomes []*outcome, begun bool) {
	for _, o := range outcomes {
		if begun {
			var err error
			if begun, err = r.write(o.write); err == nil {
				r.written(o)
				continue
			}
			r.Logger.Log(context.Background(), first(o.tries), "a webhook outcome was not written; trying again until its lease ends", "delivery", o.DeliveryID, "error", err)
		}
		o.again = time.Now().Add(r.pause(o.tries))
		o.tries++
		if !r.Now().Before(o.lease) {
			r.lose(o)
			r.forget(o)
		}
	}
}

// write runs fn in a transaction and reports whether it got so far.
func (r *run) write(fn func(*store.Tx) error) (begun bool, err error) {
	// Not the context of Run: what was sent is written also when Run is to end.
	ctx, cancel := context.WithTimeout(context.Background(), r.limits.write)
	defer cancel()
	err = r.Store.Write(ctx, func(tx *store.Tx) error {
		begun = true
		return fn(tx)
	})
	return begun, err
}

// due returns the outcomes that are to be written now: those that just came in,
// or those that have been tried before.
func (r *run) due(fresh bool) (all []*outcome) {
	now := time.Now()
	for _, o := range r.outcomes {
		if fresh == (o.tries == 0) && !o.again.After(now) {
			all = append(all, o)
		}
	}
	return all
}

// retryIn returns how long no outcome is to be written.
func (r *run) retryIn() time.Duration {
	wait := r.limits.most
	for _, o := range r.outcomes {
		wait = min(wait, time.Until(o.again))
	}
	return wait
}

// trouble keeps the database from being asked again at once.
func (r *run) trouble(message string, facts ...any) {
	r.Logger.Log(context.Background(), first(r.failures), message, facts...)
	r.quiet = time.Now().Add(r.pause(r.failures))
	r.failures++
}

// first is the level of a failure after others: a disk that is full is told of
// when it begins, and not each time.
func first(failures int) slog.Level {
	if failures > 0 {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}

func (r *run) pause(failures int) time.Duration {
	return min(r.limits.backoff<<min(failures, 16), r.limits.most)
}

func (o *outcome) write(tx *store.Tx) (err error) {
	if o.cut {
		return tx.ReleaseAttempt(o.Attempt, o.at)
	}
	o.settled, err = tx.SettleAttempt(o.Attempt, o.at, o.result.Code, o.result.Problem, func(e webhooks.Endpoint) webhooks.Verdict {
		o.verdict = o.result.Judge(o.Failures, o.EventType == events.TestEvent, e, o.at, o.jitter)
		return o.verdict
	})
	return err
}

func (r *run) forget(o *outcome) {
	r.outcomes = slices.DeleteFunc(r.outcomes, func(other *outcome) bool { return other == o })
}

// lose tells of an outcome that was not written while its lease lasted: the
// delivery is attempted again.
func (r *run) lose(o *outcome) {
	r.Logger.Error("the outcome of a webhook attempt was lost: the database could not be written; the delivery is attempted again", o.facts()...)
}
