package resource

import (
	"errors"
	"time"

	"tarmac/apiclient"
)

// Policy is what decides, beside its state, when something is fetched again.
type Policy struct {
	Every     time.Duration // how old it may become; 0 is any age
	Changed   bool          // the server has news of it
	Settle    time.Duration // how old it must be before news of it count
	Away      bool          // the server cannot be reached: what failed waits for the event feed
	Recovered bool          // the server has just come back: what failed does not wait
	Returned  bool          // a person came back to it: only a failure that hides the figures counts
}

// Due reports whether something in a state is to be fetched now. Nothing is fetched twice
// at a time, and nothing that failed before its retry time unless the policy says so.
func Due(s State, now time.Time, p Policy) bool {
	switch {
	case s.Waiting:
		return false
	case p.Returned:
		// A token that the server does not know is not cured by asking.
		return s.Err != nil && !s.HasFigures() && !p.Away && !errors.Is(s.Err, apiclient.ErrUnauthorized)
	case s.Err != nil:
		return !p.Away && (p.Recovered || !now.Before(s.RetryAt))
	case s.LoadedAt.IsZero():
		return true
	case p.Changed && now.Sub(s.LoadedAt) >= p.Settle:
		return true
	}
	return p.Every > 0 && !now.Before(s.LoadedAt.Add(p.Every))
}
