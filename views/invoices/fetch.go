package invoices

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/download"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Source is the part of *apiclient.Client that the screen uses.
type Source interface {
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
	Invoice(ctx context.Context, id string) (*apiclient.Invoice, error)
	download.Source
}

// tabs lists the statuses in the order of an invoice's life. The empty status stands for all
// invoices.
var tabs = [...]apiclient.InvoiceStatus{
	"", apiclient.InvoiceDraft, apiclient.InvoiceSent, apiclient.InvoiceOverdue, apiclient.InvoicePaid,
	apiclient.InvoiceVoided,
}

// tabOf returns the tab of a status. An unknown status has the tab of all invoices.
func tabOf(status apiclient.InvoiceStatus) int {
	for i, s := range tabs {
		if s == status {
			return i
		}
	}
	return 0
}

// most is the number of invoices per request: the API's maximum. The API cannot list older ones
// (docs/api.md, Invoice list).
const most = 200

// renewAfter is the minimum age at which an event causes a list to be read again, so that a
// burst of events causes one request.
const renewAfter = 5 * time.Second

// listing holds the newest invoices of a status.
type listing struct {
	state resource.Resource[[]apiclient.Invoice]
	old   bool   // an event arrived after the list was requested
	at    string // ID of the invoice under the cursor when the list was left
}

// singleInvoice is a single invoice that another screen opened by ID.
type singleInvoice struct {
	id    string // "" if there is none
	state resource.Resource[*apiclient.Invoice]
	old   bool
}

func (l *singleInvoice) show(id string) {
	if l.id != id {
		l.id, l.old = id, false
		l.state.Forget()
		return
	}
	l.old = true
}

type listed struct {
	tab      int
	request  uint64
	invoices []apiclient.Invoice
	err      error
}

type read struct {
	request uint64
	invoice *apiclient.Invoice
	err     error
}

func (s *Screen) list() *listing { return &s.lists[s.tab] }

// advance returns the command that fetches what is shown if it is unknown, stale or due for a
// retry. Otherwise it returns nil.
func (s *Screen) advance() tea.Cmd {
	switch {
	case !s.opened:
		return nil
	case s.single.id != "":
		if s.due(s.single.state.State(), s.single.old) {
			return s.fetchSole()
		}
	case s.due(s.list().state.State(), s.list().old):
		return s.fetchList()
	}
	return nil
}

func (s *Screen) due(state resource.State, old bool) bool {
	return resource.Due(state, s.env.Now(), resource.Policy{Changed: old, MinAge: renewAfter, Unreachable: s.data.Unreachable()})
}

func (s *Screen) fetchList() tea.Cmd {
	l, tab := s.list(), s.tab
	l.old = false
	request := l.state.Begin()
	parent, timeout, source := s.env.Context, s.env.Timeout, s.source
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		invoices, err := source.Invoices(ctx, apiclient.InvoiceFilter{Status: tabs[tab], Limit: most})
		return listed{tab: tab, request: request, invoices: invoices, err: err}
	}
}

func (s *Screen) fetchSole() tea.Cmd {
	s.single.old = false
	request, id := s.single.state.Begin(), s.single.id
	parent, timeout, source := s.env.Context, s.env.Timeout, s.source
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		invoice, err := source.Invoice(ctx, id)
		return read{request: request, invoice: invoice, err: err}
	}
}

// listed handles a list. If the open invoice is no longer on it, the detail closes with a
// notice, so that no other invoice appears in its place.
func (s *Screen) listed(msg listed) tea.Cmd {
	l := &s.lists[msg.tab]
	condition := resource.Ready
	if len(msg.invoices) == 0 {
		condition = resource.Empty
	}
	now := s.env.Now()
	if !l.state.Complete(msg.request, msg.invoices, condition, msg.err, now, resource.NextRetry(now, msg.err, l.state.Failures())) {
		return nil
	}
	if msg.err != nil {
		return nil
	}
	l.state.SetPartial(resource.PartialOf("invoice", msg.invoices))
	if msg.tab != s.tab {
		return nil
	}
	id, number, open := l.at, "", s.detail.open
	if i, ok := s.invoice(s.table.Cursor()); ok {
		id, number = i.ID, numberOf(i)
	}
	if slices.ContainsFunc(msg.invoices, func(i apiclient.Invoice) bool { return i.ID == s.created }) {
		id, s.created = s.created, ""
	}
	s.choose(id)
	if open && !s.detail.open {
		return views.Tell(number + " is no longer in this list")
	}
	return nil
}

// read handles a single invoice. If the invoice does not exist, there is no retry.
func (s *Screen) read(msg read) {
	condition := resource.Ready
	if errors.Is(msg.err, apiclient.ErrNotFound) {
		msg.invoice, msg.err, condition = nil, nil, resource.Empty
	}
	now, r := s.env.Now(), &s.single.state
	r.Complete(msg.request, msg.invoice, condition, msg.err, now, resource.NextRetry(now, msg.err, r.Failures()))
}

// follow checks the new events of the feed. Events about invoices make the lists stale.
func (s *Screen) follow(msg snapshot.Result) {
	s.followOutage()
	if msg.Part != snapshot.Events {
		return
	}
	feed := &s.data.Feed
	events, arrived := feed.Events(), feed.TotalReceived()
	fresh := min(arrived-s.heard, uint64(len(events)))
	s.heard = arrived
	for _, e := range events[uint64(len(events))-fresh:] {
		if strings.HasPrefix(string(e.Type), "invoice.") {
			s.markStale()
			break
		}
	}
}

// followOutage applies an outage to every list.
func (s *Screen) followOutage() {
	for i := range s.lists {
		snapshot.ApplyOutage(s.data, &s.lists[i].state)
	}
	snapshot.ApplyOutage(s.data, &s.single.state)
}

// markStale marks every list as stale.
func (s *Screen) markStale() {
	for i := range s.lists {
		s.lists[i].old = true
	}
	s.single.old = true
}
