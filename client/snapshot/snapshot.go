// Package snapshot holds what the dashboard knows about an organization: the
// figures that several screens show, each fetched once and shown everywhere, and
// the event feed.
//
// The screens read it; the commands it returns do the fetching, and their
// answers come back through Update. It is used from the program's one goroutine.
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

// Source is what the snapshot asks of a server; *apiclient.Client is one.
type Source interface {
	Ping(ctx context.Context) (*apiclient.Ping, error)
	Account(ctx context.Context) (*apiclient.Account, error)
	CashPosition(ctx context.Context) (*apiclient.CashPosition, error)
	ReceivablesAging(ctx context.Context) (*apiclient.ReceivablesAging, error)
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
	EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error)
}

// Part names one of the things that are fetched.
type Part int

// The parts, in the order in which they are asked for at the start: what the
// first page leads with comes first.
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

	refused     resource.State // of the last answer, where that refused the token
	renewMonths bool
	readMonths  []figures.Month // of a load that the server interrupted with a pause
	shown       []Part

	counterparties map[string]string // of the payment intents that were read, by their ids

	ctx     context.Context // ends with the program: no answer is awaited after it
	source  Source
	now     func() time.Time
	timeout time.Duration
}

// Options are a snapshot's surroundings. Now is the session's clock; Timeout
// bounds one fetch of a part.
type Options struct {
	Now     func() time.Time
	Timeout time.Duration
}

// New returns an empty snapshot. ctx ends its commands when the program ends.
func New(ctx context.Context, source Source, o Options) *Snapshot {
	return &Snapshot{ctx: ctx, source: source, now: o.Now, timeout: o.Timeout, Feed: newFeed(source, o.Timeout), counterparties: map[string]string{}}
}

// Answer is the outcome of fetching a part. It is handed to Update as it came.
type Answer struct {
	Part   Part
	settle func(*Snapshot) bool
}

// Request fetches a part and returns its answer. It captures what it needs, so that it
// may run on any goroutine.
type Request func() Answer

// Load returns the request that fetches a part, or nil while the feed is still
// being read (two readers of one feed would lose their place).
func (s *Snapshot) Load(part Part) Request {
	switch part {
	case Ping:
		return load(s, part, &s.Ping, s.source.Ping, always[*apiclient.Ping])
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

// Show says which parts are on the screen: the requests for the others give way to
// them. The feed never does, it finds out first what has happened.
func (s *Snapshot) Show(parts ...Part) { s.shown = parts }

// InTurn returns all parts, those on the screen first.
func (s *Snapshot) InTurn() []Part {
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

// context returns what the requests for a part run under.
func (s *Snapshot) context(part Part) context.Context {
	if part == Events || slices.Contains(s.shown, part) {
		return s.ctx
	}
	return apiclient.WithLowPriority(s.ctx, func() bool { return true })
}

// fetched is a part's resource, whatever its value.
type fetched interface {
	State() resource.State
	Interrupt(err error, retryAt time.Time)
	Resume(at time.Time) bool
}

func (s *Snapshot) part(part Part) fetched {
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
func (s *Snapshot) State(part Part) resource.State { return s.part(part).State() }

// Unreachable reports whether the feed's last poll did not reach a server that
// answers: nobody was there, or what stands before it said so. An answer that was
// cut short came from one. The feed is polled
// more often than anything else: it finds out first. A server that fails at the
// feed alone may well answer the rest.
func (s *Snapshot) Unreachable() bool {
	err := s.Feed.State().Err
	var api *apiclient.Error
	if errors.As(err, &api) {
		return api.Status == http.StatusBadGateway || api.Status == http.StatusServiceUnavailable || api.Status == http.StatusGatewayTimeout
	}
	var network *apiclient.NetworkError
	return errors.Is(err, apiclient.ErrNetwork) && !(errors.As(err, &network) && network.Partial)
}

// Outage returns why nothing can be renewed and when that is tried again: the server is
// away, or it refused the token. It is false while neither is so.
func (s *Snapshot) Outage() (resource.State, bool) {
	if s.Unreachable() {
		return s.Feed.State(), true
	}
	return s.refused, s.refused.Err != nil
}

// Follow keeps what a screen fetched by itself in step with outages: it is stale during
// one, and due again when that is over, which it reports.
func Follow[T any](s *Snapshot, r *resource.Resource[T]) (over bool) {
	outage, out := s.Outage()
	if !out {
		return r.Resume(s.now())
	}
	if _, known := r.Value(); known || r.Err() != nil {
		r.Interrupt(outage.Err, outage.RetryAt)
	}
	return false
}

// Update takes an answer and reports whether it counted: a late one does not. An outage
// makes every part stale, so that nothing shows as fresh that cannot be renewed; the
// first success after a refused token makes all of them due.
func (s *Snapshot) Update(a Answer) bool {
	counts := a.settle(s)
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
			s.part(part).Interrupt(state.Err, state.RetryAt)
		case !out:
			s.part(part).Resume(s.now())
		}
	}
	return true
}

// load makes the command for a plain resource: it captures the request's number
// and returns one message.
func load[T any](s *Snapshot, part Part, r *resource.Resource[T], fetch func(context.Context) (T, error), condition func(T) resource.Status) Request {
	request := r.Begin()
	ctx, timeout, now := s.context(part), s.timeout, s.now
	return func() Answer {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		value, err := fetch(ctx)
		return Answer{Part: part, settle: func(*Snapshot) bool {
			state := resource.Ready
			if err == nil {
				state = condition(value)
			}
			at := now()
			return r.Settle(request, value, state, err, at, resource.RetryAt(at, err, r.Failures()))
		}}
	}
}

func always[T any](T) resource.Status { return resource.Ready }

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

// latestRows is how many of the newest transactions the first page may show.
const latestRows = 40

func latestFetch(source Source) func(context.Context) (*apiclient.TransactionPage, error) {
	return func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return source.TransactionPage(ctx, apiclient.TransactionQuery{Limit: latestRows})
	}
}

// Counterparty returns the counterparty of a payment intent that was read, and "" of
// any other: events name payment intents by their ids alone.
func (s *Snapshot) Counterparty(intentID string) string { return s.counterparties[intentID] }

// NoteCounterparty keeps the counterparty of a payment intent that was read.
func (s *Snapshot) NoteCounterparty(intentID, name string) { s.counterparties[intentID] = name }
