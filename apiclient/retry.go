package apiclient

import (
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// Policy is how reads are repeated: at most Tries attempts, with a random pause
// before each that may grow from Base, doubling, to Max.
type Policy struct {
	Tries     int
	Base, Max time.Duration
	// Countdown gives back at once what the server asked to wait for after a 429, for
	// callers that show a countdown and ask again by themselves. Else the call waits
	// as long as it has time.
	Countdown bool
}

// DefaultRetry is what a client does unless told otherwise; CountdownRetry is the
// same with Countdown; NoRetry asks once.
var (
	DefaultRetry   = Policy{Tries: 3, Base: 250 * time.Millisecond, Max: 4 * time.Second}
	CountdownRetry = Policy{Tries: 3, Base: 250 * time.Millisecond, Max: 4 * time.Second, Countdown: true}
	NoRetry        = Policy{Tries: 1}
)

// pause returns how long to wait after the given attempt failed with err, and
// whether to try again at all. left is what remains of the call's time.
func (p Policy) pause(attempt int, err error, left time.Duration) (time.Duration, bool) {
	if attempt >= p.Tries || !repeatable(err, attempt) || p.Countdown && errors.Is(err, ErrRateLimited) {
		return 0, false
	}
	// Full jitter: clients that failed together do not come back together.
	wait := rand.N(max(1, p.ceiling(attempt)))
	var refusal *Error
	if errors.As(err, &refusal) && refusal.RetryAfter > wait {
		wait = refusal.RetryAfter
	}
	return wait, wait < left
}

func (p Policy) ceiling(attempt int) time.Duration {
	d := p.Base
	for range attempt - 1 {
		if d >= p.Max/2 {
			return p.Max
		}
		d *= 2
	}
	return min(d, p.Max)
}

// repeatable reports whether asking once more may help.
func repeatable(err error, attempt int) bool {
	var (
		refusal     *Error
		network     *NetworkError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &refusal):
		switch refusal.Status {
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
