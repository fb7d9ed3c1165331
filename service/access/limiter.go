package access

import (
	"sync"
	"time"
)

// MaxBurst is the largest number of requests that a key may make at once.
const MaxBurst = 60

// maxTracked is the number of keys in Limiter.current at which rotate replaces that map, so that a
// flood of keys cannot fill the memory.
const maxTracked = 1 << 16

// Rate is a number of requests a minute, with bursts of up to MaxBurst. It uses the generic cell
// rate algorithm, which stores one time for each key, such as a token: its debt is the time until
// its whole allowance is available again. The zero Rate allows every request.
type Rate struct {
	requestsPerMinute int
	period            time.Duration // time between two requests at the limit
	burst             int
}

// NewRate returns the rate that allows as many requests a minute. If requestsPerMinute is 0 or
// less, it allows every request.
func NewRate(requestsPerMinute int) Rate {
	if requestsPerMinute <= 0 {
		return Rate{}
	}
	period := max(1, time.Minute/time.Duration(requestsPerMinute))
	return Rate{requestsPerMinute: requestsPerMinute, period: period, burst: min(requestsPerMinute, MaxBurst)}
}

// Limiter limits each key to a rate. It is safe for concurrent use. Its memory is bounded: it
// forgets keys that made no request for a while, and their whole allowance is available again.
type Limiter struct {
	Rate

	mu sync.Mutex
	// current holds the time at which each key's whole allowance is available again. previous is
	// the map that current replaced.
	current  map[string]time.Time
	previous map[string]time.Time
	rotated  time.Time
}

// NewLimiter returns a limiter that allows each key as many requests a minute. If requestsPerMinute
// is 0 or less, it allows every request.
func NewLimiter(requestsPerMinute int) *Limiter {
	return &Limiter{Rate: NewRate(requestsPerMinute), current: map[string]time.Time{}}
}

// longestWindow is the longest that Rate.Window returns.
const longestWindow = time.Minute

// Decision says whether a request is allowed, and what is left of its key's limit.
type Decision struct {
	Allowed           bool
	Limited           bool // false if the number of requests is not limited
	RequestsPerMinute int  // the limit, in requests a minute
	Remaining         int  // number of further requests that are allowed now
	// Wait is the time until Remaining increases by one. If the request is not allowed, it is the
	// time until a request is allowed.
	Wait time.Duration
}

// Take decides whether a request of key is allowed at the time now. An allowed request counts
// against the key's limit; a refused one does not.
func (l *Limiter) Take(key string, now time.Time) Decision { return l.TakeAtRate(l.Rate, key, now) }

// TakeAtRate is Take for a key that has a rate of its own, which may change.
func (l *Limiter) TakeAtRate(rate Rate, key string, now time.Time) Decision {
	if rate.requestsPerMinute <= 0 {
		return Decision{Allowed: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rotate(now)
	paidAt, ok := l.current[key]
	if !ok {
		paidAt = l.previous[key]
	}
	if paidAt.Before(now) {
		paidAt = now
	}
	window := rate.Window()
	if paidAt.Sub(now) > window {
		// A time further ahead than window was stored before the system clock was set back, or at
		// another rate.
		paidAt = now.Add(window)
		l.current[key] = paidAt
	}
	debt := paidAt.Sub(now) + rate.period
	d := rate.Decide(debt)
	if d.Allowed {
		l.current[key] = now.Add(debt)
	}
	return d
}

// Period returns what each request adds to its key's debt: the time between two requests at the
// limit. It is 0 if requests are not limited.
func (r Rate) Period() time.Duration { return r.period }

// Window returns the time after which a whole burst is allowed again. No key's debt is larger.
// It is 0 if requests are not limited.
func (r Rate) Window() time.Duration { return r.period * time.Duration(r.burst) }

// Decide returns the decision on a request that would raise its key's debt to debt. It serves
// callers that store the debts themselves, for example in a database.
func (r Rate) Decide(debt time.Duration) Decision {
	window := r.Window()
	if debt > window {
		return Decision{Limited: true, RequestsPerMinute: r.requestsPerMinute, Wait: debt - window}
	}
	remaining := int((window - debt) / r.period)
	// One more request is allowed as soon as the debt is small enough for remaining+1 requests.
	wait := debt - (window - time.Duration(remaining+1)*r.period)
	return Decision{Allowed: true, Limited: true, RequestsPerMinute: r.requestsPerMinute, Remaining: remaining, Wait: wait}
}

// rotate makes l.current the previous map and starts a new one. It does so when the longest window
// of a rate has passed or current has maxTracked keys. A flood of keys therefore makes the limiter
// forget debts instead of filling the memory.
func (l *Limiter) rotate(now time.Time) {
	if now.Sub(l.rotated) < longestWindow && len(l.current) < maxTracked {
		return
	}
	l.previous, l.current, l.rotated = l.current, make(map[string]time.Time, len(l.current)), now
}
