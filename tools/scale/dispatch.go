package main

import (
	"cmp"
	"slices"
	"time"

	"tarmac/service/webhooks"
)

// costs describes the database's machine and the network, and how long the steps of dispatching
// take.
type costs struct {
	cores             int           // cores of the database's machine
	scan, scanEach    time.Duration // CPU time to look for due deliveries, and more per waiting endpoint
	begin, write      time.Duration // time of a transaction before its claims, and after them including the disk
	claim, completion time.Duration // CPU time per claimed and per completed delivery
	post              time.Duration // CPU time of an attempt
	notifyDelay       time.Duration // delay until other processes hear of a queued event; 0 on one machine
	poll              time.Duration
	responseTime      time.Duration // mean response time of a receiver
	timeout           time.Duration
	lease             time.Duration
	handoverDelay     time.Duration // how long a delivery is left to the process of its endpoint
	prompt, slowPlace int
}

// traffic describes the events that are queued, their endpoints and the failures of processes.
type traffic struct {
	processes                int
	organizations, endpoints int // endpoints per organization
	hanging                  int // number of endpoints that never respond
	every                    time.Duration
	events                   int // maximum number; 0 means no limit
	atOnce                   bool
	warm                     time.Duration // time before which queued deliveries are not counted
	length                   time.Duration // time after which nothing is queued
	ends                     time.Duration
	killed,
	cutOff time.Duration // when the last process dies, and when the second last loses the database; 0 means never
	restored time.Duration // when the second last process reaches the database again
}

// dispatchResult is the outcome of a simulation. Waits run from the commit that queued a
// delivery to the start of the successful attempt, for endpoints that respond.
type dispatchResult struct {
	queued, acknowledged int
	waits                []time.Duration
	done                 time.Duration // when the last delivery was acknowledged
	repeated             int           // deliveries received more than once
	concurrent           int           // deliveries sent by two processes at once
	rounds, empty        int           // transactions, and those without a delivery
	recovered            time.Duration // from the last failure to the acknowledgement of the deliveries it interrupted
	attempts             int
}

type delivery struct {
	n, endpoint     int
	queued, due     time.Duration
	attempt, failed int
	status          webhooks.DeliveryStatus
	inFlight        int // attempts in flight
	received        int
	abandoned       bool // whether the process that claimed it died or lost the database
}

// receiver is a simulated endpoint.
type receiver struct {
	hangs   bool
	pending []*delivery // by due time
	state   webhooks.Endpoint
}

type dispatchSimulation struct {
	*agenda
	costs
	traffic
	dispatchResult
	cpu       *servers
	receivers []*receiver
	waiting   []int // endpoints with pending deliveries, ascending
	all       []*process
	n         int
}

// epoch is the start of simulated time, for rules that need a date.
var epoch = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// simulateDispatch simulates how processes deliver traffic.
func simulateDispatch(seed uint64, c costs, t traffic) dispatchResult {
	s := &dispatchSimulation{agenda: newAgenda(seed), costs: c, traffic: t}
	s.cpu = newServers(s.agenda, c.cores)
	for i := range t.organizations * t.endpoints {
		s.receivers = append(s.receivers, &receiver{hangs: i < t.hanging, state: webhooks.Endpoint{Status: webhooks.Active}})
	}
	for i := range t.processes {
		p := &process{dispatchSimulation: s, number: i, lanes: map[int]*lane{}}
		s.all = append(s.all, p)
		s.after(0, p.wake)
	}
	if t.atOnce {
		s.after(t.every, func() {
			for i := range t.events {
				s.queueAt(i % t.organizations)
			}
			s.notify(0)
		})
	} else {
		s.arrive(t.events)
	}
	s.scheduleFailures()
	s.run(t.ends)
	return s.dispatchResult
}

func (s *dispatchSimulation) scheduleFailures() {
	last := s.all[len(s.all)-1]
	if s.killed > 0 {
		s.after(s.killed, func() {
			last.dead = true
			for _, f := range last.flights {
				f.abandoned = true
				if f.onWire {
					f.inFlight--
				}
			}
			for _, o := range last.outcomes {
				o.abandoned = true
			}
		})
	}
	if s.cutOff > 0 {
		cut := s.all[len(s.all)-2]
		s.after(s.cutOff, func() {
			cut.cut = true
			for _, f := range cut.flights {
				f.abandoned = true
			}
		})
		s.after(s.restored, func() {
			cut.cut = false
			cut.wake()
		})
	}
}

func (s *dispatchSimulation) arrive(left int) {
	s.after(s.exponential(s.every), func() {
		if s.now > s.length {
			return
		}
		s.queueAt(s.rand.IntN(s.organizations))
		s.notify(s.rand.IntN(s.processes))
		if left != 1 {
			s.arrive(left - 1)
		}
	})
}

// queueAt queues an event for all endpoints of an organization.
func (s *dispatchSimulation) queueAt(org int) {
	for i := range s.endpoints {
		e := org*s.endpoints + i
		s.n++
		if !s.receivers[e].hangs && s.now >= s.warm {
			s.queued++
		}
		s.enqueue(&delivery{n: s.n, endpoint: e, queued: s.now, due: s.now, status: webhooks.Pending})
	}
}

// enqueue adds a delivery to its endpoint's queue in order of due time.
func (s *dispatchSimulation) enqueue(d *delivery) {
	r := s.receivers[d.endpoint]
	if len(r.pending) == 0 {
		at, _ := slices.BinarySearch(s.waiting, d.endpoint)
		s.waiting = slices.Insert(s.waiting, at, d.endpoint)
	}
	at, _ := slices.BinarySearchFunc(r.pending, d, func(a, b *delivery) int {
		return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.n, b.n))
	})
	r.pending = slices.Insert(r.pending, at, d)
}

func (s *dispatchSimulation) dequeue(d *delivery) {
	r := s.receivers[d.endpoint]
	at := slices.Index(r.pending, d)
	if at < 0 {
		return
	}
	if r.pending = slices.Delete(r.pending, at, at+1); len(r.pending) == 0 {
		at, _ := slices.BinarySearch(s.waiting, d.endpoint)
		s.waiting = slices.Delete(s.waiting, at, at+1)
	}
}

// notify wakes the process that queued an event, and then the others.
func (s *dispatchSimulation) notify(by int) {
	for i, p := range s.all {
		if i == by {
			p.wake()
			continue
		}
		s.after(s.notifyDelay, p.wake)
	}
}

// complete records the outcome of an attempt as the database does: not if the delivery has been
// claimed again meanwhile.
func (s *dispatchSimulation) complete(o *outcome) {
	d, r := o.delivery, s.receivers[o.endpoint]
	if d.status != webhooks.Pending || d.attempt != o.number {
		return
	}
	v := o.result.Consequence(d.failed, false, r.state, epoch.Add(s.now), 2*s.rand.Float64()-1)
	s.dequeue(d)
	d.status = v.Status
	switch {
	case v.StartFailing && r.state.FailingSince == nil:
		at := epoch.Add(s.now)
		r.state.FailingSince = &at
	case v.StopFailing:
		r.state.FailingSince = nil
	}
	switch v.Status {
	case webhooks.Pending:
		d.failed++
		d.due = s.now + v.RetryIn
		s.enqueue(d)
	case webhooks.Delivered:
		if d.queued < s.warm {
			return
		}
		s.acknowledged++
		s.waits = append(s.waits, o.sent-d.queued)
		s.done = s.now
		if d.received > 1 {
			s.repeated++
		}
		if d.abandoned {
			s.recovered = s.now - max(s.killed, s.cutOff)
		}
	}
}
