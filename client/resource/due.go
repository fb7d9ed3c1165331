package resource

import (
	"errors"
	"time"

	"tarmac/apiclient"
)

// Policy decides, together with a resource's state, when to fetch it again.
type Policy struct {
	Every     time.Duration // oldest acceptable age; 0 for any
	Changed   bool          // the server has reported a change
	MinAge    time.Duration // youngest age at which a change counts
	Away      bool          // the server is unreachable: failed fetches wait for the event feed
	Recovered bool          // the server has just come back: failed fetches are due at once
	Returned  bool          // the user came back to it: only a failure without figures to show is due
}

// Due reports whether to fetch a resource now. It never is while a request is in flight,
// nor before the retry time of a failure unless the policy says so.
func Due(s State, now time.Time, p Policy) bool {
	switch {
	case s.Waiting:
		return false
	case p.Returned:
		// A retry cannot make the server accept the token.
		return s.Err != nil && !s.HasFigures() && !p.Away && !errors.Is(s.Err, apiclient.ErrUnauthorized)
	case s.Err != nil:
		return !p.Away && (p.Recovered || !now.Before(s.RetryAt))
	case s.LoadedAt.IsZero():
		return true
	case p.Changed && now.Sub(s.LoadedAt) >= p.MinAge:
		return true
	}
	return p.Every > 0 && !now.Before(s.LoadedAt.Add(p.Every))
}
