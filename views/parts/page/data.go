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

// Data is a value that a page fetches. The page fetches it when When allows it and it is missing,
// older than MaxAge, changed or due for a retry.
type Data[V any] struct {
	resource.Resource[V]

	Read func(ctx context.Context, key string) (V, error)
	Key  string // says which value is read; set by Choose and ChooseAtCursor
	// When reports whether the page needs the value now; nil means always. It must not depend on
	// whether the page is visible: Page takes care of that, and hidden pages are refreshed, too.
	When    func() bool
	MaxAge  func() time.Duration       // a value of this age is fetched again; nil or 0 means never
	Changes func(apiclient.Event) bool // whether an event changes the value; nil means no event does
	Stale   func() bool                // whether the value has changed for another reason; may be nil
	MinAge  time.Duration              // a changed value is fetched again once it has this age

	Secondary bool // the page can do without it: it isn't refreshed by the user, and its state isn't shown
	Optional  bool // a value that the server doesn't have is empty instead of an error
	IsEmpty   func(V) bool
	Partial   func(V) resource.Partial // records that could not be decoded

	OnRequest func() // called when the value is requested
	// OnValue is called when a value has been stored. Lists of the value fill themselves
	// afterwards.
	OnValue func() tea.Cmd

	env      views.Env
	version  uint64 // counts the values stored so far
	outdated bool   // the value has changed since it was requested
	held     bool   // the next request waits for the next tick
	cancel   context.CancelFunc
}

// Records returns the Data of a list of records. noun is what one record is, such as "invoice".
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
	isSecondary() bool
	canRead() bool
	due() tea.Cmd
	tick()
	follow(fresh []apiclient.Event)
}

// Answer is the message with the response to a request of Data.
type Answer interface{ store() tea.Cmd }

type answer[V any] struct {
	to      *Data[V]
	request uint64
	value   V
	err     error
}

// Choose sets Key. Another value is then fetched at once. For a record under a cursor, use
// ChooseAtCursor.
func (d *Data[V]) Choose(key string) {
	if key != d.Key {
		d.stop()
		d.Key, d.outdated, d.held = key, false, false
		d.Forget()
	}
}

// ChooseAtCursor is Choose for a record under a cursor. While a request is running, it waits for
// the next tick, so that a held key doesn't send a request for each row that it passes.
func (d *Data[V]) ChooseAtCursor(key string) {
	held := d.Waiting()
	d.Choose(key)
	d.held = held
}

// Outdate marks the value as outdated, so that it is fetched again.
func (d *Data[V]) Outdate() { d.outdated = true }

// Fetch returns the command that fetches the value. It cancels a running request.
func (d *Data[V]) Fetch() tea.Cmd {
	d.stop()
	d.outdated, d.held = false, false
	if d.OnRequest != nil {
		d.OnRequest()
	}
	response := answer[V]{to: d, request: d.Begin()}
	ctx, cancel := context.WithCancel(d.env.Context)
	d.cancel = cancel
	timeout, read, key := d.env.Timeout, d.Read, d.Key
	return func() tea.Msg {
		defer cancel()
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		response.value, response.err = read(ctx, key)
		return response
	}
}

// Refresh returns the command that fetches the value, or nil while a request is running.
func (d *Data[V]) Refresh() tea.Cmd {
	if d.Waiting() {
		return nil
	}
	return d.Fetch()
}

// Known returns the value, or the zero value if it can't be shown.
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
func (d *Data[V]) canRead() bool      { return d.Read != nil }
func (d *Data[V]) isShown() bool      { return d.When == nil || d.When() }
func (d *Data[V]) isSecondary() bool  { return d.Secondary }
func (d *Data[V]) tick()              { d.held = false }

// due returns the command that fetches the value, or nil if that isn't due.
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

// follow applies an outage of the server and new events.
func (d *Data[V]) follow(fresh []apiclient.Event) {
	snapshot.ApplyOutage(d.env.Snapshot, &d.Resource)
	d.outdated = d.outdated || d.Changes != nil && slices.ContainsFunc(fresh, d.Changes)
}

func (a answer[V]) store() tea.Cmd {
	d, now, condition := a.to, a.to.env.Now(), resource.Ready
	switch {
	case d.Optional && errors.Is(a.err, apiclient.ErrNotFound):
		var empty V
		a.value, a.err, condition = empty, nil, resource.Empty
	case a.err == nil && d.IsEmpty != nil && d.IsEmpty(a.value):
		condition = resource.Empty
	}
	retry := resource.NextRetry(now, a.err, d.Failures())
	if !d.Complete(a.request, a.value, condition, a.err, now, retry) || a.err != nil {
		return nil
	}
	d.version++
	if d.Partial != nil {
		d.SetPartial(d.Partial(a.value))
	}
	if d.OnValue != nil {
		return d.OnValue()
	}
	return nil
}

// IsInvoice reports whether an event is about an invoice. See Data.Changes.
func IsInvoice(e apiclient.Event) bool { return strings.HasPrefix(string(e.Type), "invoice.") }
