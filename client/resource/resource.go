// Package resource keeps data fetched from the server together with its state: the last
// value, its age, and whether the last request failed.
package resource

import (
	"errors"
	"time"

	"tarmac/apiclient"
)

// Status is the state of a resource as a panel shows it.
type Status int

// The states.
const (
	Loading    Status = iota // no value yet
	Ready                    // the value is current
	Stale                    // the value is old, as the last request failed
	Empty                    // the server has no records
	NotOpen                  // the organization has no account yet
	NotAllowed               // the token lacks a scope
	Failed                   // no value, and the request failed
)

// Resource is data fetched from the server: the last value, when it came, and the result of
// the latest request. The zero value has not been requested. Requests are numbered, so that
// late responses to earlier ones are ignored.
type Resource[T any] struct {
	value       T
	known       bool
	loadedAt    time.Time
	err         error
	retryAt     time.Time
	request     uint64
	waiting     bool
	failures    int
	since       time.Time // when the first of these failures occurred
	condition   Status    // of the last successful response: Ready, Empty or NotOpen
	partial     Partial
	interrupted bool // err was set by Interrupt, not by a request of this resource
}

// Partial is the number of records in a list that could not be read, and the first reason.
// It is zero for a complete list.
type Partial struct {
	Records int
	Noun    string // what the records are, such as invoice
	Err     error
}

// PartialOf counts the unreadable records of a list.
func PartialOf[T apiclient.Record](noun string, records []T) Partial {
	n, first := apiclient.CountUnreadable(records)
	if n == 0 {
		return Partial{}
	}
	return Partial{Records: n, Noun: noun, Err: first}
}

// Begin records that a request starts and returns the request's number for Complete. The
// response to an earlier request that is still in flight will be ignored.
func (r *Resource[T]) Begin() uint64 {
	r.request++
	r.waiting = true
	return r.request
}

// Waiting reports whether a request is in flight.
func (r *Resource[T]) Waiting() bool { return r.waiting }

// Complete ends a request. It returns false and changes nothing unless this is the latest
// request. condition is the status of a successful response: Ready, Empty or NotOpen. After
// a failure the old value is kept, and retryAt is when to try again.
func (r *Resource[T]) Complete(request uint64, value T, condition Status, err error, now, retryAt time.Time) bool {
	if request != r.request || !r.waiting {
		return false
	}
	r.waiting, r.interrupted = false, false
	if err != nil {
		r.err, r.retryAt = err, retryAt
		if r.failures == 0 {
			r.since = now
		}
		r.failures++
		return true
	}
	r.value, r.known, r.loadedAt, r.condition = value, true, now, condition
	r.err, r.retryAt, r.failures, r.since, r.partial = nil, time.Time{}, 0, time.Time{}, Partial{}
	return true
}

// SetPartial records which records of the current value could not be read.
func (r *Resource[T]) SetPartial(p Partial) { r.partial = p }

// Interrupt records an error that the request of another resource met and that concerns all:
// the server is unreachable or refuses the token. It does nothing while a request of this
// resource is in flight. If this resource's own request was refused for its token or scope,
// the resource keeps that error and its retry time.
func (r *Resource[T]) Interrupt(err error, retryAt time.Time) {
	refused := errors.Is(r.err, apiclient.ErrUnauthorized)
	if r.waiting || refused && !(r.interrupted && errors.Is(err, apiclient.ErrUnauthorized)) ||
		errors.Is(r.err, apiclient.ErrForbidden) {
		return
	}
	r.err, r.retryAt, r.interrupted = err, retryAt, true
}

// Resume makes a resource due at the given time after Interrupt. It returns false if there is
// nothing to resume. It also makes a resource due whose own request was refused for its
// token, but only after the first refusal: if the server refuses the token for this resource
// alone, later retries wait for their retry time.
func (r *Resource[T]) Resume(at time.Time) bool {
	refusedOnce := r.failures == 1 && errors.Is(r.err, apiclient.ErrUnauthorized)
	if r.waiting || !r.interrupted && !refusedOnce {
		return false
	}
	r.retryAt, r.interrupted = at, false
	return true
}

// Forget drops the value and the state. The response to a request in flight will be
// ignored.
func (r *Resource[T]) Forget() {
	request := r.request
	*r = Resource[T]{request: request}
}

// Value returns the last value, and false if there is none.
func (r *Resource[T]) Value() (T, bool) { return r.value, r.known }

// Err returns why the last request failed, or nil.
func (r *Resource[T]) Err() error { return r.err }

// Failures returns the number of failed requests in a row.
func (r *Resource[T]) Failures() int { return r.failures }

// LoadedAt returns when the value was fetched, or the zero time.
func (r *Resource[T]) LoadedAt() time.Time { return r.loadedAt }

// State returns the state for panels and for Due.
func (r *Resource[T]) State() State {
	s := State{
		Waiting:  r.waiting,
		Err:      r.err,
		LoadedAt: r.loadedAt,
		RetryAt:  r.retryAt,
		Failures: r.failures,
		Since:    r.since,
		Partial:  r.partial,
	}
	switch {
	case errors.Is(r.err, apiclient.ErrForbidden):
		// Figures that the token may no longer read are hidden.
		s.Status = NotAllowed
	case r.err != nil && r.known && r.condition == Ready:
		s.Status = Stale
	case r.err != nil:
		s.Status = Failed
	case !r.known:
		s.Status = Loading
	default:
		s.Status = r.condition
	}
	return s
}

// State is the state of a resource.
type State struct {
	Status   Status
	Waiting  bool // a request is in flight
	Err      error
	LoadedAt time.Time
	RetryAt  time.Time
	Failures int       // number of failed requests in a row
	Since    time.Time // when the first of them failed; zero if another resource met the error
	Partial  Partial   // the records of the value that could not be read
}

// HasFigures reports whether there is a value to show, current or old.
func (s State) HasFigures() bool { return s.Status == Ready || s.Status == Stale }

// Worst returns the state that a panel with several resources shows: the first state without
// figures, else the first stale state, else the first state.
func Worst(states ...State) State {
	worst := states[0]
	for _, s := range states {
		if !s.HasFigures() {
			return s
		}
		if s.Status == Stale && worst.Status != Stale {
			worst = s
		}
	}
	return worst
}
