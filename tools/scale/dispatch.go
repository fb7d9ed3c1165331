package main

import (
	"cmp"
	"slices"
	"time"

	"tarmac/service/webhooks"
)

// costs describes a simulated database machine and its network, and how long each part of
// delivering webhooks takes.
type costs struct {
	cores int // cores of the database machine
	// Looking for due deliveries takes the CPU time scan, and scanEach more for each waiting
	// endpoint.
	scan, scanEach time.Duration
	// A transaction takes the time begin before it claims deliveries, and write after that,
	// including the disk.
	begin, write      time.Duration
	claim, completion time.Duration // CPU time for each claimed and each completed delivery
	post              time.Duration // CPU time for each attempt
	// notifyDelay is the time until other processes are notified of a queued event; 0 on one
	// machine.
	notifyDelay  time.Duration
	poll         time.Duration
	responseTime time.Duration // mean response time of a receiver
	timeout      time.Duration
	lease        time.Duration
	// handoverDelay is how long other processes leave a delivery to the process that serves its
	// endpoint.
	handoverDelay     time.Duration
	prompt, slowPlace int
}

// traffic describes the events that are queued in a simulation, the endpoints that receive them,
// and the failures of processes.
type traffic struct {
	processes                int
	organizations, endpoints int // endpoints of each organization
	hanging                  int // number of endpoints that never respond
	every                    time.Duration
	events                   int // largest number of events; 0 means no limit
	atOnce                   bool
	warm                     time.Duration // deliveries queued before this time are not counted
	length                   time.Duration // simulated time after which nothing is queued
	ends                     time.Duration
	killed,
	// killed is when the last process crashes, and cutOff when the second to last loses the
	// database; 0 means never.
	cutOff time.Duration
	restored time.Duration // when the second to last process reaches the database again
}

// dispatchResult is the result of simulateDispatch.
type dispatchResult struct {
	queued, acknowledged int
	// waits holds, for each acknowledged delivery, the time from the commit that queued it to the
	// start of its successful attempt. Endpoints that never respond are left out.
	waits         []time.Duration
	done          time.Duration // time at which the last delivery was acknowledged
	repeated      int           // number of deliveries that were received more than once
	concurrent    int           // number of deliveries that two processes sent at the same time
	rounds, empty int           // numbers of transactions, and of transactions without a delivery
	// recovered is the time from the last failure of a process until all deliveries that it
	// interrupted were acknowledged.
	recovered time.Duration
	attempts  int
}

type delivery struct {
	n, endpoint     int
	queued, due     time.Duration
	attempt, failed int
	status          webhooks.DeliveryStatus
	inFlight        int // number of attempts in progress
	received        int
	abandoned       bool // true if the process that claimed it crashed or lost the database
}

// receiver is a simulated endpoint.
type receiver struct {
	hangs   bool
	pending []*delivery // ordered by due time
	state   webhooks.Endpoint
}

type dispatchSimulation struct {
	*agenda
	costs
	traffic
	dispatchResult
	cpu       *servers
	receivers []*receiver
	waiting   []int // indexes of endpoints with pending deliveries, ascending
	all       []*process
	n         int
}

// epoch is the date of the simulated time 0, for rules of the service that need a date.
var epoch = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// simulateDispatch simulates how processes deliver the events of t to webhook endpoints. The same
// seed gives the same result.
func simulateDispatch(seed uint64, c costs, t traffic) dispatchResult {
	s := &dispatchSimulation{agenda: newAgenda(seed), costs: c, traffic: t}
	s.cpu = newServers(s.agenda, c.cores)
	for i := range t.organizations * t.endpoints {
		s.receivers = append(s.receivers, &receiver{hangs: i < t.hanging, state: webhooks.Endpoint{Status: webhooks.Active}})
	}
	for i := range t.processes {
		p := &process{dispatchSimulation: s, number: i, states: map[int]*endpointState{}}
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
			for _, f := range last.inProgress {
				f.abandoned = true
				if f.posted {
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
			for _, f := range cut.inProgress {
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

// queueAt queues an event for all endpoints of the organization with the index org.
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

// enqueue adds a delivery to the pending ones of its endpoint, ordered by due time.
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

// notify wakes the process with the given index, which queued an event, and later the other
// processes.
func (s *dispatchSimulation) notify(index int) {
	for i, p := range s.all {
		if i == index {
			p.wake()
			continue
		}
		s.after(s.notifyDelay, p.wake)
	}
}

// complete records the outcome of an attempt. Like the service's database, it ignores the outcome
// if the delivery has been claimed again meanwhile.
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
