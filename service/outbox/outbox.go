// Package outbox delivers queued events to webhook endpoints: it claims due deliveries, makes one
// attempt at each, and writes the outcomes (docs/api.md, Delivery, Retry schedule).
//
// A delivery is claimed in the database, with a lease, before it is sent. When a process crashes,
// its deliveries are due again once their leases end. Every event therefore arrives at least once,
// and several processes may share a database.
//
// An endpoint that hangs does not delay others. An attempt starts in one of a few prompt slots. If
// it has no response after limits.slowAfter, it moves to one of many slow slots and frees its
// prompt slot. An endpoint whose last attempt failed starts in a slow slot, with one attempt at a
// time. Other endpoints may have a few attempts at once. No endpoint gets a second slot while
// another waits for its first.
//
// One goroutine, that of Dispatcher.Run, owns this state and writes to the database. Each round
// writes finished outcomes and claims new deliveries in one transaction, so that both cost one disk
// sync.
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
	// Unseal decrypts the signing secret of an endpoint.
	Unseal func(sealed []byte, endpointID string) (string, error)
	// Transport sends the webhook requests. It must refuse addresses that webhooks may not reach.
	Transport http.RoundTripper
	// Jitter returns a random number from -1 to 1, by which the wait before a retry is varied.
	Jitter   func() float64
	Observer Observer // receives metrics; default: none
	// Poll is the time between checks of the database for deliveries that other processes queued.
	// The default is one second.
	Poll time.Duration
}

// Observer receives the numbers that the metrics show. Its methods are called one at a time and
// must not block.
type Observer interface {
	// ObserveAttempt is called after each attempt that was not canceled. problem says how the
	// attempt failed, elapsed is its duration, and waited the time from when the delivery was due
	// until it was sent.
	ObserveAttempt(problem webhooks.Problem, elapsed, waited time.Duration)
	// ObserveInFlight is called repeatedly with the numbers of attempts in progress, in prompt
	// slots and in slow slots.
	ObserveInFlight(prompt, slow int)
}

// limits bounds how many attempts a Dispatcher makes at a time and how long they take. Durations
// are measured with the system clock, not with Config.Now.
type limits struct {
	prompt, slow int           // numbers of prompt and slow slots
	slowAfter    time.Duration // duration after which an attempt moves to a slow slot
	timeout      time.Duration // longest duration of an attempt
	drainTimeout time.Duration // longest wait for attempts in progress when the context of Run ends
	writeTimeout time.Duration // longest duration of a database transaction
	// backoff is the pause after the first failure of the database. It doubles with each further
	// failure, up to maxBackoff.
	backoff    time.Duration
	maxBackoff time.Duration
}

// Claiming a delivery (writeTimeout) and attempting it (timeout) must together take less time than
// webhooks.Lease. Otherwise another process would send the same delivery.
var defaultLimits = limits{
	prompt: webhooks.PromptAttempts, slow: webhooks.SlowAttempts, slowAfter: webhooks.SlowAfter, timeout: webhooks.Timeout,
	drainTimeout: 8 * time.Second, writeTimeout: 10 * time.Second, backoff: 100 * time.Millisecond,
	maxBackoff: 5 * time.Second,
}

// Dispatcher sends due deliveries while its method Run is running.
type Dispatcher struct {
	Config
	limits limits
}

// New returns a dispatcher, which sends nothing until its method Run is called.
func New(config Config) *Dispatcher {
	if config.Observer == nil {
		config.Observer = noObserver{}
	}
	if config.Poll == 0 {
		config.Poll = time.Second
	}
	return &Dispatcher{Config: config, limits: defaultLimits}
}

// noObserver is an Observer that ignores all calls. It is the default.
type noObserver struct{}

func (noObserver) ObserveAttempt(webhooks.Problem, time.Duration, time.Duration) {}
func (noObserver) ObserveInFlight(int, int)                                      {}

// errStopping is the cause of cancellation for attempts that are still in progress after
// limits.drainTimeout.
var errStopping = errors.New("the service is ending")

// Run sends deliveries until ctx ends. It then claims no more deliveries and waits up to eight
// seconds for the attempts in progress. It writes their outcomes, and makes deliveries without an
// outcome due again. When Run returns, none of its goroutines is running.
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

// drain waits for the attempts in progress and cancels them after limits.drainTimeout. Then it
// writes all outcomes.
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
