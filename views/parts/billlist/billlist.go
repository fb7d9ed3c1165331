// Package billlist fetches the bills to pay, from which screens derive figures.
package billlist

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/payables"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/views"
)

// maxAge is the age at which bills are fetched again: more become past due each day.
const maxAge = 10 * time.Minute

// List holds the bills of a session, and decides when they are fetched again. Create it with New.
type List struct {
	resource.Resource[*payables.Payables]

	env       views.Env
	source    payables.Source
	changes   uint64 // value of Revision.Changes at the last request
	requested bool
}

// New returns a list without bills. If source is nil, it fetches none.
func New(env views.Env, source payables.Source) List { return List{env: env, source: source} }

// HasSource reports whether the list can fetch bills.
func (l *List) HasSource() bool { return l.source != nil }

// Settled reports whether the bills are known, or known to be unavailable.
func (l *List) Settled() bool {
	_, known := l.Value()
	return known || l.source == nil || errors.Is(l.Err(), apiclient.ErrForbidden)
}

// Payables returns the bills. It returns nil while nothing is known, and if the token may not read
// them.
func (l *List) Payables() *payables.Payables {
	p, _ := l.Value()
	if errors.Is(l.Err(), apiclient.ErrForbidden) {
		return nil
	}
	return p
}

// FetchDue returns the command that fetches the bills if they are missing or old, if own books have
// changed, or if a retry is due. Otherwise it returns nil. A server that keeps no bills is asked
// once.
func (l *List) FetchDue() tea.Cmd {
	changed := l.requested && l.changes != l.env.Snapshot.Books.Changes()
	policy := resource.Policy{MaxAge: maxAge, Changed: changed, Unreachable: l.env.Snapshot.Unreachable()}
	if p, known := l.Value(); known && p.Reason() == payables.NotKept {
		policy.MaxAge = 0
	}
	if !resource.Due(l.State(), l.env.Now(), policy) {
		return nil
	}
	return l.Fetch()
}

// Fetch returns the command that fetches the bills, or nil while another one runs. Its message is a
// Response.
func (l *List) Fetch() tea.Cmd {
	if l.source == nil || l.Waiting() {
		return nil
	}
	l.changes, l.requested = l.env.Snapshot.Books.Changes(), true
	request := l.Begin()
	parent, timeout, source, today := l.env.Context, l.env.Timeout, l.source, civil.Of(l.env.Now())
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		bills, err := payables.Read(ctx, source, today)
		return Response{request, bills, err}
	}
}

// Response is the response to a fetch, for Store.
type Response struct {
	request uint64
	bills   *payables.Payables
	err     error
}

// Store stores the response to the last fetch, and ignores those to earlier ones.
func (l *List) Store(r Response) {
	now := l.env.Now()
	l.Complete(r.request, r.bills, resource.Ready, r.err, now, resource.NextRetry(now, r.err, l.Failures()))
}

// ApplyOutage marks the bills as stale while the server is unreachable.
func (l *List) ApplyOutage() { snapshot.ApplyOutage(l.env.Snapshot, &l.Resource) }
