package webhooks

import (
	"math"
	"net/http"
	"time"
)

// Limits of deliveries (docs/api.md, Delivery, Retry schedule).
const (
	// Timeout bounds one attempt, from the DNS lookup to the end of the response.
	// ConnectTimeout and TLSTimeout bound parts of it.
	Timeout        = 15 * time.Second
	ConnectTimeout = 5 * time.Second
	TLSTimeout     = 5 * time.Second
	// MaxResponse is the number of bytes of a response's body that are read and discarded.
	MaxResponse = 4 << 10

	// MaxFailures is the number of failed attempts after which a delivery fails.
	MaxFailures = 8
	// MaxAttempts is the number of attempts after which a delivery fails even if their outcomes
	// are unknown. Otherwise a delivery that crashes the process would crash it forever.
	MaxAttempts = 24
	// Lease is how long a claim reserves a delivery for one process. An attempt and the writing
	// of its outcome take less time.
	Lease = 30 * time.Second

	// MaxRetryWait bounds the wait for the next attempt, Retry-After and jitter included.
	MaxRetryWait = 24 * time.Hour

	// RotationOverlap is how long after a rotation the previous secret also signs deliveries.
	RotationOverlap = 24 * time.Hour
	// DisableAfter is how long an endpoint must have been failing before it is disabled.
	DisableAfter = 5 * 24 * time.Hour
	// MaxHeldAge is the greatest age at which a held delivery is still sent. An older one fails
	// when its endpoint resumes.
	MaxHeldAge = 3 * 24 * time.Hour
	// ReleaseSpread is the time over which held deliveries are sent after their endpoint
	// resumes.
	ReleaseSpread = 30 * time.Second

	// EndpointConcurrency is how many attempts at a healthy endpoint run at a time. A failing
	// endpoint has one at a time.
	EndpointConcurrency = 4
	// PromptAttempts and SlowAttempts bound how many prompt and slow attempts a process runs at
	// a time. An attempt that takes longer than SlowAfter is slow.
	PromptAttempts = 32
	SlowAttempts   = 224
	SlowAfter      = 250 * time.Millisecond
)

// schedule holds the waits after the first failure, the second, and so on.
var schedule = [MaxFailures - 1]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
}

const (
	// minOverloadWait is the shortest wait after a time-out or status 429.
	minOverloadWait = time.Minute
	// jitterShare is the largest part of a wait that jitter adds or subtracts.
	jitterShare = 0.2
)

// Result is how an attempt ended.
type Result struct {
	Code       int // of the response, 0 if there was none
	Problem    Problem
	RetryAfter time.Duration // from the response's header, 0 if it had none
}

// StatusProblem returns the problem of a response with that status. Only 2xx acknowledges a
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

// Consequence returns the consequence of an attempt to deliver to e that ended at the given
// time. failuresBefore counts earlier failed attempts at the same delivery. jitter, in [-1, 1),
// varies the wait before the next one. Failures of a test event do not count against the
// endpoint (docs/api.md, Test event, Automatic disabling).
func (r Result) Consequence(failuresBefore int, test bool, e Endpoint, at time.Time, jitter float64) Consequence {
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
		if mayDisable && e.FailingSince != nil && at.Sub(*e.FailingSince) >= DisableAfter {
			v.Disable = Failing
		}
	default:
		v.Status, v.RetryIn = Pending, r.retryWait(failures, jitter)
	}
	return v
}

// retryWait returns how long to wait after failure n, which counts from 1.
func (r Result) retryWait(n int, jitter float64) time.Duration {
	base := schedule[n-1]
	if (r.Problem == TimedOut || r.Code == http.StatusTooManyRequests) && base < minOverloadWait {
		base, jitter = minOverloadWait, math.Abs(jitter)
	}
	if r.RetryAfter > 0 && (r.Code == http.StatusTooManyRequests || r.Code == http.StatusServiceUnavailable) {
		base = min(max(base, r.RetryAfter), 2*base)
		jitter = math.Abs(jitter) // never earlier than requested
	}
	return base + time.Duration(float64(base)*jitterShare*jitter)
}
