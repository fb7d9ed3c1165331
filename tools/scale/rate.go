package main

import (
	"time"

	"tarmac/service/access"
)

// tokenLoad describes a token that sends more requests than it may, spread over all
// processes.
type tokenLoad struct {
	perMinute int // allowed
	asked     int // sent per minute
	processes int
	shared    bool          // one count as on PostgreSQL; otherwise one per process
	ahead     time.Duration // by how much the first process's clock is ahead
	crash     time.Duration // when the server loses its counts; 0 means never
	length    time.Duration
}

// rateResult is the number of requests that all processes allowed, and the number that a
// single process with a correct clock would have allowed.
type rateResult struct{ got, due int }

// simulateRate runs the service's own limiter against a simulated shared count.
func simulateRate(seed uint64, a tokenLoad) (g rateResult) {
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

// allowance is a token's row in that table, zero if there is none.
type allowance struct{ whole time.Duration }

// maxClockSkew is store.maxClockSkew.
const maxClockSkew = 5 * time.Second

// take does what the SQL of store.TakeAllowance does.
func (a *allowance) take(at, period, window time.Duration) (debt time.Duration) {
	if next := max(a.whole, at) + period; next <= at+window {
		a.whole = next
		return next - at
	}
	if a.whole > at+window+maxClockSkew {
		a.whole = at + period
		return period
	}
	return max(a.whole+period, at+window+time.Microsecond) - at
}
