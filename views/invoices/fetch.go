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

// Source is what the screen asks of a server; *apiclient.Client is one.
type Source interface {
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
	Invoice(ctx context.Context, id string) (*apiclient.Invoice, error)
	download.Source
}

// tabs are the lists there are, in the order of an invoice's life.
var tabs = [...]apiclient.InvoiceStatus{
	"", apiclient.InvoiceDraft, apiclient.InvoiceSent, apiclient.InvoiceOverdue, apiclient.InvoicePaid, apiclient.InvoiceVoided,
}

// tabOf returns the list of a status, that of all for one that is unknown.
func tabOf(status apiclient.InvoiceStatus) int {
	for i, s := range tabs {
		if s == status {
			return i
		}
	}
	return 0
}

// most is how many invoices are asked for: the most that the API gives, which has no
// way to ask for those after them (docs/api.md, Invoice list).
const most = 200

// renewAfter is how long a list is kept before news make it be read again: a run of
// events is one reason to ask, not one for each.
const renewAfter = 5 * time.Second

// listing is the newest invoices of a status.
type listing struct {
	state resource.Resource[[]apiclient.Invoice]
	old   bool   // something has happened since it was asked for
	at    string // the id of the invoice under the cursor when it was left
}

// lone is an invoice that another screen asked for by its id.
type lone struct {
	id    string // "" for none
	state resource.Resource[*apiclient.Invoice]
	old   bool
}

func (l *lone) show(id string) {
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

// advance returns the command for what is shown and not known, or old, or due for
// another attempt; nil when nothing is.
func (s *Screen) advance() tea.Cmd {
	switch {
	case !s.opened:
		return nil
	case s.sole.id != "":
		if s.due(s.sole.state.State(), s.sole.old) {
			return s.fetchSole()
		}
	case s.due(s.list().state.State(), s.list().old):
		return s.fetchList()
	}
	return nil
}

func (s *Screen) due(state resource.State, old bool) bool {
	return resource.Due(state, s.env.Now(), resource.Policy{Changed: old, MinAge: renewAfter, Away: s.data.Unreachable()})
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
	s.sole.old = false
	request, id := s.sole.state.Begin(), s.sole.id
	parent, timeout, source := s.env.Context, s.env.Timeout, s.source
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		invoice, err := source.Invoice(ctx, id)
		return read{request: request, invoice: invoice, err: err}
	}
}

// listed takes a list. An invoice that is read and no longer on it is closed, and
// that is said: another in its place would pass for it.
func (s *Screen) listed(msg listed) tea.Cmd {
	l := &s.lists[msg.tab]
	condition := resource.Ready
	if len(msg.invoices) == 0 {
		condition = resource.Empty
	}
	now := s.env.Now()
	if !l.state.Complete(msg.request, msg.invoices, condition, msg.err, now, resource.RetryAt(now, msg.err, l.state.Failures())) {
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

// read takes one invoice. That there is none is an answer, which asking again does
// not change.
func (s *Screen) read(msg read) {
	condition := resource.Ready
	if errors.Is(msg.err, apiclient.ErrNotFound) {
		msg.invoice, msg.err, condition = nil, nil, resource.Empty
	}
	now, r := s.env.Now(), &s.sole.state
	r.Complete(msg.request, msg.invoice, condition, msg.err, now, resource.RetryAt(now, msg.err, r.Failures()))
}

// follow looks at what the feed has brought: news of invoices make the lists old.
func (s *Screen) follow(msg snapshot.Answer) {
	s.followOutage()
	if msg.Part != snapshot.Events {
		return
	}
	feed := &s.data.Feed
	events, arrived := feed.Events(), feed.Arrived()
	fresh := min(arrived-s.heard, uint64(len(events)))
	s.heard = arrived
	for _, e := range events[uint64(len(events))-fresh:] {
		if strings.HasPrefix(string(e.Type), "invoice.") {
			s.age()
			break
		}
	}
}

// followOutage keeps every list in step with outages.
func (s *Screen) followOutage() {
	for i := range s.lists {
		snapshot.Follow(s.data, &s.lists[i].state)
	}
	snapshot.Follow(s.data, &s.sole.state)
}

// age makes every list old.
func (s *Screen) age() {
	for i := range s.lists {
		s.lists[i].old = true
	}
	s.sole.old = true
}
