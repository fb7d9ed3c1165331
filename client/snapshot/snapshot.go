// Package snapshot holds what a front end knows about an organization: the figures that several
// screens show, each fetched once, and the event feed.
//
// Load returns a request for one part of the snapshot. A request may run on any goroutine, and its
// result must be passed to Update. All other methods must be called from the same goroutine.
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
	"tarmac/internal/civil"
)

// Source lists the API requests of a snapshot. *apiclient.Client implements it.
type Source interface {
	Ping(ctx context.Context) (*apiclient.Ping, error)
	Account(ctx context.Context) (*apiclient.Account, error)
	CashPosition(ctx context.Context) (*apiclient.CashPosition, error)
	ReceivablesAging(ctx context.Context) (*apiclient.ReceivablesAging, error)
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
	EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error)
	BooksRevision(ctx context.Context) (string, error)
}

// Part is a part of the snapshot that is fetched with a request of its own.
type Part int

// Values of Part, in the order in which the overview page needs them.
const (
	Account Part = iota
	Cash
	Aging
	Months
	Latest
	Events
	Ping
	History       // fetched only after a page that needs it has been shown
	BooksRevision // shown nowhere
)

// Parts lists the parts that pages show and that are always fetched: all except History and
// BooksRevision.
var Parts = [...]Part{Account, Cash, Aging, Months, Latest, Events, Ping}

// Snapshot holds what is known about one organization through one connection.
type Snapshot struct {
	Ping    resource.Resource[*apiclient.Ping]
	Account resource.Resource[*apiclient.Account]
	Cash    resource.Resource[*apiclient.CashPosition]
	Aging   resource.Resource[*apiclient.ReceivablesAging]
	Months  resource.Resource[[]figures.Month]
	Latest  resource.Resource[*apiclient.TransactionPage]
	Feed    Feed
	History PastRows
	Books   Revision

	refused       resource.State  // its Err is set as long as the server refuses the token
	refreshMonths bool            // the next request for the part Months fetches all months
	partialMonths []figures.Month // months fetched by a request that a 429 response interrupted
	shown         []Part          // set by Show

	counterparties map[string]string // by payment intent ID
	customers      map[string]string // by invoice ID

	ctx     context.Context // cancelled when the program ends
	source  Source
	now     func() time.Time
	timeout time.Duration
}

// Options configure a snapshot. Now returns the current time. Timeout is the time limit for
// fetching a part, or for each page of the event feed.
type Options struct {
	Now     func() time.Time
	Timeout time.Duration
}

// New returns a snapshot without data. When ctx is cancelled, all its requests are cancelled too.
func New(ctx context.Context, source Source, o Options) *Snapshot {
	return &Snapshot{
		ctx:            ctx,
		source:         source,
		now:            o.Now,
		timeout:        o.Timeout,
		Feed:           newFeed(source, o.Timeout),
		History:        newPastRows(source),
		counterparties: map[string]string{},
		customers:      map[string]string{},
	}
}

// CashFigures returns the figures of the cash position. It returns false if there is none.
func (s *Snapshot) CashFigures() (figures.Cash, bool) {
	c, ok := s.Cash.Value()
	if !ok || !s.Cash.State().HasFigures() {
		return figures.Cash{}, false
	}
	months, _ := s.Months.Value()
	return figures.CashOf(c, figures.WindowOfMonths(c, months)), true
}

// Coverage returns which days the statements of all accounts cover. All days count as covered as
// long as there is no cash position, and none was refused with a reason that says it.
func (s *Snapshot) Coverage() figures.Coverage {
	c, ok := s.Cash.Value()
	if !ok {
		return figures.CoverageOfError(s.Cash.State().Err, civil.Of(s.now()))
	}
	return figures.CoverageOf(c)
}

// MonthFigures returns the months of the part Months, oldest first, with the days that statements
// do not cover.
func (s *Snapshot) MonthFigures() []figures.Month {
	months, _ := s.Months.Value()
	return s.Coverage().Cover(months)
}

// Result is the response to a Request, or its error. It must be passed to Update.
type Result struct {
	Part  Part
	apply func(*Snapshot) bool
}

// Request fetches a part of the snapshot and returns the result for Update. It may run on any
// goroutine.
type Request func() Result

// Load returns the request for a part. For the event feed, it returns nil while a poll is running.
// For the history, it returns nil if there is nothing to read.
func (s *Snapshot) Load(part Part) Request {
	switch part {
	case Ping:
		return load(s, part, &s.Ping, s.source.Ping, alwaysReady[*apiclient.Ping])
	case Account:
		return load(s, part, &s.Account, s.source.Account, accountStatus)
	case Cash:
		return load(s, part, &s.Cash, s.source.CashPosition, cashStatus)
	case Aging:
		return load(s, part, &s.Aging, s.source.ReceivablesAging, agingStatus)
	case Months:
		return s.loadMonths()
	case Latest:
		return load(s, part, &s.Latest, latestFetch(s.source), latestStatus)
	case Events:
		return s.Feed.poll(s)
	case History:
		return s.loadHistory()
	case BooksRevision:
		return s.loadRevision()
	}
	return nil
}

// Show sets which parts are on the screen. Later requests for other parts have low priority. Polls
// of the event feed and of the revision are an exception, because they tell when the other parts
// must be fetched.
func (s *Snapshot) Show(parts ...Part) {
	s.shown = parts
	s.History.wanted = s.History.wanted || s.isShown(History)
}

// ByPriority returns all parts that are fetched, except BooksRevision. Those on the screen come
// first.
func (s *Snapshot) ByPriority() []Part {
	parts := slices.Clone(Parts[:])
	if s.History.wanted {
		parts = append(parts, History)
	}
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

// context returns the context for the requests of a part. Requests for a part that is not on the
// screen have low priority.
func (s *Snapshot) context(part Part) context.Context {
	if part == Events || s.isShown(part) {
		return s.ctx
	}
	return apiclient.WithLowPriority(s.ctx, func() bool { return true })
}

// partResource is implemented by the resources of all parts, whatever the type of their value.
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
	case History:
		return &s.History.state
	case BooksRevision:
		return &s.Books.state
	}
	return &s.Feed.state
}

// State returns the state of a part.
func (s *Snapshot) State(part Part) resource.State {
	if part == History {
		return s.historyState()
	}
	return s.resourceOf(part).State()
}

// Unreachable reports whether the latest poll of the feed got no response, or only one from a
// gateway. The feed is fetched more often than any other part. After an incomplete response or
// another error status, Unreachable returns false, because the server may still respond to other
// requests.
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

// Outage returns the state of a part that failed because the server cannot be reached or refuses
// the token. Such an error makes all requests fail. The state includes the time of the next
// attempt. Outage returns false if there is no such error.
func (s *Snapshot) Outage() (resource.State, bool) {
	if s.Unreachable() {
		return s.Feed.State(), true
	}
	return s.refused, s.refused.Err != nil
}

// ApplyOutage interrupts r during an outage of s and resumes it afterwards. r is a resource that
// does not belong to the snapshot. ApplyOutage reports whether it has resumed r.
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

// Update stores the result of a request. If a later request has replaced that request, Update
// changes nothing and returns false. When an outage begins, all parts become stale; when it ends,
// they become due.
func (s *Snapshot) Update(a Result) bool {
	counts := a.apply(s)
	if page, known := s.Latest.Value(); known && a.Part == Latest {
		s.Latest.SetPartial(resource.PartialOf("transaction", page.Data))
	}
	if !counts {
		return false
	}
	if a.Part == BooksRevision { // another server may refuse this request and answer all others
		return true
	}
	state := s.State(a.Part)
	refused := errors.Is(state.Err, apiclient.ErrUnauthorized)
	if refused || state.Err == nil {
		s.refused = state
	}
	if state.Err == nil {
		s.dropOtherCurrencies(a.Part)
	}
	switch {
	case a.Part == Cash:
		s.History.reader.SetCoverage(s.Coverage())
	case a.Part == Months && state.Err == nil:
		s.compareHistory()
	}
	_, out := s.Outage()
	for _, part := range s.ByPriority() {
		switch {
		case refused || a.Part == Events && s.Unreachable():
			s.resourceOf(part).Interrupt(state.Err, state.RetryAt)
		case !out:
			s.resourceOf(part).Resume(s.now())
		}
	}
	return true
}

// load returns the request for a part. fetch fetches the value of the part, and condition returns
// the status for that value.
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

func accountStatus(a *apiclient.Account) resource.Status {
	if a.Status == apiclient.AccountNotOpen {
		return resource.NotOpen
	}
	return resource.Ready
}

func cashStatus(c *apiclient.CashPosition) resource.Status {
	if c.Status == apiclient.AccountNotOpen {
		return resource.NotOpen
	}
	return resource.Ready
}

func agingStatus(a *apiclient.ReceivablesAging) resource.Status {
	if a.Empty() {
		return resource.Empty
	}
	return resource.Ready
}

func latestStatus(p *apiclient.TransactionPage) resource.Status {
	if len(p.Data) == 0 {
		return resource.Empty
	}
	return resource.Ready
}

// latestRows is the maximum number of transactions that the overview page shows.
const latestRows = 40

func latestFetch(source Source) func(context.Context) (*apiclient.TransactionPage, error) {
	return func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return source.TransactionPage(ctx, apiclient.TransactionQuery{Limit: latestRows})
	}
}

// Counterparty returns the counterparty of a payment intent. It returns "" if that payment intent
// has not been fetched, because events contain only the IDs of payment intents.
func (s *Snapshot) Counterparty(intentID string) string { return s.counterparties[intentID] }

// SetCounterparty stores the counterparty of a payment intent.
func (s *Snapshot) SetCounterparty(intentID, name string) { s.counterparties[intentID] = name }

// Customer returns the customer of an invoice. It returns "" if that invoice has not been fetched,
// because events contain only the numbers of invoices.
func (s *Snapshot) Customer(invoiceID string) string { return s.customers[invoiceID] }

// SetCustomers stores the customers of invoices.
func (s *Snapshot) SetCustomers(invoices []apiclient.Invoice) {
	for i := range invoices {
		if name := invoices[i].RecipientName; name != "" {
			s.customers[invoices[i].ID] = name
		}
	}
}
