package main

import (
	"cmp"
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// agenda is the queue of events of a simulation, ordered by time. Events of the same time run in
// the order in which they were added, so that simulations are repeatable.
type agenda struct {
	now   time.Duration
	queue entries
	n     int
	rand  *rand.Rand
}

func newAgenda(seed uint64) *agenda { return &agenda{rand: rand.New(rand.NewPCG(seed, 0))} }

type entry struct {
	at time.Duration
	n  int
	do func()
}

type entries []entry

func (e entries) Len() int      { return len(e) }
func (e entries) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e entries) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(e[i].at, e[j].at), cmp.Compare(e[i].n, e[j].n)) < 0
}
func (e *entries) Push(x any) { *e = append(*e, x.(entry)) }
func (e *entries) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

func (a *agenda) after(d time.Duration, do func()) {
	a.n++
	heap.Push(&a.queue, entry{a.now + max(0, d), a.n, do})
}

// run runs all events up to the simulated time end, and advances the time to end.
func (a *agenda) run(end time.Duration) {
	for len(a.queue) > 0 && a.queue[0].at <= end {
		e := heap.Pop(&a.queue).(entry)
		a.now = e.at
		e.do()
	}
	a.now = end
}

// exponential returns a random duration with the given mean, from an exponential distribution. The
// times between independent arrivals have that distribution.
func (a *agenda) exponential(mean time.Duration) time.Duration {
	return time.Duration(a.rand.ExpFloat64() * float64(mean))
}

// varied returns a random duration with the given mean. Half of the mean is fixed, the rest varies.
func (a *agenda) varied(mean time.Duration) time.Duration { return mean/2 + a.exponential(mean/2) }

// servers simulates a number of equal servers, such as the cores of a machine or the connections of
// a pool. Jobs wait in a queue until one of them is free.
type servers struct {
	*agenda
	free    int
	waiting []func()
}

func newServers(a *agenda, n int) *servers { return &servers{agenda: a, free: n} }

// enter calls fn as soon as a server is free. The server is occupied until leave is called.
func (s *servers) enter(fn func()) {
	if s.free == 0 {
		s.waiting = append(s.waiting, fn)
		return
	}
	s.free--
	fn()
}

func (s *servers) leave() {
	if len(s.waiting) == 0 {
		s.free++
		return
	}
	next := s.waiting[0]
	s.waiting = s.waiting[1:]
	s.after(0, next)
}

// work occupies a server for the time d and then calls fn.
func (s *servers) work(d time.Duration, fn func()) {
	s.enter(func() {
		s.after(d, func() {
			s.leave()
			fn()
		})
	})
}

// percentile returns the p-th percentile of the durations, with p from 0 to 100. It returns 0 if
// there are none.
func percentile(durations []time.Duration, p float64) time.Duration {
	if len(durations) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(durations))
	return sorted[min(len(sorted)-1, int(math.Floor(float64(len(sorted))*p/100)))]
}
