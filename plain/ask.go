package plain

import (
	"context"
	"errors"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/internal/panics"
)

// noticeDelay is how long a request may take before the session prints that it is waiting.
const noticeDelay = time.Second

var errInterrupted = errors.New("cancelled")

// requestOnce runs a request that must not be repeated. Ctrl+c cancels the request but does not end
// the session.
func requestOnce[T any](s *session, do func(ctx context.Context) (T, error)) (T, error) {
	return runRequest(s, s.Timeout, "Waiting for the answer…", do)
}

// Limits for retries of rate-limited requests: ask waits at most longestPause before a retry, and
// sends a request at most mostTries times.
const (
	longestPause = 2 * time.Minute
	mostTries    = 20
)

// requestWithRetry runs a read request. If the server limits the request rate, requestWithRetry
// prints that it waits, and then retries. A command may send many requests, so another pause is
// printed only if it is much longer.
func requestWithRetry[T any](s *session, do func(ctx context.Context) (T, error)) (value T, err error) {
	for range mostTries {
		value, err = requestOnce(s, do)
		var refusal *apiclient.Error
		if !errors.Is(err, apiclient.ErrRateLimited) || !errors.As(err, &refusal) || refusal.RetryAfter > longestPause {
			break
		}
		wait := max(time.Second, refusal.RetryAfter)
		if wait > 2*s.paused {
			s.paused = wait
			s.say("Rate limited: retrying in %s. Ctrl+C cancels.", spanInWords(wait+time.Second-1))
		}
		if !s.pause(wait) {
			return value, errInterrupted
		}
	}
	return value, err
}

// pause waits for d. It returns false if ctrl+c ended the wait.
func (s *session) pause(d time.Duration) bool {
	select {
	case <-s.After(d):
		return true
	case <-s.Interrupts:
	case <-s.ctx.Done():
	}
	return false
}

// runRequest runs a request once. A timeout of 0 means no limit. If the request takes longer than
// noticeDelay, runRequest prints notice. If the request panics, runRequest panics with its
// *panics.Fault.
func runRequest[T any](
	s *session, timeout time.Duration, notice string, do func(ctx context.Context) (T, error),
) (T, error) {
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
				a.fault = panics.Describe(r)
			}
			answered <- a
		}()
		a.value, a.err = do(ctx)
	}()
	interrupted := false
	late := s.After(noticeDelay)
	for {
		select {
		case a := <-answered:
			if a.fault != nil {
				panic(a.fault) // Run reports the panic
			}
			if interrupted && a.err != nil && !errors.Is(a.err, apiclient.ErrOutcomeUnknown) {
				a.err = errInterrupted
			}
			return a.value, a.err
		case text := <-s.progress:
			s.say("%s", text)
		case <-late:
			if late = nil; !s.waiting {
				s.waiting = true
				s.say("%s", notice)
			}
		case <-s.Interrupts:
			interrupted = true
			cancel()
		}
	}
}

// cached is a value from the server with the time when it was fetched.
type cached[T any] struct {
	value T
	at    time.Time
}

func (k *cached[T]) known() bool { return !k.at.IsZero() }

// renew fetches the value again. If that fails, the old value is kept.
func (k *cached[T]) renew(s *session, do func(ctx context.Context) (T, error)) (T, error) {
	value, err := requestWithRetry(s, do)
	if err == nil {
		k.value, k.at = value, s.Now()
	}
	return value, err
}

// current returns the value, which it fetches unless it is known.
func (k *cached[T]) current(s *session, do func(ctx context.Context) (T, error)) (T, error) {
	if k.known() {
		return k.value, nil
	}
	return k.renew(s, do)
}

// get fetches the value and prints an error if that fails. The subject begins the sentence, such as
// "The balance". ok is false if there is neither a new value nor an old one.
func (k *cached[T]) get(s *session, subject string, fetch func(ctx context.Context) (T, error)) (value T, ok bool) {
	if _, err := k.renew(s, fetch); err != nil {
		s.say("%s: %s", subject, errorInWords(err))
		// The token must no longer read the value, so the old one is not shown either.
		if errors.Is(err, apiclient.ErrForbidden) || errors.Is(err, apiclient.ErrUnauthorized) {
			*k = cached[T]{}
		}
		if k.known() {
			s.say("Stale: last updated %s ago.", spanInWords(s.Now().Sub(k.at)))
		}
	}
	return k.value, k.known()
}

// failed prints that the subject, such as "The balance", could not be fetched, why, and what to do
// about it. It returns nil, because the session continues.
func (s *session) failed(subject string, err error) error {
	return s.answer("%s: %s", subject, errorInWords(err))
}

// errorInWords says what failed and what to do about it. The text follows a colon.
func errorInWords(err error) string {
	if errors.Is(err, errInterrupted) {
		return "cancelled."
	}
	text := problem.Of(err).Text()
	if problem.Lasts(err) {
		return text
	}
	if errors.Is(err, apiclient.ErrNetwork) || errors.Is(err, apiclient.ErrUnavailable) ||
		errors.Is(err, apiclient.ErrRateLimited) || errors.Is(err, context.DeadlineExceeded) {
		text += " Type refresh to retry."
	}
	return text
}
