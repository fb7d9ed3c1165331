// Package outbox delivers queued events to webhook endpoints: it claims due deliveries,
// makes one attempt at each, and writes the outcomes (docs/api.md, Delivery, Retry
// schedule).
//
// A delivery is claimed in the database, with a lease, before it is sent. When a process
// crashes, its deliveries are due again once their leases end. So every event arrives at
// least once, and several processes may share a database.
//
// An endpoint that hangs does not delay others. An attempt starts in one of a few prompt
// slots. If it has no response after SlowAfter, it moves to one of many slow slots and frees
// its prompt slot. An endpoint that is known to fail starts in a slow slot, with one attempt
// at a time. A healthy endpoint may have a few attempts at once. Slots are granted in turns:
// no endpoint gets a second one while another waits for its first.
//
// One goroutine owns all of this state and does all writes. Each round writes the finished
// outcomes and claims new deliveries in one transaction, so that one disk sync serves them
// all.
package outbox

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// Config configures a dispatcher. A field is required unless its comment names a default.
type Config struct {
	Store  *store.Store
	Logger *slog.Logger
	Now    func() time.Time
	// Unseal decrypts an endpoint's secret.
	Unseal func(sealed []byte, endpointID string) (string, error)
	// Transport sends the requests, and refuses addresses that are not allowed.
	Transport http.RoundTripper
	// Jitter returns a random number from -1 up to 1, which varies the wait before a retry.
	Jitter   func() float64
	Observer Observer // default: none
	// Poll is how often the database is checked for deliveries that other processes queued;
	// default: a second.
	Poll time.Duration
}

// Observer receives what the metrics count. Its methods are called one at a time and must
// not block.
type Observer interface {
	// ObserveAttempt is called after each attempt that was not canceled: with its problem,
	// its duration, and how long the delivery had been due when it was sent.
	ObserveAttempt(problem webhooks.Problem, elapsed, waited time.Duration)
	// ObserveInFlight is called after each round with the numbers of attempts in progress in
	// prompt and in slow slots.
	ObserveInFlight(prompt, slow int)
}

// limits bounds the attempts of a Dispatcher and their durations. Durations are measured with
// the real clock, not with Config.Now.
type limits struct {
	prompt, slow int           // number of slots
	slowAfter    time.Duration // age at which an attempt moves to a slow slot
	timeout      time.Duration // limit for one attempt
	drainTimeout time.Duration // limit for the attempts in progress when Run's context ends
	writeTimeout time.Duration // limit for one transaction
	backoff      time.Duration // wait after the first failure of the database; doubles with each further one
	maxBackoff   time.Duration
}

// A claim (at most writeTimeout) and an attempt (at most timeout) must together be shorter than
// webhooks.Lease. Otherwise another process would send the same delivery.
var defaultLimits = limits{
	prompt: webhooks.PromptAttempts, slow: webhooks.SlowAttempts, slowAfter: webhooks.SlowAfter, timeout: webhooks.Timeout,
	drainTimeout: 8 * time.Second, writeTimeout: 10 * time.Second, backoff: 100 * time.Millisecond,
	maxBackoff: 5 * time.Second,
}

// Dispatcher sends due deliveries while Run is running.
type Dispatcher struct {
	Config
	limits limits
}

// New returns a dispatcher. It sends nothing until Run is called.
func New(config Config) *Dispatcher {
	if config.Observer == nil {
		config.Observer = noObserver{}
	}
	if config.Poll == 0 {
		config.Poll = time.Second
	}
	return &Dispatcher{Config: config, limits: defaultLimits}
}

// noObserver ignores all calls. It is the default Observer.
type noObserver struct{}

func (noObserver) ObserveAttempt(webhooks.Problem, time.Duration, time.Duration) {}
func (noObserver) ObserveInFlight(int, int)                                      {}

// errStopping is the cause with which attempts are canceled that are still in progress after
// drainTimeout.
var errStopping = errors.New("the service is ending")

// Run sends deliveries until ctx ends. Then it claims nothing more and waits up to eight seconds
// for the attempts in progress. It writes their outcomes, and makes the deliveries of unfinished
// attempts due again. None of its goroutines are left when it returns.
func (d *Dispatcher) Run(ctx context.Context) {
	attemptCtx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	r := &run{
		Dispatcher: d, attemptCtx: attemptCtx, completions: make(chan completion),
		states: map[store.EndpointKey]*endpointState{},
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		timer.Reset(r.round())
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-d.Store.Queued():
		case e := <-r.completions:
			r.complete(e)
			r.collect(e.state)
		}
		r.completeAll()
	}
	r.drain(cancel)
}

// drain waits for the attempts in progress, cancels them after drainTimeout, and writes all
// outcomes.
func (r *run) drain(cancel context.CancelCauseFunc) {
	limit := time.AfterFunc(r.limits.drainTimeout, func() { cancel(errStopping) })
	defer limit.Stop()
	for len(r.inFlight) > 0 {
		r.complete(<-r.completions)
		r.completeAll()
		r.writeAndClaim(nil)
		r.retryWrites()
	}
	for deadline := time.Now().Add(r.limits.writeTimeout); ; {
		r.writeAndClaim(nil)
		r.retryWrites()
		if len(r.outcomes) == 0 || time.Now().After(deadline) {
			break
		}
		time.Sleep(r.nextRetry())
	}
	for _, o := range r.outcomes {
		r.reportLost(o)
	}
	r.Observer.ObserveInFlight(0, 0)
	if pool, ok := r.Transport.(interface{ CloseIdleConnections() }); ok {
		pool.CloseIdleConnections()
	}
}
