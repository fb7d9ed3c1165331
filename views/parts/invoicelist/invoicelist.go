// Package invoicelist fetches the invoices from which screens derive figures, such as the habits of
// customers.
package invoicelist

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
	"tarmac/views"
)

// minRefetchAge is how old the invoices must be before an event causes them to be fetched again.
// One fetch can take three requests.
const minRefetchAge = 15 * time.Second

// List holds the invoices of a session, and decides when they are fetched again. Create it with
// New.
type List struct {
	resource.Resource[collections.List]

	env      views.Env
	source   collections.Source
	outdated bool   // an invoice changed after the invoices were requested
	checked  uint64 // value of Feed.TotalReceived when events were last checked
}

// New returns a list without invoices. If source is nil, it fetches none.
func New(env views.Env, source collections.Source) List { return List{env: env, source: source} }

// HasSource reports whether the list can fetch invoices.
func (l *List) HasSource() bool { return l.source != nil }

// FetchDue returns the command that fetches the invoices if they are missing, outdated or due for
// a retry. Otherwise it returns nil.
func (l *List) FetchDue() tea.Cmd {
	policy := resource.Policy{Changed: l.outdated, MinAge: minRefetchAge, Unreachable: l.env.Snapshot.Unreachable()}
	if !resource.Due(l.State(), l.env.Now(), policy) {
		return nil
	}
	return l.Fetch()
}

// Fetch returns the command that fetches the invoices, or nil while another one runs. Its message
// is a Response.
func (l *List) Fetch() tea.Cmd {
	if l.source == nil || l.Waiting() {
		return nil
	}
	l.outdated = false
	request := l.Begin()
	parent, timeout, source := l.env.Context, l.env.Timeout, l.source
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		invoices, err := collections.Read(ctx, source)
		return Response{request, invoices, err}
	}
}

// Response is the response to a fetch, for Store.
type Response struct {
	request  uint64
	invoices collections.List
	err      error
}

// Store stores the response to the last fetch, and ignores those to earlier ones.
func (l *List) Store(r Response) {
	now := l.env.Now()
	retry := resource.NextRetry(now, r.err, l.Failures())
	if l.Complete(r.request, r.invoices, resource.Ready, r.err, now, retry) && r.err == nil {
		l.SetPartial(resource.PartialOf("invoice", r.invoices.Invoices))
		l.env.Snapshot.SetCustomers(r.invoices.Invoices)
	}
}

// MarkOutdated says that an invoice has changed.
func (l *List) MarkOutdated() { l.outdated = true }

// CheckEvents marks the invoices as outdated if the message brings an event about one of them, and
// as stale while the server is unreachable.
func (l *List) CheckEvents(msg snapshot.Result) {
	data := l.env.Snapshot
	snapshot.ApplyOutage(data, &l.Resource)
	if msg.Part != snapshot.Events {
		return
	}
	fresh := data.Feed.ReceivedSince(l.checked)
	l.checked = data.Feed.TotalReceived()
	isInvoice := func(e apiclient.Event) bool { return strings.HasPrefix(string(e.Type), "invoice.") }
	l.outdated = l.outdated || slices.ContainsFunc(fresh, isInvoice)
}
