package apiclient

import (
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// Policy says how reads are retried: at most Tries requests, with a pause of random length before
// each retry. The first pause is at most Base. The maximum doubles with each further retry, up to
// Max.
type Policy struct {
	Tries     int
	Base, Max time.Duration
	// Countdown makes reads fail at once after a 429 response, instead of waiting. It is meant for
	// callers that show the time until RetryAfter and retry themselves.
	Countdown bool
}

// DefaultRetry is the policy of a client created without WithRetry. CountdownRetry is the same
// policy with Countdown set. With NoRetry, each request is sent once.
var (
	DefaultRetry   = Policy{Tries: 3, Base: 250 * time.Millisecond, Max: 4 * time.Second}
	CountdownRetry = Policy{Tries: 3, Base: 250 * time.Millisecond, Max: 4 * time.Second, Countdown: true}
	NoRetry        = Policy{Tries: 1}
)

// delay returns the pause before the next try. It returns false if the request must not be retried.
// remaining is the time until the timeout of the method call.
func (p Policy) delay(attempt int, err error, remaining time.Duration) (time.Duration, bool) {
	if attempt >= p.Tries || !repeatable(err, attempt) || p.Countdown && errors.Is(err, ErrRateLimited) {
		return 0, false
	}
	// The pause is fully random, so that clients that failed at the same time retry at different
	// times.
	wait := rand.N(max(1, p.longestDelay(attempt)))
	var statusErr *Error
	if errors.As(err, &statusErr) && statusErr.RetryAfter > wait {
		wait = statusErr.RetryAfter
	}
	return wait, wait < remaining
}

func (p Policy) longestDelay(attempt int) time.Duration {
	d := p.Base
	for range attempt - 1 {
		if d >= p.Max/2 {
			return p.Max
		}
		d *= 2
	}
	return min(d, p.Max)
}

// repeatable reports whether a retry may succeed after the try with this number failed with err.
func repeatable(err error, attempt int) bool {
	var (
		statusErr   *Error
		network     *NetworkError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &statusErr):
		switch statusErr.Status {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		case http.StatusInternalServerError:
			return attempt == 1
		}
	case errors.As(err, &network):
		return !errors.As(err, &certificate)
	}
	return false
}
