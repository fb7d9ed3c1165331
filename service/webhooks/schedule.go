package webhooks

import (
	"math"
	"net/http"
	"time"
)

// Limits of deliveries (docs/api.md, Delivery, Retry schedule).
const (
	// Timeout is the longest time for one attempt, from the DNS lookup to the end of the response.
	// ConnectTimeout and TLSTimeout are those for connecting and for the TLS handshake.
	Timeout        = 15 * time.Second
	ConnectTimeout = 5 * time.Second
	TLSTimeout     = 5 * time.Second
	// MaxResponse is the largest number of bytes of a response that are read and discarded.
	MaxResponse = 4 << 10

	// MaxFailures is the number of failed attempts after which a delivery fails.
	MaxFailures = 8
	// MaxAttempts is the number of attempts after which a delivery fails even if their outcomes are
	// unknown. Without this limit, a delivery that crashes the process would crash it forever.
	MaxAttempts = 24
	// Lease is how long a claimed delivery is reserved for one process. Attempting it and writing
	// the outcome takes less time.
	Lease = 30 * time.Second

	// MaxRetryWait is the longest wait before the next attempt, including Retry-After and jitter.
	MaxRetryWait = 24 * time.Hour

	// RotationOverlap is the time after a secret's rotation during which deliveries are also signed
	// with the previous secret.
	RotationOverlap = 24 * time.Hour
	// DisableAfter is the time for which all attempts at an endpoint must have failed before the
	// endpoint is disabled.
	DisableAfter = 5 * 24 * time.Hour
	// MaxHeldAge is the largest age of a held delivery that is still sent. Older ones fail when
	// their endpoint is activated again.
	MaxHeldAge = 3 * 24 * time.Hour
	// ReleaseSpread is the time over which held deliveries are sent after their endpoint was
	// activated again.
	ReleaseSpread = 30 * time.Second

	// EndpointConcurrency is the largest number of attempts at an endpoint at the same time. An
	// endpoint whose last attempt failed has one at a time.
	EndpointConcurrency = 4
	// PromptAttempts and SlowAttempts are the largest numbers of attempts that a process makes at
	// the same time. An attempt counts as slow when it takes longer than SlowAfter.
	PromptAttempts = 32
	SlowAttempts   = 224
	SlowAfter      = 250 * time.Millisecond
)

// schedule holds the wait after the first failed attempt, after the second, and so on.
var schedule = [MaxFailures - 1]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
}

const (
	// minOverloadWait is the shortest wait after a time-out or a response with status 429.
	minOverloadWait = time.Minute
	// jitterShare is the largest fraction of a wait that jitter adds or subtracts.
	jitterShare = 0.2
)

// Result is the result of a delivery attempt.
type Result struct {
	Code       int // status of the response; 0 if there was none
	Problem    Problem
	RetryAfter time.Duration // wait in the Retry-After header; 0 if there was none
}

// StatusProblem returns the problem for a response with the given status. Only 2xx acknowledges a
// delivery. A redirect is a failure, because it is not followed.
func StatusProblem(code int) Problem {
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

// Consequence returns what the attempt changes in its delivery and in the endpoint e. The attempt
// ended at endTime, and failuresBefore counts earlier failed attempts at the same delivery. jitter
// is a random number in [-1, 1) that varies the wait before the next attempt. Failures of a test
// event do not count against the endpoint (docs/api.md, Test event, Automatic disabling).
func (r Result) Consequence(failuresBefore int, test bool, e Endpoint, endTime time.Time, jitter float64) Consequence {
	if r.Problem == NoProblem && StatusProblem(r.Code) == NoProblem {
		return Consequence{Status: Delivered, StopFailing: true}
	}
	mayDisable := !test && e.Status == Active
	v := Consequence{StartFailing: !test}
	switch failures := failuresBefore + 1; {
	case r.Code == http.StatusGone:
		v.Status = Failed
		if mayDisable {
			v.Disable = Gone
		}
	case failures >= MaxFailures:
		v.Status = Failed
		if mayDisable && e.FailingSince != nil && endTime.Sub(*e.FailingSince) >= DisableAfter {
			v.Disable = Failing
		}
	default:
		v.Status, v.RetryIn = Pending, r.retryWait(failures, jitter)
	}
	return v
}

// retryWait returns the wait after the n-th failed attempt at a delivery. n is at least 1.
func (r Result) retryWait(n int, jitter float64) time.Duration {
	base := schedule[n-1]
	if (r.Problem == TimedOut || r.Code == http.StatusTooManyRequests) && base < minOverloadWait {
		base, jitter = minOverloadWait, math.Abs(jitter)
	}
	if r.RetryAfter > 0 && (r.Code == http.StatusTooManyRequests || r.Code == http.StatusServiceUnavailable) {
		base = min(max(base, r.RetryAfter), 2*base)
		jitter = math.Abs(jitter) // no retry before the time that the receiver requested
	}
	return base + time.Duration(float64(base)*jitterShare*jitter)
}
