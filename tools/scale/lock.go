package main

import (
	"math"
	"time"
)

// database holds the costs of a commit, as measured for docs/scale.md. A transaction needs CPU
// time, most of it under the organization's lock, several network round trips, and a flush of the
// write-ahead log. Transactions that end at the same time share a flush.
type database struct {
	cores  int
	work   time.Duration // CPU time of a commit
	flush  time.Duration // time to flush the write-ahead log to disk
	trip   time.Duration // network time of a round trip to the server
	trips  int           // round trips in a transaction
	locked int           // round trips under the organization's lock
	wake   time.Duration // time from the release of a lock until the next transaction continues
}

// load describes the transactions that organizations commit in a simulation.
type load struct {
	processes, connections int // connections that each process has for writing
	// each is the largest number of concurrent requests of an organization to a process; 0 means no
	// limit.
	each          int
	organizations int
	writers       int // number of writers that commit without a pause
	crowd         int // number of further such writers, all of the first organization
	// every is the mean time between commits of all organizations except the first; 0 means that
	// they do not commit.
	every time.Duration
	// first is the mean time between commits of the first organization; 0 means that it does not
	// commit.
	first time.Duration
	// patience is the longest wait for the lock, after which a commit is refused; 0 means no limit.
	patience time.Duration
	length   time.Duration
}

// commits is the result of simulateLocks. hot and refused are those of the first organization, cold
// and lost those of the others.
type commits struct {
	hot, cold     []time.Duration // times from request to response
	refused, lost int             // numbers of refused commits
	flushes       int
}

type lockSimulation struct {
	*agenda
	database
	load
	commits
	cpu      *servers
	pools    []*servers
	slots    map[[2]int]*servers // limits of concurrent requests, keyed by process and organization
	locks    []*servers
	flushing bool
	pending  []func() // called after the next flush of the log
}

// simulateLocks simulates how transactions wait for connections, locks and the log of a database.
// The same seed gives the same result.
func simulateLocks(seed uint64, db database, l load) commits {
	s := &lockSimulation{agenda: newAgenda(seed), database: db, load: l, slots: map[[2]int]*servers{}}
	s.cpu = newServers(s.agenda, db.cores)
	for range l.processes {
		s.pools = append(s.pools, newServers(s.agenda, l.connections))
	}
	for range l.organizations {
		s.locks = append(s.locks, newServers(s.agenda, 1))
	}
	for w := range l.writers {
		s.commitRepeatedly(w%l.processes, l.organizations-1-w%l.organizations)
	}
	for w := range l.crowd {
		s.commitRepeatedly(w%l.processes, 0)
	}
	if l.first > 0 {
		s.arrive(l.first, func() int { return 0 })
	}
	if l.every > 0 {
		s.arrive(l.every, func() int { return 1 + s.rand.IntN(l.organizations-1) })
	}
	s.run(l.length)
	return s.commits
}

func (s *lockSimulation) commitRepeatedly(process, org int) {
	s.commit(process, org, func() { s.commitRepeatedly(process, org) })
}

func (s *lockSimulation) arrive(mean time.Duration, which func() int) {
	s.after(s.exponential(mean), func() {
		s.commit(s.rand.IntN(s.processes), which(), func() {})
		s.arrive(mean, which)
	})
}

// commit simulates a transaction of store.Write: it takes a connection and the organization's lock,
// writes, and releases both when the log is flushed. Then it calls fn.
func (s *lockSimulation) commit(process, org int, fn func()) {
	began := s.now
	before := s.database.work * time.Duration(s.trips-s.locked) / time.Duration(s.trips)
	s.requestSlots(process, org).enter(func() {
		s.pools[process].enter(func() {
			s.roundTrips(before, s.trips-s.locked, func() {
				asked := s.now
				s.locks[org].enter(func() {
					wake := s.wake
					if s.now == asked {
						wake = 0
					}
					end := func(kept bool) {
						s.locks[org].leave()
						s.pools[process].leave()
						s.requestSlots(process, org).leave()
						s.record(org, s.now-began, kept)
						fn()
					}
					if s.patience > 0 && s.now-began > s.patience {
						end(false)
						return
					}
					s.after(s.varied(wake), func() {
						s.roundTrips(s.database.work-before, s.locked, func() { s.flushed(func() { end(true) }) })
					})
				})
			})
		})
	})
}

func (s *lockSimulation) requestSlots(process, org int) *servers {
	key := [2]int{process, org}
	if s.slots[key] == nil {
		n := s.each
		if n == 0 {
			n = math.MaxInt // without a limit, only the pool limits concurrent requests
		}
		s.slots[key] = newServers(s.agenda, n)
	}
	return s.slots[key]
}

func (s *lockSimulation) roundTrips(work time.Duration, trips int, then func()) {
	s.cpu.work(s.varied(work), func() { s.after(time.Duration(trips)*s.trip, then) })
}

// flushed calls fn as soon as everything that is logged so far is flushed to disk.
func (s *lockSimulation) flushed(fn func()) {
	s.pending = append(s.pending, fn)
	if s.flushing {
		return
	}
	s.flushing = true
	var next func()
	next = func() {
		group := s.pending
		s.pending = nil
		s.flushes++
		s.after(s.varied(s.flush), func() {
			for _, then := range group {
				then()
			}
			if s.flushing = len(s.pending) > 0; s.flushing {
				next()
			}
		})
	}
	next()
}

func (s *lockSimulation) record(org int, took time.Duration, kept bool) {
	switch {
	case !kept && org == 0:
		s.refused++
	case !kept:
		s.lost++
	case org == 0:
		s.hot = append(s.hot, took)
	default:
		s.cold = append(s.cold, took)
	}
}
