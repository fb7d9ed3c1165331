package receivables

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
)

// minRefetchAge is how old the invoices must be before an event causes them to be fetched again.
// One fetch can take three requests.
const minRefetchAge = 15 * time.Second

// invoicesMsg is the response to a request for the invoices.
type invoicesMsg struct {
	request uint64
	list    collections.List
	err     error
}

// Init returns the command that fetches the invoices.
func (s *Screen) Init() tea.Cmd { return s.fetchDue() }

// Show shows all customers again and returns the command that fetches the invoices if that is due.
func (s *Screen) Show(any) tea.Cmd { return s.fetchDue() }

// Refresh returns the command that fetches the invoices again, or nil while a request is pending.
func (s *Screen) Refresh() tea.Cmd {
	if s.invoices.Waiting() {
		return nil
	}
	return s.fetch()
}

// Fetched returns the fetch state of the invoices.
func (s *Screen) Fetched() []resource.State { return []resource.State{s.invoices.State()} }

// fetchDue returns the command that fetches the invoices if the page is visible and they are
// missing, outdated or due for a retry. Otherwise it returns nil.
func (s *Screen) fetchDue() tea.Cmd {
	policy := resource.Policy{Changed: s.outdated, MinAge: minRefetchAge, Unreachable: s.data.Unreachable()}
	if !s.visible || !resource.Due(s.invoices.State(), s.env.Now(), policy) {
		return nil
	}
	return s.fetch()
}

func (s *Screen) fetch() tea.Cmd {
	s.outdated = false
	request := s.invoices.Begin()
	parent, timeout, source := s.env.Context, s.env.Timeout, s.source
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		list, err := collections.Read(ctx, source)
		return invoicesMsg{request: request, list: list, err: err}
	}
}

// store stores fetched invoices. It ignores the response to an earlier request.
func (s *Screen) store(msg invoicesMsg) {
	now := s.env.Now()
	retry := resource.NextRetry(now, msg.err, s.invoices.Failures())
	if s.invoices.Complete(msg.request, msg.list, resource.Ready, msg.err, now, retry) && msg.err == nil {
		s.invoices.SetPartial(resource.PartialOf("invoice", msg.list.Invoices))
	}
	s.update()
}

// checkEvents marks the invoices as outdated if an event about one arrived since the last call.
func (s *Screen) checkEvents(msg snapshot.Result) {
	snapshot.ApplyOutage(s.data, &s.invoices)
	if msg.Part != snapshot.Events {
		return
	}
	fresh := s.data.Feed.ReceivedSince(s.checkedEvents)
	s.checkedEvents = s.data.Feed.TotalReceived()
	isInvoice := func(e apiclient.Event) bool { return strings.HasPrefix(string(e.Type), "invoice.") }
	s.outdated = s.outdated || slices.ContainsFunc(fresh, isInvoice)
}

// update computes the customers from the invoices and the aging, and keeps the selected one.
func (s *Screen) update() {
	s.today = civil.Of(s.env.Now())
	var customers []collections.Customer
	if list, known := s.invoices.Value(); known && s.invoices.State().HasFigures() {
		customers = collections.Customers(list.Invoices, s.today)
	}
	if a, known := s.data.Aging.Value(); known && s.data.Aging.State().HasFigures() {
		customers = collections.WithAging(customers, a)
	}
	s.all = customers
	s.filter()
}
