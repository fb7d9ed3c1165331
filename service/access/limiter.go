package access

import (
	"sync"
	"time"
)

// MaxBurst is how many requests may come at once, at most.
const MaxBurst = 60

// maxTracked bounds how many keys one generation of a limiter remembers.
const maxTracked = 1 << 16

// Limiter lets each key do so many things a minute, and up to MaxBurst of them
// at once. It keeps one time per key (the generic cell rate algorithm). It is
// safe for concurrent use and its memory is bounded: a key not seen for a while
// is as good as new and forgotten.
type Limiter struct {
	perMinute int
	period    time.Duration // from one permitted event to the next
	burst     int

	mu       sync.Mutex
	current  map[string]time.Time // when the key's allowance will be whole again
	previous map[string]time.Time
	turned   time.Time
}

// NewLimiter returns a limiter; perMinute 0 or less is no limit.
func NewLimiter(perMinute int) *Limiter {
	l := &Limiter{perMinute: perMinute, burst: min(perMinute, MaxBurst), current: map[string]time.Time{}}
	if perMinute > 0 {
		l.period = max(1, time.Minute/time.Duration(perMinute))
	}
	return l
}

// Decision is the answer to one request.
type Decision struct {
	Allowed   bool
	Limited   bool          // false when there is no limit at all
	PerMinute int           // what the limit is
	Remaining int           // how many more would be allowed right now
	Wait      time.Duration // until one more than that would be
}

// Take asks for one event of key at now and counts it when it is allowed.
func (l *Limiter) Take(key string, now time.Time) Decision {
	if l.perMinute <= 0 {
		return Decision{Allowed: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turn(now)
	whole, ok := l.current[key]
	if !ok {
		whole = l.previous[key]
	}
	if whole.Before(now) {
		whole = now
	}
	_, window := l.Bounds()
	if whole.Sub(now) > window {
		// That is what a clock leaves that was ahead.
		whole = now.Add(window)
		l.current[key] = whole
	}
	debt := whole.Sub(now) + l.period
	d := l.Decide(debt)
	if d.Allowed {
		l.current[key] = now.Add(debt)
	}
	return d
}

// Bounds returns how much each event adds to a key's debt, and the most that it may
// be; 0 and 0 where there is no limit.
func (l *Limiter) Bounds() (period, window time.Duration) {
	return l.period, l.period * time.Duration(l.burst)
}

// Decide returns the answer to a request that leaves its key with so much debt,
// wherever that is kept.
func (l *Limiter) Decide(debt time.Duration) Decision {
	_, window := l.Bounds()
	if debt > window {
		return Decision{Limited: true, PerMinute: l.perMinute, Wait: debt - window}
	}
	remaining := int((window - debt) / l.period)
	// One more is allowed as soon as the debt leaves room for remaining+1.
	wait := debt - (window - time.Duration(remaining+1)*l.period)
	return Decision{Allowed: true, Limited: true, PerMinute: l.perMinute, Remaining: remaining, Wait: wait}
}

// turn forgets what is two windows old, and earlier when there are very many
// keys: a flood of addresses costs its senders' history, not memory.
func (l *Limiter) turn(now time.Time) {
	if now.Sub(l.turned) < l.period*time.Duration(l.burst) && len(l.current) < maxTracked {
		return
	}
	l.previous, l.current, l.turned = l.current, make(map[string]time.Time, len(l.current)), now
}
