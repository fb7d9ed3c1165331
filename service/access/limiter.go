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
	perMinute int
	period    time.Duration // time between two requests at the limit
	burst     int
}

// NewRate returns a rate of perMinute requests a minute. If perMinute is 0 or less, it allows every
// request.
func NewRate(perMinute int) Rate {
	if perMinute <= 0 {
		return Rate{}
	}
	period := max(1, time.Minute/time.Duration(perMinute))
	return Rate{perMinute: perMinute, period: period, burst: min(perMinute, MaxBurst)}
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

// NewLimiter returns a limiter that allows each key perMinute requests a minute. If perMinute is 0
// or less, the limiter allows every request.
func NewLimiter(perMinute int) *Limiter {
	return &Limiter{Rate: NewRate(perMinute), current: map[string]time.Time{}}
}

// longestWindow is the longest window that Rate.Bounds returns.
const longestWindow = time.Minute

// Decision says whether a request is allowed, and what is left of its key's limit.
type Decision struct {
	Allowed   bool
	Limited   bool // false if the number of requests is not limited
	PerMinute int  // the limit, in requests a minute
	Remaining int  // number of further requests that are allowed now
	// Wait is the time until Remaining increases by one. If the request is not allowed, it is the
	// time until a request is allowed.
	Wait time.Duration
}

// Take decides whether a request of key is allowed at the time now. An allowed request counts
// against the key's limit; a refused one does not.
func (l *Limiter) Take(key string, now time.Time) Decision { return l.TakeAt(l.Rate, key, now) }

// TakeAt is Take for a key that has a rate of its own, which may change.
func (l *Limiter) TakeAt(rate Rate, key string, now time.Time) Decision {
	if rate.perMinute <= 0 {
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
	_, window := rate.Bounds()
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

// Bounds returns the constants of the rate: each request adds period to a key's debt, which may not
// exceed window. Both are 0 if requests are not limited.
func (r Rate) Bounds() (period, window time.Duration) {
	return r.period, r.period * time.Duration(r.burst)
}

// Decide returns the decision on a request that would raise its key's debt (see Bounds) to debt. It
// serves callers that store the debts themselves, for example in a database.
func (r Rate) Decide(debt time.Duration) Decision {
	_, window := r.Bounds()
	if debt > window {
		return Decision{Limited: true, PerMinute: r.perMinute, Wait: debt - window}
	}
	remaining := int((window - debt) / r.period)
	// One more request is allowed as soon as the debt is small enough for remaining+1 requests.
	wait := debt - (window - time.Duration(remaining+1)*r.period)
	return Decision{Allowed: true, Limited: true, PerMinute: r.perMinute, Remaining: remaining, Wait: wait}
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
