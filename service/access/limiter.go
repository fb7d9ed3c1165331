package access

import (
	"sync"
	"time"
)

// MaxBurst is the largest number of requests that a key may make at once.
const MaxBurst = 60

// maxTracked is the number of keys at which a generation of a limiter is full.
const maxTracked = 1 << 16

// Limiter limits each key to a number of requests a minute, with bursts of up to MaxBurst. It
// uses the generic cell rate algorithm, which needs one time for each key. It is safe for
// concurrent use. Its memory is bounded: it forgets keys that made no request for a while. These
// have their whole allowance again.
type Limiter struct {
	perMinute int
	period    time.Duration // time between requests at the allowed rate
	burst     int

	mu       sync.Mutex
	current  map[string]time.Time // when each key has its whole allowance again
	previous map[string]time.Time // the generation before current
	rotated  time.Time
}

// NewLimiter returns a limiter of perMinute requests a minute. If perMinute is 0 or less there
// is no limit.
func NewLimiter(perMinute int) *Limiter {
	l := &Limiter{perMinute: perMinute, burst: min(perMinute, MaxBurst), current: map[string]time.Time{}}
	if perMinute > 0 {
		l.period = max(1, time.Minute/time.Duration(perMinute))
	}
	return l
}

// Decision says whether a request is allowed, and what is left of its key's limit.
type Decision struct {
	Allowed   bool
	Limited   bool          // false if there is no limit
	PerMinute int           // the limit, in requests a minute
	Remaining int           // number of further requests that are allowed now
	Wait      time.Duration // time until one more request than Remaining is allowed
}

// Take decides whether a request of key is allowed at the time now, and counts it if so.
func (l *Limiter) Take(key string, now time.Time) Decision {
	if l.perMinute <= 0 {
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
	_, window := l.Bounds()
	if paidAt.Sub(now) > window {
		// The clock was ahead, and has been set back since.
		paidAt = now.Add(window)
		l.current[key] = paidAt
	}
	debt := paidAt.Sub(now) + l.period
	d := l.Decide(debt)
	if d.Allowed {
		l.current[key] = now.Add(debt)
	}
	return d
}

// Bounds returns how much each request adds to a key's debt (the time until it has its whole
// allowance again), and the largest debt that is allowed. Both are 0 if there is no limit.
func (l *Limiter) Bounds() (period, window time.Duration) {
	return l.period, l.period * time.Duration(l.burst)
}

// Decide returns the decision on a request that increases its key's debt to debt. It is for
// debts that are stored outside of the limiter.
func (l *Limiter) Decide(debt time.Duration) Decision {
	_, window := l.Bounds()
	if debt > window {
		return Decision{Limited: true, PerMinute: l.perMinute, Wait: debt - window}
	}
	remaining := int((window - debt) / l.period)
	// A further request is allowed once the debt leaves room for remaining+1 requests.
	wait := debt - (window - time.Duration(remaining+1)*l.period)
	return Decision{Allowed: true, Limited: true, PerMinute: l.perMinute, Remaining: remaining, Wait: wait}
}

// rotate starts a new generation of keys when a window has passed or the current one is full,
// and drops the previous one. So a flood of keys makes the limiter forget debts, but does not
// fill the memory.
func (l *Limiter) rotate(now time.Time) {
	if now.Sub(l.rotated) < l.period*time.Duration(l.burst) && len(l.current) < maxTracked {
		return
	}
	l.previous, l.current, l.rotated = l.current, make(map[string]time.Time, len(l.current)), now
}
