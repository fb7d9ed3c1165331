package plain

import (
	"context"
	"errors"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/internal/panics"
)

// patience is how long an answer is waited for without a word.
const patience = time.Second

var errInterrupted = errors.New("cancelled")

// once carries out a request that is not to be repeated. Ctrl+c ends it, and not the
// session.
func once[T any](s *session, do func(ctx context.Context) (T, error)) (T, error) {
	return askFor(s, s.Timeout, "Asking the server…", do)
}

// The longest pause that a server is granted, and how often in a row.
const (
	longestPause = 2 * time.Minute
	mostTries    = 20
)

// ask reads something. Where the server was asked too often it says so, and waits.
// One command is many requests: further pauses are told only where they are much
// longer.
func ask[T any](s *session, do func(ctx context.Context) (T, error)) (value T, err error) {
	for range mostTries {
		value, err = once(s, do)
		var refusal *apiclient.Error
		if !errors.Is(err, apiclient.ErrRateLimited) || !errors.As(err, &refusal) || refusal.RetryAfter > longestPause {
			break
		}
		wait := max(time.Second, refusal.RetryAfter)
		if wait > 2*s.paused {
			s.paused = wait
			s.say("Rate limited: retrying in %s. Ctrl+C cancels.", ago(wait+time.Second-1))
		}
		if !s.pause(wait) {
			return value, errInterrupted
		}
	}
	return value, err
}

// pause waits, and reports whether nobody interrupted.
func (s *session) pause(d time.Duration) bool {
	select {
	case <-s.After(d):
		return true
	case <-s.Interrupts:
	case <-s.ctx.Done():
	}
	return false
}

// askFor is ask with a time-out of its own, 0 for none, and what is said after a while.
func askFor[T any](s *session, timeout time.Duration, words string, do func(ctx context.Context) (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
		fault *panics.Fault
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	if timeout > 0 {
		var expire context.CancelFunc
		ctx, expire = context.WithTimeout(ctx, timeout)
		defer expire()
	}
	answered := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if r := recover(); r != nil {
				a.fault = panics.Of(r)
			}
			answered <- a
		}()
		a.value, a.err = do(ctx)
	}()
	interrupted := false
	late := s.After(patience)
	for {
		select {
		case a := <-answered:
			if a.fault != nil {
				panic(a.fault) // Run tells it
			}
			if interrupted && a.err != nil && !errors.Is(a.err, apiclient.ErrOutcomeUnknown) {
				a.err = errInterrupted
			}
			return a.value, a.err
		case <-late:
			if late = nil; !s.waiting {
				s.waiting = true
				s.say("%s", words)
			}
		case <-s.Interrupts:
			interrupted = true
			cancel()
		}
	}
}

// kept is something that was fetched, and when.
type kept[T any] struct {
	value T
	at    time.Time
}

func (k *kept[T]) known() bool { return !k.at.IsZero() }

// renew fetches it.
func (k *kept[T]) renew(s *session, do func(ctx context.Context) (T, error)) (T, error) {
	value, err := ask(s, do)
	if err == nil {
		k.value, k.at = value, s.Now()
	}
	return value, err
}

// get fetches it and says what went wrong; ok is whether there are figures, fresh or
// old. What is the subject of the sentence: "The balance".
func (k *kept[T]) get(s *session, what string, do func(ctx context.Context) (T, error)) (value T, ok bool) {
	if _, err := k.renew(s, do); err != nil {
		s.failed(what, err)
		// What may not be seen any more is not shown because it could be seen before.
		if errors.Is(err, apiclient.ErrForbidden) || errors.Is(err, apiclient.ErrUnauthorized) {
			*k = kept[T]{}
		}
		if k.known() {
			s.say("Stale: last updated %s ago.", ago(s.Now().Sub(k.at)))
		}
	}
	return k.value, k.known()
}

// failed says why something could not be had, and what to do about it.
func (s *session) failed(what string, err error) { s.say("%s: %s", what, explain(err)) }

// explain says what went wrong and what to do, to stand behind a colon.
func explain(err error) string {
	if errors.Is(err, errInterrupted) {
		return "cancelled."
	}
	text := problem.Of(err).Text()
	if errors.Is(err, apiclient.ErrNetwork) || errors.Is(err, apiclient.ErrUnavailable) || errors.Is(err, apiclient.ErrRateLimited) ||
		errors.Is(err, context.DeadlineExceeded) {
		text += " Type refresh to retry."
	}
	return text
}
