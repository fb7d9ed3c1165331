package main

import (
	"time"

	"tarmac/service/access"
)

// asking is how a token asks: more than it may, of any process.
type asking struct {
	perMinute int // what it may
	asked     int // a minute
	processes int
	shared    bool          // as on PostgreSQL; otherwise each process counts by itself
	ahead     time.Duration // by how much the first process's clock is
	crash     time.Duration // when the server forgets what was counted; 0 is never
	length    time.Duration
}

// granted is what a token got, of all processes, and what one process with one
// right clock would have let through.
type granted struct{ got, due int }

// simulateRate asks through the service's own limiter, with the shared count beside it.
func simulateRate(seed uint64, a asking) (g granted) {
	s := newAgenda(seed)
	ideal := access.NewLimiter(a.perMinute)
	processes := make([]*access.Limiter, a.processes)
	for i := range processes {
		processes[i] = access.NewLimiter(a.perMinute)
	}
	period, window := ideal.Bounds()
	var count allowance
	var ask func()
	ask = func() {
		if ideal.Take("token", epoch.Add(s.now)).Allowed {
			g.due++
		}
		i := s.rand.IntN(a.processes)
		at := s.now
		if i == 0 {
			at += a.ahead
		}
		d := processes[i].Take("token", epoch.Add(at))
		if d.Allowed && a.shared {
			d = processes[i].Decide(count.take(at, period, window))
		}
		if d.Allowed {
			g.got++
		}
		s.after(s.exponential(time.Minute/time.Duration(a.asked)), ask)
	}
	s.after(0, ask)
	if a.crash > 0 {
		s.after(a.crash, func() { count = allowance{} })
	}
	s.run(a.length)
	return g
}

// allowance is a token's row of the table of that name, zero while there is none.
type allowance struct{ whole time.Duration }

// apart is store.clocksApart.
const apart = 5 * time.Second

// take is what the statements of store.TakeAllowance do.
func (a *allowance) take(at, period, window time.Duration) (debt time.Duration) {
	if next := max(a.whole, at) + period; next <= at+window {
		a.whole = next
		return next - at
	}
	if a.whole > at+window+apart {
		a.whole = at + period
		return period
	}
	return max(a.whole+period, at+window+time.Microsecond) - at
}
