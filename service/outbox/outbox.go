// Package outbox sends what is queued for webhook endpoints: it claims deliveries
// that are due, makes one attempt at each, and writes what became of it
// (docs/api.md, Delivery, Retry schedule).
//
// A delivery is claimed, in the database, before it is sent, and its outcome is
// written after. What a process leaves behind when it dies falls due again when
// its lease ends, so that every event arrives at least once; several processes
// may work on one database.
//
// No endpoint may keep another waiting. An attempt takes one of a few prompt
// slots; one that has no answer after a moment moves over to one of many slow
// slots and makes room. Endpoints that hang therefore fill the slow slots, and
// what answers promptly never queues behind them: with n endpoints hanging, n/32
// moments pass until the prompt slots are free, not n/32 time-outs. An endpoint
// that is known to fail starts in a slow slot, with one attempt at a time: a
// probe that costs the others nothing. One that has acknowledged something has
// room for a few at once, given out in turns: nobody gets a second while somebody
// waits for the first.
//
// One goroutine holds all of this state and does all writing: a round writes the
// outcomes that have come in and claims what there is room for, in one transaction,
// so that the disk is waited for once, however much has piled up meanwhile.
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

// Config is what a dispatcher is made from. All fields are required, but those
// that say what their zero value means.
type Config struct {
	Store  *store.Store
	Logger *slog.Logger
	Now    func() time.Time
	// Unseal opens a secret that was sealed for an endpoint.
	Unseal func(sealed []byte, endpointID string) (string, error)
	// Transport makes the connections, and decides where to.
	Transport http.RoundTripper
	Jitter    func() float64 // from -1 to 1
	Observe   Observer       // nil is nobody
	Poll      time.Duration  // how often to look for what other processes queued; 0 is a second
}

// Observer is told what happens. Its methods are called one at a time and must
// not block.
type Observer interface {
	// Attempted is called after each attempt that came to an end by itself: what
	// went wrong, how long it took, and how long the delivery had been due.
	Attempted(problem webhooks.Problem, took, waited time.Duration)
	// InFlight is called after each round.
	InFlight(prompt, slow int)
}

// limits are what bounds the work. All durations pass in real time, whatever the
// clock of the records says.
type limits struct {
	prompt, slow int           // slots
	slowAfter    time.Duration // when an attempt is no longer prompt
	timeout      time.Duration // of an attempt
	drain        time.Duration // what is on the wire when Run is to end has this long
	write        time.Duration // of a transaction
	backoff      time.Duration // after the first failure of the database; doubles up to most
	most         time.Duration
}

// A claim that is slow to be written and an attempt that is slow to end must fit
// into the lease together, or somebody else sends the same.
var ordinary = limits{
	prompt: webhooks.PromptAttempts, slow: webhooks.SlowAttempts, slowAfter: webhooks.SlowAfter, timeout: webhooks.Timeout,
	drain: 8 * time.Second, write: 10 * time.Second, backoff: 100 * time.Millisecond, most: 5 * time.Second,
}

// Dispatcher sends deliveries while it runs.
type Dispatcher struct {
	Config
	limits limits
}

// New returns a dispatcher that does nothing yet.
func New(config Config) *Dispatcher {
	if config.Observe == nil {
		config.Observe = nobody{}
	}
	if config.Poll == 0 {
		config.Poll = time.Second
	}
	return &Dispatcher{Config: config, limits: ordinary}
}

// nobody is the observer where there is none.
type nobody struct{}

func (nobody) Attempted(webhooks.Problem, time.Duration, time.Duration) {}
func (nobody) InFlight(int, int)                                        {}

// errCut ends attempts that were still on the wire when the service had to end.
var errCut = errors.New("the service is ending")

// Run sends deliveries until ctx ends. It claims nothing after that, gives what
// is on the wire eight seconds, writes the outcomes, and gives the rest back.
// Nothing of it runs any more when it returns.
func (d *Dispatcher) Run(ctx context.Context) {
	wire, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(nil)
	r := &run{Dispatcher: d, wire: wire, ended: make(chan ending), lanes: map[store.EndpointKey]*lane{}}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		timer.Reset(r.round())
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-d.Store.Queued():
		case e := <-r.ended:
			r.land(e)
			r.gather(e.lane)
		}
		r.landed()
	}
	r.drain(cut)
}

// drain waits for what is on the wire, and cuts it off after a while.
func (r *run) drain(cut context.CancelCauseFunc) {
	limit := time.AfterFunc(r.limits.drain, func() { cut(errCut) })
	defer limit.Stop()
	for len(r.flights) > 0 {
		r.land(<-r.ended)
		r.landed()
		r.record(nil)
		r.retry()
	}
	for deadline := time.Now().Add(r.limits.write); ; {
		r.record(nil)
		r.retry()
		if len(r.outcomes) == 0 || time.Now().After(deadline) {
			break
		}
		time.Sleep(r.retryIn())
	}
	for _, o := range r.outcomes {
		r.lose(o)
	}
	r.Observe.InFlight(0, 0)
	if pool, ok := r.Transport.(interface{ CloseIdleConnections() }); ok {
		pool.CloseIdleConnections()
	}
}
