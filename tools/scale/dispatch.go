package main

import (
	"cmp"
	"slices"
	"time"

	"tarmac/service/webhooks"
)

// costs are what dispatching takes of the machine that holds the database and of
// the wire.
type costs struct {
	cores             int           // of the machine
	look, lookEach    time.Duration // a round's look, and more for each endpoint that waits
	begin, write      time.Duration // a transaction until it claims, and after that, the disk included
	claim, settle     time.Duration // more for each delivery in it
	post              time.Duration // of a core, for one attempt
	tell              time.Duration // until other processes hear that something was queued; 0 is one machine
	poll              time.Duration
	answer            time.Duration // of a receiver, on average
	timeout           time.Duration
	lease             time.Duration
	patient           time.Duration // how long a delivery waits for the process its endpoint is dealt to
	prompt, slowPlace int
}

// traffic is what is to be delivered.
type traffic struct {
	processes                int
	organizations, endpoints int // endpoints of each organization
	hanging                  int // of all endpoints, the first
	every                    time.Duration
	events                   int // at most; 0 is no bound
	atOnce                   bool
	warm                     time.Duration // what is queued before this is not counted
	length                   time.Duration // nothing is queued after this
	ends                     time.Duration
	killed, cutOff           time.Duration // when the last process dies, and the one before loses the database; 0 is never
	restored                 time.Duration // when that one has it back
}

// dispatched is what came of it. Times are from the commit that queued a delivery to
// the start of the attempt that was acknowledged, of endpoints that answer.
type dispatched struct {
	queued, acknowledged int
	waits                []time.Duration
	done                 time.Duration // when the last was acknowledged
	repeated             int           // deliveries that reached their receiver more than once
	together             int           // deliveries that two processes had on the wire at once
	rounds, empty        int           // transactions, and those that got nothing
	recovered            time.Duration // from the last trouble until what was left behind was acknowledged
	attempts             int
}

type delivery struct {
	n, endpoint     int
	queued, due     time.Duration
	attempt, failed int
	status          webhooks.DeliveryStatus
	wire            int // attempts on it now
	arrived         int
	orphan          bool // the process that had it died or was cut off
}

// receiver is an endpoint.
type receiver struct {
	hangs   bool
	pending []*delivery // by due time
	state   webhooks.Endpoint
}

type dispatching struct {
	*agenda
	costs
	traffic
	dispatched
	cpu       *servers
	receivers []*receiver
	waiting   []int // endpoints that something waits for, ascending
	all       []*process
	n         int
}

// epoch is the moment that simulated time begins at, for rules that take one.
var epoch = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// simulateDispatch runs traffic through processes.
func simulateDispatch(seed uint64, c costs, t traffic) dispatched {
	s := &dispatching{agenda: newAgenda(seed), costs: c, traffic: t}
	s.cpu = newServers(s.agenda, c.cores)
	for i := range t.organizations * t.endpoints {
		s.receivers = append(s.receivers, &receiver{hangs: i < t.hanging, state: webhooks.Endpoint{Status: webhooks.Active}})
	}
	for i := range t.processes {
		p := &process{dispatching: s, number: i, lanes: map[int]*lane{}}
		s.all = append(s.all, p)
		s.after(0, p.wake)
	}
	if t.atOnce {
		s.after(t.every, func() {
			for i := range t.events {
				s.queueAt(i % t.organizations)
			}
			s.ring(0)
		})
	} else {
		s.arrive(t.events)
	}
	s.trouble()
	s.run(t.ends)
	return s.dispatched
}

func (s *dispatching) trouble() {
	last := s.all[len(s.all)-1]
	if s.killed > 0 {
		s.after(s.killed, func() {
			last.dead = true
			for _, f := range last.flights {
				f.orphan = true
				if f.onWire {
					f.wire--
				}
			}
			for _, o := range last.outcomes {
				o.orphan = true
			}
		})
	}
	if s.cutOff > 0 {
		cut := s.all[len(s.all)-2]
		s.after(s.cutOff, func() {
			cut.cut = true
			for _, f := range cut.flights {
				f.orphan = true
			}
		})
		s.after(s.restored, func() {
			cut.cut = false
			cut.wake()
		})
	}
}

func (s *dispatching) arrive(left int) {
	s.after(s.exponential(s.every), func() {
		if s.now > s.length {
			return
		}
		s.queueAt(s.rand.IntN(s.organizations))
		s.ring(s.rand.IntN(s.processes))
		if left != 1 {
			s.arrive(left - 1)
		}
	})
}

// queueAt queues an event for all endpoints of an organization.
func (s *dispatching) queueAt(org int) {
	for i := range s.endpoints {
		e := org*s.endpoints + i
		s.n++
		if !s.receivers[e].hangs && s.now >= s.warm {
			s.queued++
		}
		s.put(&delivery{n: s.n, endpoint: e, queued: s.now, due: s.now, status: webhooks.Pending})
	}
}

// put has a delivery wait at its endpoint, in the order in which they fall due.
func (s *dispatching) put(d *delivery) {
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

func (s *dispatching) take(d *delivery) {
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

// ring wakes the process that queued, and then the others.
func (s *dispatching) ring(by int) {
	for i, p := range s.all {
		if i == by {
			p.wake()
			continue
		}
		s.after(s.tell, p.wake)
	}
}

// settle is what the database does with an outcome: it takes it from the holder of
// the attempt's number alone.
func (s *dispatching) settle(o *outcome) {
	d, r := o.delivery, s.receivers[o.endpoint]
	if d.status != webhooks.Pending || d.attempt != o.number {
		return
	}
	v := o.result.Judge(d.failed, false, r.state, epoch.Add(s.now), 2*s.rand.Float64()-1)
	s.take(d)
	d.status = v.Status
	switch {
	case v.ClockStarts && r.state.FailingSince == nil:
		at := epoch.Add(s.now)
		r.state.FailingSince = &at
	case v.ClockStops:
		r.state.FailingSince = nil
	}
	switch v.Status {
	case webhooks.Pending:
		d.failed++
		d.due = s.now + v.RetryIn
		s.put(d)
	case webhooks.Delivered:
		if d.queued < s.warm {
			return
		}
		s.acknowledged++
		s.waits = append(s.waits, o.sent-d.queued)
		s.done = s.now
		if d.arrived > 1 {
			s.repeated++
		}
		if d.orphan {
			s.recovered = s.now - max(s.killed, s.cutOff)
		}
	}
}
