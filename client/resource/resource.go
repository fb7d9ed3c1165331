// Package resource holds data fetched from the server together with its state: the latest value,
// its age, and whether the latest request failed.
package resource

import (
	"errors"
	"time"

	"tarmac/apiclient"
)

// Status is the state of a resource as panels show it.
type Status int

// Values of Status.
const (
	Loading    Status = iota // there is no value yet
	Ready                    // the value is current
	Stale                    // the value is old, because the latest request failed
	Empty                    // the server has no records
	NotOpen                  // the organization has no account yet
	NotAllowed               // the token lacks a scope
	Failed                   // there is no value, because the request failed
)

// Resource is data fetched from the server: the latest value, when it was fetched, and the result
// of the latest request. In the zero value, nothing has been requested. Requests are numbered, so
// that late responses to earlier requests can be ignored.
type Resource[T any] struct {
	value       T
	known       bool
	loadedAt    time.Time
	err         error
	retryAt     time.Time
	request     uint64
	waiting     bool
	failures    int
	since       time.Time // when the first of the consecutive failures occurred
	condition   Status    // status of the latest successful response: Ready, Empty or NotOpen
	partial     Partial
	interrupted bool // err was set by Interrupt, not by a request for this resource
}

// Partial says how many records of a list could not be decoded, and why the first one could not.
// For a complete list it is zero.
type Partial struct {
	Records int
	Noun    string // what one record is, such as invoice
	Err     error
}

// PartialOf returns how many records of a list could not be decoded.
func PartialOf[T apiclient.Record](noun string, records []T) Partial {
	n, first := apiclient.CountUnreadable(records)
	if n == 0 {
		return Partial{}
	}
	return Partial{Records: n, Noun: noun, Err: first}
}

// Begin must be called when a request starts. It returns the number of the request for Complete. If
// an earlier request is still running, its response will be ignored.
func (r *Resource[T]) Begin() uint64 {
	r.request++
	r.waiting = true
	return r.request
}

// Waiting reports whether a request is running.
func (r *Resource[T]) Waiting() bool { return r.waiting }

// Complete ends a request. If it is not the latest request, Complete changes nothing and returns
// false. condition is the status of a successful response: Ready, Empty or NotOpen. After a
// failure, the resource keeps its old value and must be fetched again at retryAt.
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

// SetPartial stores which records of the current value could not be decoded.
func (r *Resource[T]) SetPartial(p Partial) { r.partial = p }

// Interrupt stores an error from a request for another resource that affects all resources: the
// server cannot be reached or refuses the token. It does nothing while a request for this resource
// is running. If the server has refused a request for this resource because of its token or scope,
// that error and its retry time are kept.
func (r *Resource[T]) Interrupt(err error, retryAt time.Time) {
	refused := errors.Is(r.err, apiclient.ErrUnauthorized)
	if r.waiting || refused && !(r.interrupted && errors.Is(err, apiclient.ErrUnauthorized)) ||
		errors.Is(r.err, apiclient.ErrForbidden) {
		return
	}
	r.err, r.retryAt, r.interrupted = err, retryAt, true
}

// Resume makes a resource due at the given time after Interrupt. If there is nothing to resume, it
// returns false. It also makes a resource due if the server has refused the token in a request for
// this resource, but only after the first refusal. If the server refuses the token only for this
// resource, later retries wait for their retry time.
func (r *Resource[T]) Resume(at time.Time) bool {
	refusedOnce := r.failures == 1 && errors.Is(r.err, apiclient.ErrUnauthorized)
	if r.waiting || !r.interrupted && !refusedOnce {
		return false
	}
	r.retryAt, r.interrupted = at, false
	return true
}

// Forget removes the value and the state. The response to a running request will be ignored.
func (r *Resource[T]) Forget() {
	request := r.request
	*r = Resource[T]{request: request}
}

// Value returns the latest value. It returns false if there is none.
func (r *Resource[T]) Value() (T, bool) { return r.value, r.known }

// Err returns why the latest request failed. It returns nil if it succeeded.
func (r *Resource[T]) Err() error { return r.err }

// Failures returns the number of consecutive failed requests.
func (r *Resource[T]) Failures() int { return r.failures }

// LoadedAt returns when the value was fetched. It returns the zero time if there is no value.
func (r *Resource[T]) LoadedAt() time.Time { return r.loadedAt }

// State returns the state of the resource, for panels and for Due.
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
		// Hide figures that the token must no longer read.
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

// State is the state of a resource without its value.
type State struct {
	Status   Status
	Waiting  bool // a request is running
	Err      error
	LoadedAt time.Time
	RetryAt  time.Time
	Failures int       // number of consecutive failed requests
	Since    time.Time // when the first of these failures occurred; zero if the error comes from another resource
	Partial  Partial   // records of the value that could not be decoded
}

// HasFigures reports whether there is a value to show, current or old.
func (s State) HasFigures() bool { return s.Status == Ready || s.Status == Stale }

// Worst returns the state for a panel that shows several resources: the first state without
// figures, otherwise the first stale one, otherwise the first of all.
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
