// Package resource holds what is fetched from a server: a Resource keeps the last value
// and the outcome of the latest attempt, Due decides when it is fetched again.
package resource

import (
	"errors"
	"time"

	"tarmac/apiclient"
)

// Status is the one state that a panel is in.
type Status int

// The states.
const (
	Loading    Status = iota // nothing yet, an answer is awaited
	Ready                    // the figures are fresh
	Stale                    // the figures are old: the last attempt to renew them failed
	Empty                    // the server answered, and there is nothing
	NotOpen                  // the organization has no account yet
	NotAllowed               // the token lacks a scope
	Failed                   // nothing to show, the attempt failed
)

// Resource is something fetched from the server: its last value, when that came,
// and what became of the latest attempt. The zero value is one that was never
// asked for. Answers are matched to requests by number, so that a late answer to
// an old question is dropped.
type Resource[T any] struct {
	value       T
	known       bool
	loadedAt    time.Time
	err         error
	retryAt     time.Time
	request     uint64
	waiting     bool
	failures    int
	since       time.Time // the first of them
	condition   Status
	partial     Partial
	interrupted bool // err was found elsewhere
}

// Partial is what a list lacks: so many records of a kind could not be read, the first
// of them for a reason. The zero value lacks nothing.
type Partial struct {
	Records int
	Noun    string // such as invoice
	Err     error
}

// PartialOf returns what a list of records of a kind lacks.
func PartialOf[T apiclient.Record](noun string, records []T) Partial {
	n, first := apiclient.CountUnreadable(records)
	if n == 0 {
		return Partial{}
	}
	return Partial{Records: n, Noun: noun, Err: first}
}

// Begin notes that a request is under way and returns its number. A request
// begun while another is under way replaces it.
func (r *Resource[T]) Begin() uint64 {
	r.request++
	r.waiting = true
	return r.request
}

// Waiting reports whether an answer is awaited.
func (r *Resource[T]) Waiting() bool { return r.waiting }

// Settle takes the answer to a request. It reports whether the answer counted:
// one to an earlier request than the latest does not. condition is the state
// that a good value means: Ready, Empty or NotOpen. After a failure retryAt is
// when the next attempt is due; the value from before is kept.
func (r *Resource[T]) Settle(request uint64, value T, condition Status, err error, now, retryAt time.Time) bool {
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

// SetPartial notes what the value lacks, until the next one comes.
func (r *Resource[T]) SetPartial(p Partial) { r.partial = p }

// Interrupt notes that the value cannot be renewed for a reason that was found elsewhere:
// the server is away or takes the token no longer. A request under way keeps its own
// answer, and a resource that was refused itself keeps its refusal and its retry time.
func (r *Resource[T]) Interrupt(err error, retryAt time.Time) {
	refused := errors.Is(r.err, apiclient.ErrUnauthorized)
	if r.waiting || refused && !(r.interrupted && errors.Is(err, apiclient.ErrUnauthorized)) || errors.Is(r.err, apiclient.ErrForbidden) {
		return
	}
	r.err, r.retryAt, r.interrupted = err, retryAt, true
}

// Resume ends an interruption: what it made stale is due at a time. It reports whether
// there was one. A resource that was itself refused is due too, once: where the server
// refuses the token for this resource alone, the next attempt waits for its retry time.
func (r *Resource[T]) Resume(at time.Time) bool {
	refusedOnce := r.failures == 1 && errors.Is(r.err, apiclient.ErrUnauthorized)
	if r.waiting || !r.interrupted && !refusedOnce {
		return false
	}
	r.retryAt, r.interrupted = at, false
	return true
}

// Forget drops value and state, and makes the answer under way a late one.
func (r *Resource[T]) Forget() {
	request := r.request
	*r = Resource[T]{request: request}
}

// Value returns what was fetched last and whether anything was.
func (r *Resource[T]) Value() (T, bool) { return r.value, r.known }

// Err returns why the last attempt failed, or nil.
func (r *Resource[T]) Err() error { return r.err }

// Failures returns how many attempts in a row have failed.
func (r *Resource[T]) Failures() int { return r.failures }

// LoadedAt returns when the value was fetched; the zero time if never.
func (r *Resource[T]) LoadedAt() time.Time { return r.loadedAt }

// State returns what Draw needs to know.
func (r *Resource[T]) State() State {
	s := State{Waiting: r.waiting, Err: r.err, LoadedAt: r.loadedAt, RetryAt: r.retryAt, Failures: r.failures, Since: r.since, Partial: r.partial}
	switch {
	case errors.Is(r.err, apiclient.ErrForbidden):
		// Figures that the token may no longer read are not shown on.
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

// State is a panel's state with what there is to say about it.
type State struct {
	Status   Status
	Waiting  bool // for an answer
	Err      error
	LoadedAt time.Time
	RetryAt  time.Time
	Failures int       // in a row
	Since    time.Time // of the first of them; zero where the attempt was another's
	Partial  Partial   // of the value
}

// HasFigures reports whether there are figures to draw, fresh or old.
func (s State) HasFigures() bool { return s.Status == Ready || s.Status == Stale }

// Worst returns the state of a panel that needs several resources: the first one
// that has no figures, else the first stale one, else the first.
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
