// Package snapshot keeps what a front end knows about an organization: the figures that
// several screens show, each fetched once, and the event feed.
//
// Load returns a request for a part, which may run on any goroutine. Its result must be passed
// to Update. All other methods must be called from one goroutine.
package snapshot

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/resource"
)

// Source is the part of the API that a snapshot reads, as *apiclient.Client does.
type Source interface {
	Ping(ctx context.Context) (*apiclient.Ping, error)
	Account(ctx context.Context) (*apiclient.Account, error)
	CashPosition(ctx context.Context) (*apiclient.CashPosition, error)
	ReceivablesAging(ctx context.Context) (*apiclient.ReceivablesAging, error)
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
	EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error)
}

// Part is a part of the snapshot that has a request of its own.
type Part int

// The parts, in the order in which the first screen needs them.
const (
	Account Part = iota
	Cash
	Aging
	Months
	Latest
	Events
	Ping
)

// Parts lists all of them.
var Parts = [...]Part{Account, Cash, Aging, Months, Latest, Events, Ping}

// Snapshot is what is known of one organization through one connection.
type Snapshot struct {
	Ping    resource.Resource[*apiclient.Ping]
	Account resource.Resource[*apiclient.Account]
	Cash    resource.Resource[*apiclient.CashPosition]
	Aging   resource.Resource[*apiclient.ReceivablesAging]
	Months  resource.Resource[[]figures.Month]
	Latest  resource.Resource[*apiclient.TransactionPage]
	Feed    Feed

	refused       resource.State  // its Err is set while the server refuses the token
	refreshMonths bool            // the next request for the Months part fetches all months
	partialMonths []figures.Month // read by a load that a 429 response interrupted
	shown         []Part          // see Show

	counterparties map[string]string // by the ids of payment intents

	ctx     context.Context // canceled when the program ends
	source  Source
	now     func() time.Time
	timeout time.Duration
}

// Options configure a snapshot. Now returns the current time. Timeout limits the request for a
// part; for the event feed it limits each page.
type Options struct {
	Now     func() time.Time
	Timeout time.Duration
}

// New returns a snapshot without data. Canceling ctx cancels all its requests.
func New(ctx context.Context, source Source, o Options) *Snapshot {
	return &Snapshot{
		ctx:            ctx,
		source:         source,
		now:            o.Now,
		timeout:        o.Timeout,
		Feed:           newFeed(source, o.Timeout),
		counterparties: map[string]string{},
	}
}

// Result is the response or the error of a Request, to be passed to Update.
type Result struct {
	Part  Part
	apply func(*Snapshot) bool
}

// Request fetches a part and returns the result for Update. It may run on any goroutine.
type Request func() Result

// Load returns the request for a part. For the feed it returns nil while a poll is running.
func (s *Snapshot) Load(part Part) Request {
	switch part {
	case Ping:
		return load(s, part, &s.Ping, s.source.Ping, alwaysReady[*apiclient.Ping])
	case Account:
		return load(s, part, &s.Account, s.source.Account, accountCondition)
	case Cash:
		return load(s, part, &s.Cash, s.source.CashPosition, cashCondition)
	case Aging:
		return load(s, part, &s.Aging, s.source.ReceivablesAging, agingCondition)
	case Months:
		return s.loadMonths()
	case Latest:
		return load(s, part, &s.Latest, latestFetch(s.source), latestCondition)
	case Events:
		return s.Feed.poll(s)
	}
	return nil
}

// Show sets the parts that are on the screen. Later requests for other parts have low priority,
// except polls of the event feed, which tell when to fetch the others.
func (s *Snapshot) Show(parts ...Part) { s.shown = parts }

// ByPriority returns all parts, those on the screen first.
func (s *Snapshot) ByPriority() []Part {
	parts := slices.Clone(Parts[:])
	slices.SortStableFunc(parts, func(a, b Part) int {
		switch shownA, shownB := slices.Contains(s.shown, a), slices.Contains(s.shown, b); {
		case shownA == shownB:
			return 0
		case shownA:
			return -1
		}
		return 1
	})
	return parts
}

// context returns the context of a part's requests, which gives parts that are not on the
// screen low priority.
func (s *Snapshot) context(part Part) context.Context {
	if part == Events || slices.Contains(s.shown, part) {
		return s.ctx
	}
	return apiclient.WithLowPriority(s.ctx, func() bool { return true })
}

// partResource is the resource of a part with any type of value.
type partResource interface {
	State() resource.State
	Interrupt(err error, retryAt time.Time)
	Resume(at time.Time) bool
}

func (s *Snapshot) resourceOf(part Part) partResource {
	switch part {
	case Ping:
		return &s.Ping
	case Account:
		return &s.Account
	case Cash:
		return &s.Cash
	case Aging:
		return &s.Aging
	case Months:
		return &s.Months
	case Latest:
		return &s.Latest
	}
	return &s.Feed.state
}

// State returns the state of a part.
func (s *Snapshot) State(part Part) resource.State { return s.resourceOf(part).State() }

// Unreachable reports whether the last poll of the feed got no response, or only the response
// of a gateway. The feed is the part that is fetched most often. After a truncated response or
// another error status Unreachable returns false, because the server may still respond to
// other requests.
func (s *Snapshot) Unreachable() bool {
	err := s.Feed.State().Err
	var api *apiclient.Error
	if errors.As(err, &api) {
		return api.Status == http.StatusBadGateway || api.Status == http.StatusServiceUnavailable ||
			api.Status == http.StatusGatewayTimeout
	}
	var network *apiclient.NetworkError
	return errors.Is(err, apiclient.ErrNetwork) && !(errors.As(err, &network) && network.Partial)
}

// Outage returns the error that prevents all requests and the time of the next attempt: the
// server is unreachable or refuses the token. It returns false if there is no outage.
func (s *Snapshot) Outage() (resource.State, bool) {
	if s.Unreachable() {
		return s.Feed.State(), true
	}
	return s.refused, s.refused.Err != nil
}

// ApplyOutage interrupts r, a resource outside of the snapshot, during an outage of s and resumes
// it afterwards. It reports whether it resumed r.
func ApplyOutage[T any](s *Snapshot, r *resource.Resource[T]) (resumed bool) {
	outage, out := s.Outage()
	if !out {
		return r.Resume(s.now())
	}
	if _, known := r.Value(); known || r.Err() != nil {
		r.Interrupt(outage.Err, outage.RetryAt)
	}
	return false
}

// Update applies the result of a request. It returns false for the result of a replaced request,
// which changes nothing. When an outage begins all parts become stale; when it ends they
// become due.
func (s *Snapshot) Update(a Result) bool {
	counts := a.apply(s)
	if page, known := s.Latest.Value(); known && a.Part == Latest {
		s.Latest.SetPartial(resource.PartialOf("transaction", page.Data))
	}
	if !counts {
		return false
	}
	state := s.State(a.Part)
	refused := errors.Is(state.Err, apiclient.ErrUnauthorized)
	if refused || state.Err == nil {
		s.refused = state
	}
	_, out := s.Outage()
	for _, part := range Parts {
		switch {
		case refused || a.Part == Events && s.Unreachable():
			s.resourceOf(part).Interrupt(state.Err, state.RetryAt)
		case !out:
			s.resourceOf(part).Resume(s.now())
		}
	}
	return true
}

// load returns the request for a part. fetch gets the part's value, and condition returns the
// status of that value.
func load[T any](
	s *Snapshot,
	part Part,
	r *resource.Resource[T],
	fetch func(context.Context) (T, error),
	condition func(T) resource.Status,
) Request {
	request := r.Begin()
	ctx, timeout, now := s.context(part), s.timeout, s.now
	return func() Result {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		value, err := fetch(ctx)
		return Result{Part: part, apply: func(*Snapshot) bool {
			state := resource.Ready
			if err == nil {
				state = condition(value)
			}
			at := now()
			return r.Complete(request, value, state, err, at, resource.NextRetry(at, err, r.Failures()))
		}}
	}
}

func alwaysReady[T any](T) resource.Status { return resource.Ready }

func accountCondition(a *apiclient.Account) resource.Status {
	if a.Status == apiclient.AccountNotOpen {
		return resource.NotOpen
	}
	return resource.Ready
}

func cashCondition(c *apiclient.CashPosition) resource.Status {
	if c.Status == apiclient.AccountNotOpen {
		return resource.NotOpen
	}
	return resource.Ready
}

func agingCondition(a *apiclient.ReceivablesAging) resource.Status {
	if a.Empty() {
		return resource.Empty
	}
	return resource.Ready
}

func latestCondition(p *apiclient.TransactionPage) resource.Status {
	if len(p.Data) == 0 {
		return resource.Empty
	}
	return resource.Ready
}

// latestRows is the most transactions that the first screen shows.
const latestRows = 40

func latestFetch(source Source) func(context.Context) (*apiclient.TransactionPage, error) {
	return func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return source.TransactionPage(ctx, apiclient.TransactionQuery{Limit: latestRows})
	}
}

// Counterparty returns the counterparty of a payment intent, or "" if it has not been
// fetched. Events contain only the ids of payment intents.
func (s *Snapshot) Counterparty(intentID string) string { return s.counterparties[intentID] }

// SetCounterparty stores the counterparty of a payment intent.
func (s *Snapshot) SetCounterparty(intentID, name string) { s.counterparties[intentID] = name }
