package page

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Data is a value that a page fetches: how, and when again.
type Data[V any] struct {
	resource.Resource[V]

	Read     func(ctx context.Context, key string) (V, error)
	Key      string                     // says which value is read; see Choose
	When     func() bool                // whether the page shows the value now; nil means always
	MaxAge   func() time.Duration       // age at which it is fetched again; nil means that age is no reason
	Changes  func(apiclient.Event) bool // whether an event changes the value; nil means that none does
	Stale    func() bool                // whether the value has changed for another reason
	MinAge   time.Duration              // age from which such a change counts
	Aside    bool                       // the page does without it, and the user does not refresh it
	Optional bool                       // a value that the server does not have counts as empty, not as a failure
	IsEmpty  func(V) bool
	Partial  func(V) resource.Partial // records that could not be decoded
	Begun    func()                   // called when the value is requested
	Took     func() tea.Cmd           // called when a value has been stored

	env      views.Env
	outdated bool // the value changed after it was requested
	held     bool // nothing is fetched before the next tick
	cancel   context.CancelFunc
}

// Records returns the data of a list of records.
func Records[T apiclient.Record](noun string, read func(ctx context.Context, key string) ([]T, error)) Data[[]T] {
	return Data[[]T]{
		Read:    read,
		IsEmpty: func(all []T) bool { return len(all) == 0 },
		Partial: func(all []T) resource.Partial { return resource.PartialOf(noun, all) },
	}
}

// Source is a Data of any type.
type Source interface {
	State() resource.State
	Fetch() tea.Cmd
	Refresh() tea.Cmd
	Outdate()

	join(env views.Env)
	isShown() bool
	isAside() bool
	due() tea.Cmd
	tick()
	follow(fresh []apiclient.Event)
}

// Answer is the message with the response to a fetch.
type Answer interface{ store() tea.Cmd }

type answer[V any] struct {
	to      *Data[V]
	request uint64
	value   V
	err     error
}

// Choose chooses which value is meant.
func (d *Data[V]) Choose(key string) {
	if key != d.Key {
		d.stop()
		d.Key, d.outdated, d.held = key, false, false
		d.Forget()
	}
}

// ChooseUnder chooses the value of what is under a cursor. It is fetched at the next tick if a
// request was running, so that a held key does not send a request for each row that it passes.
func (d *Data[V]) ChooseUnder(key string) {
	held := d.Waiting()
	d.Choose(key)
	d.held = held
}

// Outdate says that the value has changed.
func (d *Data[V]) Outdate() { d.outdated = true }

// Fetch returns the command that fetches the value. It cancels an earlier request.
func (d *Data[V]) Fetch() tea.Cmd {
	d.stop()
	d.outdated, d.held = false, false
	if d.Begun != nil {
		d.Begun()
	}
	of := answer[V]{to: d, request: d.Begin()}
	ctx, cancel := context.WithCancel(d.env.Context)
	d.cancel = cancel
	timeout, read, key := d.env.Timeout, d.Read, d.Key
	return func() tea.Msg {
		defer cancel()
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		of.value, of.err = read(ctx, key)
		return of
	}
}

// Refresh returns the command that fetches the value, or nil while a request is running.
func (d *Data[V]) Refresh() tea.Cmd {
	if d.Waiting() {
		return nil
	}
	return d.Fetch()
}

// Known returns the value, or the zero value while there is none to show.
func (d *Data[V]) Known() (value V) {
	if d.State().HasFigures() {
		value, _ = d.Value()
	}
	return value
}

func (d *Data[V]) stop() {
	if d.cancel != nil {
		d.cancel()
	}
}

func (d *Data[V]) join(env views.Env) { d.env = env }
func (d *Data[V]) isShown() bool      { return d.When == nil || d.When() }
func (d *Data[V]) isAside() bool      { return d.Aside }
func (d *Data[V]) tick()              { d.held = false }

// due returns the command that fetches the value if the page shows it and it is missing, outdated,
// old or due for a retry. Otherwise it returns nil.
func (d *Data[V]) due() tea.Cmd {
	if d.held || !d.isShown() {
		return nil
	}
	policy := resource.Policy{Changed: d.outdated || d.Stale != nil && d.Stale(), MinAge: d.MinAge}
	if d.MaxAge != nil {
		policy.MaxAge = d.MaxAge()
	}
	if d.env.Snapshot != nil {
		policy.Unreachable = d.env.Snapshot.Unreachable()
	}
	if !resource.Due(d.State(), d.env.Now(), policy) {
		return nil
	}
	return d.Fetch()
}

// follow applies an outage of the server, and events that have arrived.
func (d *Data[V]) follow(fresh []apiclient.Event) {
	snapshot.ApplyOutage(d.env.Snapshot, &d.Resource)
	d.outdated = d.outdated || d.Changes != nil && slices.ContainsFunc(fresh, d.Changes)
}

func (a answer[V]) store() tea.Cmd {
	d, now, condition := a.to, a.to.env.Now(), resource.Ready
	switch {
	case d.Optional && errors.Is(a.err, apiclient.ErrNotFound):
		var none V
		a.value, a.err, condition = none, nil, resource.Empty
	case a.err == nil && d.IsEmpty != nil && d.IsEmpty(a.value):
		condition = resource.Empty
	}
	retry := resource.NextRetry(now, a.err, d.Failures())
	if !d.Complete(a.request, a.value, condition, a.err, now, retry) || a.err != nil {
		return nil
	}
	if d.Partial != nil {
		d.SetPartial(d.Partial(a.value))
	}
	if d.Took != nil {
		return d.Took()
	}
	return nil
}

// IsInvoice reports whether an event is about an invoice. See Data.Changes.
func IsInvoice(e apiclient.Event) bool { return strings.HasPrefix(string(e.Type), "invoice.") }
