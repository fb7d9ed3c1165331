package snapshot

import (
	"context"
	"time"

	"tarmac/client/resource"
)

// RevisionInterval is the time between two requests for the revision of own books. If the server
// has no own books, it is NoBooksInterval.
const (
	RevisionInterval = 15 * time.Second
	NoBooksInterval  = 10 * time.Minute
)

// Revision is the part BooksRevision: it tells when another program has changed own books, for
// example a reading of a provider or an import.
type Revision struct {
	state   resource.Resource[string] // its value is "" if the server has no own books
	changes uint64
}

// Changes returns how often the revision was another one than before.
func (r *Revision) Changes() uint64 { return r.changes }

// Interval returns the pause before the next request.
func (r *Revision) Interval() time.Duration {
	if revision, known := r.state.Value(); known && revision == "" {
		return NoBooksInterval
	}
	return RevisionInterval
}

func (s *Snapshot) loadRevision() Request {
	request := s.Books.state.Begin()
	ctx, timeout, now, source := s.ctx, s.timeout, s.now, s.source
	return func() Result {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		revision, err := source.BooksRevision(ctx)
		return Result{Part: BooksRevision, apply: func(s *Snapshot) bool {
			return s.Books.complete(request, revision, err, now())
		}}
	}
}

func (r *Revision) complete(request uint64, revision string, err error, now time.Time) bool {
	before, _ := r.state.Value()
	counts := r.state.Complete(request, revision, resource.Ready, err, now,
		resource.NextRetry(now, err, r.state.Failures()))
	if counts && err == nil && before != "" && revision != "" && before != revision {
		r.changes++
	}
	return counts
}
