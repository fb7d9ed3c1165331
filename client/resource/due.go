package resource

import (
	"errors"
	"time"

	"tarmac/apiclient"
)

// Policy says when a resource must be fetched again. Due applies it to the resource's state.
type Policy struct {
	MaxAge      time.Duration // age from which the resource is fetched again; 0 means that age alone is never a reason
	Changed     bool          // the server has reported a change
	MinAge      time.Duration // minimum age at which Changed takes effect
	Unreachable bool          // the server cannot be reached, so nothing that failed is retried
	Recovered   bool          // the server can be reached again, so everything that failed is retried at once
	// Returned says that the user has returned to the page. A resource that failed is then retried
	// before its retry time, unless it still has an old value to show.
	Returned bool
}

// Due reports whether a resource must be fetched now. It is never due while a request for it is
// running. After a failure, it is due at its RetryAt. p.Recovered or p.Returned can make it due
// earlier, and p.Unreachable prevents the retry.
func Due(s State, now time.Time, p Policy) bool {
	switch {
	case s.Waiting:
		return false
	case p.Returned:
		// If the server refused the token, a retry cannot succeed.
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

// NextRetry returns when to retry after err, or the zero time if err is nil. If the token was
// refused or lacks a scope, that is in a minute. Otherwise it is after the server's Retry-After or,
// without one, after a backoff of two seconds. The backoff doubles with each earlier failure in a
// row, up to thirty seconds.
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
