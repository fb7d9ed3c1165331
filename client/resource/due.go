package resource

import (
	"errors"
	"time"

	"tarmac/apiclient"
)

// Policy decides, together with a resource's state, when to fetch it again.
type Policy struct {
	MaxAge      time.Duration // oldest acceptable age; 0 for any
	Changed     bool          // the server has reported a change
	MinAge      time.Duration // youngest age at which a change counts
	Unreachable bool          // the server is unreachable: failed fetches wait for the event feed
	Recovered   bool          // the server has just come back: failed fetches are due at once
	Returned    bool          // the user came back to it: only a failure without figures to show is due
}

// Due reports whether to fetch a resource now. It never is while a request is in flight,
// nor before the retry time of a failure unless the policy says so.
func Due(s State, now time.Time, p Policy) bool {
	switch {
	case s.Waiting:
		return false
	case p.Returned:
		// A retry cannot make the server accept the token.
		return s.Err != nil && !s.HasFigures() && !p.Unreachable && !errors.Is(s.Err, apiclient.ErrUnauthorized)
	case s.Err != nil:
		return !p.Unreachable && (p.Recovered || !now.Before(s.RetryAt))
	case s.LoadedAt.IsZero():
		return true
	case p.Changed && now.Sub(s.LoadedAt) >= p.MinAge:
		return true
	}
	return p.MaxAge > 0 && !now.Before(s.LoadedAt.Add(p.MaxAge))
}

// NextRetry returns when to retry after err, with so many earlier failures in a row: after
// the server's Retry-After, else after two seconds, doubling to thirty. A refused token or
// a missing scope waits a minute. It returns the zero time if err is nil.
func NextRetry(now time.Time, err error, before int) time.Time {
	var api *apiclient.Error
	switch {
	case err == nil:
		return time.Time{}
	case errors.Is(err, apiclient.ErrUnauthorized), errors.Is(err, apiclient.ErrForbidden):
		return now.Add(time.Minute)
	case errors.As(err, &api) && api.RetryAfter > 0:
		return now.Add(api.RetryAfter)
	}
	return now.Add(min(30*time.Second, 2*time.Second<<min(before, 4)))
}
