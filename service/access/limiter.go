package access

import (
	"sync"
	"time"
)

// MaxBurst is the most requests that may come at once.
const MaxBurst = 60

// maxTracked bounds how many keys each generation of a limiter remembers.
const maxTracked = 1 << 16

// Limiter limits the requests of each key to so many a minute, with bursts of up to MaxBurst. It
// remembers one time for each key (generic cell rate algorithm). It is safe for concurrent use. Its
// memory is bounded: it forgets keys that were not seen for a while, which have their whole
// allowance again.
type Limiter struct {
	perMinute int
	period    time.Duration // between requests at the allowed rate
	burst     int

	mu       sync.Mutex
	current  map[string]time.Time // when each key's debt is paid off
	previous map[string]time.Time // the generation before
	rotated  time.Time
}

// NewLimiter returns a limiter. If perMinute is 0 or less there is no limit.
func NewLimiter(perMinute int) *Limiter {
	l := &Limiter{perMinute: perMinute, burst: min(perMinute, MaxBurst), current: map[string]time.Time{}}
	if perMinute > 0 {
		l.period = max(1, time.Minute/time.Duration(perMinute))
	}
	return l
}

// Decision is whether a request is allowed.
type Decision struct {
	Allowed   bool
	Limited   bool          // false if there is no limit at all
	PerMinute int           // the limit
	Remaining int           // how many more requests are allowed now
	Wait      time.Duration // until one more than Remaining is allowed
}

// Take decides on a request of key at now, and counts it if it is allowed.
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
		// The clock was ahead and has been set back.
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

// Bounds returns how much each request adds to a key's debt, and the largest debt allowed. Both
// are 0 if there is no limit.
func (l *Limiter) Bounds() (period, window time.Duration) {
	return l.period, l.period * time.Duration(l.burst)
}

// Decide decides on a request that would leave its key with a debt, for debts that are kept outside
// of the limiter.
func (l *Limiter) Decide(debt time.Duration) Decision {
	_, window := l.Bounds()
	if debt > window {
		return Decision{Limited: true, PerMinute: l.perMinute, Wait: debt - window}
	}
	remaining := int((window - debt) / l.period)
	// One more is allowed once the debt leaves room for remaining+1.
	wait := debt - (window - time.Duration(remaining+1)*l.period)
	return Decision{Allowed: true, Limited: true, PerMinute: l.perMinute, Remaining: remaining, Wait: wait}
}

// rotate begins a new generation once a window, or when there are very many keys, and forgets the
// one before the last. A flood of keys costs history, not memory.
func (l *Limiter) rotate(now time.Time) {
	if now.Sub(l.rotated) < l.period*time.Duration(l.burst) && len(l.current) < maxTracked {
		return
	}
	l.previous, l.current, l.rotated = l.current, make(map[string]time.Time, len(l.current)), now
}
