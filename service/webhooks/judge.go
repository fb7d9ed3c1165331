package webhooks

import (
	"math"
	"net/http"
	"time"
)

// The limits of delivering (docs/api.md, Delivery, Retry schedule).
const (
	// Timeout is for one attempt, from the name's lookup to the answer's headers
	// and what is read of its body; ConnectTimeout and TLSTimeout are parts of it.
	Timeout        = 15 * time.Second
	ConnectTimeout = 5 * time.Second
	TLSTimeout     = 5 * time.Second
	// MaxResponse is how many bytes of an answer's body are read. None are kept.
	MaxResponse = 4 << 10

	// MaxFailures is how many attempts may fail before the delivery has failed.
	MaxFailures = 8
	// MaxAttempts bounds the attempts begun, those of unknown outcome included: a
	// process that dies over a delivery must not be killed by it for ever.
	MaxAttempts = 24
	// Lease is how long an attempt keeps others from its delivery. It outlasts
	// Timeout and the writing of the outcome.
	Lease = 30 * time.Second

	// LongestWait is how long a delivery waits for its next attempt at most, with
	// all that the receiver and jitter may add.
	LongestWait = 24 * time.Hour

	// RotationOverlap is how long the previous secret signs too.
	RotationOverlap = 24 * time.Hour
	// DisableAfter is how long an endpoint may fail before it is given up.
	DisableAfter = 5 * 24 * time.Hour
	// HeldFor is how old an event may be whose delivery a paused endpoint held:
	// an older one fails when the endpoint takes deliveries again.
	HeldFor = 3 * 24 * time.Hour
	// ReleaseSpread is over how long the deliveries that were held are scattered.
	ReleaseSpread = 30 * time.Second

	// EndpointConcurrency is how many attempts an endpoint gets at once, one when
	// it is failing.
	EndpointConcurrency = 4
	// PromptAttempts and SlowAttempts are how many attempts a process has under
	// way: an attempt that lasts longer than SlowAfter becomes a slow one and makes
	// room for another prompt one.
	PromptAttempts = 32
	SlowAttempts   = 224
	SlowAfter      = 250 * time.Millisecond
)

// schedule is how long after failure n the next attempt is due, n from 1.
var schedule = [MaxFailures - 1]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
}

const (
	// overload is the least wait before asking again where too much was asked.
	overload = time.Minute
	// jitterShare is the part of a wait that jitter takes off or adds.
	jitterShare = 0.2
)

// Result is how an attempt ended. Code is 0 where there was no answer. RetryAfter
// is how long the receiver asked to be left alone, 0 when it did not.
type Result struct {
	Code       int
	Problem    Problem
	RetryAfter time.Duration
}

// Answered returns the problem with an answer of that status. Only 2xx is an
// acknowledgement; a redirect is a failure, because it is never followed.
func Answered(code int) Problem {
	switch {
	case code >= 200 && code < 300:
		return NoProblem
	case code >= 300 && code < 400:
		return Redirected
	case code == http.StatusGone:
		return GoneForGood
	}
	return BadStatus
}

// Judge returns what follows from an attempt that ended at the given time, to
// deliver to e as it stands then. failuresBefore counts the attempts before it
// that failed; jitter is in [-1, 1). A test event's failures say nothing about
// the endpoint (docs/api.md, Test event, Automatic disabling).
func (r Result) Judge(failuresBefore int, test bool, e Endpoint, at time.Time, jitter float64) Verdict {
	if r.Problem == NoProblem && Answered(r.Code) == NoProblem {
		return Verdict{Status: Delivered, ClockStops: true}
	}
	mayDisable := !test && e.Status == Active
	v := Verdict{ClockStarts: !test}
	switch failures := failuresBefore + 1; {
	case r.Code == http.StatusGone:
		v.Status = Failed
		if mayDisable {
			v.Disable = Gone
		}
	case failures >= MaxFailures:
		v.Status = Failed
		if mayDisable && e.FailingSince != nil && at.Sub(*e.FailingSince) >= DisableAfter {
			v.Disable = Failing
		}
	default:
		v.Status, v.RetryIn = Pending, r.wait(failures, jitter)
	}
	return v
}

// wait is how long after failure n the next attempt is due.
func (r Result) wait(n int, jitter float64) time.Duration {
	base := schedule[n-1]
	if (r.Problem == TimedOut || r.Code == http.StatusTooManyRequests) && base < overload {
		base, jitter = overload, math.Abs(jitter)
	}
	if r.RetryAfter > 0 && (r.Code == http.StatusTooManyRequests || r.Code == http.StatusServiceUnavailable) {
		base = min(max(base, r.RetryAfter), 2*base)
		// Coming before the time that was asked for would not honour it.
		jitter = math.Abs(jitter)
	}
	return base + time.Duration(float64(base)*jitterShare*jitter)
}
