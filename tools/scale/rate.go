package main

import (
	"time"

	"tarmac/service/access"
)

// tokenLoad describes a token that sends more requests than its rate limit allows, spread over all
// processes.
type tokenLoad struct {
	perMinute     int // requests per minute that the rate limit allows
	sentPerMinute int // requests per minute that the client sends
	processes     int
	shared        bool          // true if all processes share one count, as with PostgreSQL
	ahead         time.Duration // time by which the first process's clock is ahead
	crash         time.Duration // when the database server loses its counts; 0 means never
	length        time.Duration
}

// rateResult compares the number of requests that all processes allowed with the number that a
// single process with a correct clock would have allowed.
type rateResult struct{ allowed, expected int }

// simulateRate counts the requests that the service's own rate limiter allows, with a simulated
// count that processes share.
func simulateRate(seed uint64, a tokenLoad) (g rateResult) {
	s := newAgenda(seed)
	ideal := access.NewLimiter(a.perMinute)
	processes := make([]*access.Limiter, a.processes)
	for i := range processes {
		processes[i] = access.NewLimiter(a.perMinute)
	}
	period, window := ideal.Period(), ideal.Window()
	var count allowance
	var send func()
	send = func() {
		if ideal.Take("token", epoch.Add(s.now)).Allowed {
			g.expected++
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
			g.allowed++
		}
		s.after(s.exponential(time.Minute/time.Duration(a.sentPerMinute)), send)
	}
	s.after(0, send)
	if a.crash > 0 {
		s.after(a.crash, func() { count = allowance{} })
	}
	s.run(a.length)
	return g
}

// allowance simulates the row of a token in the table that store.TakeAllowance writes. Its zero
// value stands for a missing row.
type allowance struct{ whole time.Duration }

// maxClockSkew equals the constant with that name in package store. A stored time that is further
// ahead was set by a wrong clock and is replaced.
const maxClockSkew = 5 * time.Second

// take counts a request at the time at, and returns the token's debt. It computes the same as the
// SQL statements of store.TakeAllowance.
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
