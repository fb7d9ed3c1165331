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

// Source lists the API requests of the screen. *apiclient.Client implements it.
type Source interface {
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
	Invoice(ctx context.Context, id string) (*apiclient.Invoice, error)
	download.Source
}

// tabs lists the invoice status of each tab, in the order in which an invoice goes through them.
// The empty status stands for all invoices.
var tabs = [...]apiclient.InvoiceStatus{
	"", apiclient.InvoiceDraft, apiclient.InvoiceSent, apiclient.InvoiceOverdue, apiclient.InvoicePaid,
	apiclient.InvoiceVoided,
}

// tabOf returns the index of a status in tabs. For an unknown status it returns the tab of all
// invoices.
func tabOf(status apiclient.InvoiceStatus) int {
	for i, s := range tabs {
		if s == status {
			return i
		}
	}
	return 0
}

// pageLimit is the number of invoices that the screen requests, the API's maximum. The API has no
// cursor to list older ones (docs/api.md, Invoice list).
const pageLimit = 200

// minRefetchAge is how old a list must be before an event causes it to be fetched again, so that a
// burst of events causes one request.
const minRefetchAge = 5 * time.Second

// listing holds the newest invoices of a tab's status.
type listing struct {
	state    resource.Resource[[]apiclient.Invoice]
	outdated bool   // an invoice changed after the list was requested
	at       string // ID of the invoice under the cursor when rememberCursor was last called
}

// singleInvoice is an invoice that another screen opened by its ID. It is shown without a list.
type singleInvoice struct {
	id       string // "" if no invoice was opened by ID
	state    resource.Resource[*apiclient.Invoice]
	outdated bool
}

func (l *singleInvoice) show(id string) {
	if l.id != id {
		l.id, l.outdated = id, false
		l.state.Forget()
		return
	}
	l.outdated = true
}

type listMsg struct {
	tab      int
	request  uint64
	invoices []apiclient.Invoice
	err      error
}

type invoiceMsg struct {
	request uint64
	invoice *apiclient.Invoice
	err     error
}

func (s *Screen) list() *listing { return &s.lists[s.tab] }

// fetchDue returns the command that fetches the shown invoice or list, if that is missing, outdated
// or due for a retry. Otherwise it returns nil.
func (s *Screen) fetchDue() tea.Cmd {
	switch {
	case !s.opened:
		return nil
	case s.single.id != "":
		if s.due(s.single.state.State(), s.single.outdated) {
			return s.fetchSingle()
		}
	case s.due(s.list().state.State(), s.list().outdated):
		return s.fetchList()
	}
	return nil
}

func (s *Screen) due(state resource.State, outdated bool) bool {
	policy := resource.Policy{Changed: outdated, MinAge: minRefetchAge, Unreachable: s.data.Unreachable()}
	return resource.Due(state, s.env.Now(), policy)
}

func (s *Screen) fetchList() tea.Cmd {
	l, tab := s.list(), s.tab
	l.outdated = false
	request := l.state.Begin()
	parent, timeout, source := s.env.Context, s.env.Timeout, s.source
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		invoices, err := source.Invoices(ctx, apiclient.InvoiceFilter{Status: tabs[tab], Limit: pageLimit})
		return listMsg{tab: tab, request: request, invoices: invoices, err: err}
	}
}

func (s *Screen) fetchSingle() tea.Cmd {
	s.single.outdated = false
	request, id := s.single.state.Begin(), s.single.id
	parent, timeout, source := s.env.Context, s.env.Timeout, s.source
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		invoice, err := source.Invoice(ctx, id)
		return invoiceMsg{request: request, invoice: invoice, err: err}
	}
}

// storeList stores a fetched list. If the invoice in the detail pane is no longer listed, it closes
// the pane and returns a notice, so that the pane does not switch to another invoice by itself.
func (s *Screen) storeList(msg listMsg) tea.Cmd {
	l := &s.lists[msg.tab]
	condition := resource.Ready
	if len(msg.invoices) == 0 {
		condition = resource.Empty
	}
	now := s.env.Now()
	retry := resource.NextRetry(now, msg.err, l.state.Failures())
	if !l.state.Complete(msg.request, msg.invoices, condition, msg.err, now, retry) || msg.err != nil {
		return nil
	}
	l.state.SetPartial(resource.PartialOf("invoice", msg.invoices))
	s.data.SetCustomers(msg.invoices)
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
	s.applyFilter(id)
	if open && !s.detail.open {
		return views.Tell(number + " is no longer in this list")
	}
	return nil
}

// storeInvoice stores the response for the invoice opened by ID. An invoice that does not exist
// counts as an empty result rather than a failure, so that it is not fetched again.
func (s *Screen) storeInvoice(msg invoiceMsg) {
	condition := resource.Ready
	if errors.Is(msg.err, apiclient.ErrNotFound) {
		msg.invoice, msg.err, condition = nil, nil, resource.Empty
	}
	now, r := s.env.Now(), &s.single.state
	r.Complete(msg.request, msg.invoice, condition, msg.err, now, resource.NextRetry(now, msg.err, r.Failures()))
}

// checkEvents marks all lists as outdated if an event about an invoice arrived since the last call.
func (s *Screen) checkEvents(msg snapshot.Result) {
	s.applyOutage()
	if msg.Part != snapshot.Events {
		return
	}
	fresh := s.data.Feed.ReceivedSince(s.checkedEvents)
	s.checkedEvents = s.data.Feed.TotalReceived()
	isInvoice := func(e apiclient.Event) bool { return strings.HasPrefix(string(e.Type), "invoice.") }
	if slices.ContainsFunc(fresh, isInvoice) {
		s.markStale()
	}
}

// applyOutage marks every list as stale while the server is unreachable, and as due for a retry
// once the server answers again.
func (s *Screen) applyOutage() {
	for i := range s.lists {
		snapshot.ApplyOutage(s.data, &s.lists[i].state)
	}
	snapshot.ApplyOutage(s.data, &s.single.state)
}

// markStale marks every list and the single invoice as outdated, so that they are fetched again
// when shown.
func (s *Screen) markStale() {
	for i := range s.lists {
		s.lists[i].outdated = true
	}
	s.single.outdated = true
}
