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
	Unreachable bool          // the server is unreachable: nothing that failed is due
	Recovered   bool          // the server is reachable again: everything that failed is due at once
	// Returned is set when the user has switched back to the page. A failed resource is then
	// due before its retry time, unless it still has an old value to show.
	Returned bool
}

// Due reports whether to fetch a resource now. A resource is never due while its request is
// in flight. After a failure it is due at its RetryAt, unless p.Recovered or p.Returned make
// it due earlier or p.Unreachable forbids it.
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

// NextRetry returns when to retry after err: a minute later if the token was refused or
// lacks a scope, else after the server's Retry-After, else after a backoff of two seconds that
// doubles with each of the earlier failures in a row, up to thirty seconds. It returns the
// zero time if err is nil.
func NextRetry(now time.Time, err error, earlier int) time.Time {
	var api *apiclient.Error
	switch {
	case err == nil:
		return time.Time{}
	case errors.Is(err, apiclient.ErrUnauthorized), errors.Is(err, apiclient.ErrForbidden):
		return now.Add(time.Minute)
	case errors.As(err, &api) && api.RetryAfter > 0:
		return now.Add(api.RetryAfter)
	}
	return now.Add(min(30*time.Second, 2*time.Second<<min(earlier, 4)))
}
