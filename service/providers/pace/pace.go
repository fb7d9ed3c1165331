// Package pace decides when a provider is read next.
package pace

import (
	"time"

	"tarmac/service/providers"
)

const (
	firstRetry = time.Minute
	// LongestWait is the longest time until the next reading. A later time is a mistake, for
	// example after the system clock was set back.
	LongestWait = 30 * time.Hour
	deniedEvery = 24 * time.Hour
	longest     = 6 * time.Hour
)

// Next returns when a provider of the given kind is read next, after a reading at now that failed
// with failure or, if failure is nil, succeeded. failures is the number of failed readings since
// the last success, this one included. jitter is a random number from -1 to 1, by which readings of
// many organizations are spread.
func Next(kind providers.Kind, now time.Time, failures int, failure *providers.Failure, jitter float64) time.Time {
	wait := kind.Every
	switch {
	case failure == nil:
	case failure.Cause == providers.Denied, failure.Cause == providers.Unpaid:
		wait = deniedEvery
	case failure.RetryAfter > 0:
		wait = max(min(backoff(failures), kind.Every), failure.RetryAfter)
	case failure.Cause == providers.Limited:
		wait = max(backoff(failures), kind.Every)
	default:
		wait = backoff(failures)
	}
	spread := wait / 5
	if failure != nil && (failure.RetryAfter > 0 || failure.Cause == providers.Limited) {
		// A provider is never asked before the time that WaitUntil returns.
		return awayFromTheHour(now.Add(wait + time.Duration(max(jitter, -jitter)*float64(spread))))
	}
	return awayFromTheHour(now.Add(wait + time.Duration(jitter*float64(spread))))
}

// WaitUntil returns the time before which nobody may ask a provider after a failed reading at now,
// not even a person: as long as the provider told, or the backoff after a limit without a time. It
// is zero if the provider may be asked at any time.
func WaitUntil(now time.Time, failures int, failure *providers.Failure) time.Time {
	switch {
	case failure.RetryAfter > 0:
		return now.Add(failure.RetryAfter)
	case failure.Cause == providers.Limited:
		return now.Add(backoff(failures))
	}
	return time.Time{}
}

// backoff returns the wait after a number of failures: a minute, doubled with each, and at most six
// hours.
func backoff(failures int) time.Duration {
	wait := firstRetry
	for range min(failures, 20) - 1 {
		wait = min(2*wait, longest)
	}
	return wait
}

// awayFromTheHour moves a time out of the first minute of an hour, when many programs ask.
func awayFromTheHour(t time.Time) time.Time {
	if t.Minute() == 0 {
		return t.Add(time.Minute)
	}
	return t
}

// Budget is what may be asked of a provider in 24 hours.
type Budget struct {
	Left     int       // number of requests that may be sent now; -1 without a limit
	Returned time.Time // when the next request may be sent if Left is 0
}

// BudgetOf returns the budget of a connection that has sent requests at the given times, the oldest
// first. byPerson is true for a reading that a person asks for, which may use Kind.Reserve as well.
func BudgetOf(kind providers.Kind, sent []time.Time, now time.Time, byPerson bool) Budget {
	if kind.Daily == 0 {
		return Budget{Left: -1}
	}
	limit := kind.Daily
	if !byPerson {
		limit -= kind.Reserve
	}
	for len(sent) > 0 && !sent[0].After(now.Add(-24*time.Hour)) {
		sent = sent[1:]
	}
	if len(sent) < limit {
		return Budget{Left: limit - len(sent)}
	}
	return Budget{Returned: sent[len(sent)-limit].Add(24 * time.Hour)}
}
