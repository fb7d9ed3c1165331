package main

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"tarmac/service/webhooks"
)

// process simulates a process that delivers webhooks. Like service/outbox, it runs one round of
// claiming and completing deliveries at a time.
type process struct {
	*dispatchSimulation
	number     int
	states     map[int]*endpointState
	inProgress []*attempt
	slow       int
	outcomes   []*outcome
	busy       bool // true while a round is running
	again      bool // true if another round must follow the current one
	timer      int  // number of the current timer; older timers are ignored
	dead       bool
	cut        bool // true if the process has lost the database
}

type endpointState struct {
	inFlight int
	proven   bool
	served   time.Duration
}

type attempt struct {
	*delivery
	state  *endpointState
	number int // position among the attempts at the delivery, from 1
	slow   bool
	begun  time.Duration
	posted bool
	sent   time.Duration // time at which the request was sent
}

type outcome struct {
	*attempt
	result webhooks.Result
}

type candidate struct {
	endpoint int
	at       time.Duration
	failing  bool
	state    *endpointState
	room     int
}

// wake starts a round now. If a round is running, another follows it.
func (p *process) wake() {
	if p.again = p.busy; !p.busy && !p.dead && !p.cut {
		p.round()
	}
}

// round looks for due deliveries, completes finished attempts, claims as many deliveries as there
// are free slots, and sends them after the commit.
func (p *process) round() {
	p.busy = true
	p.markSlow()
	p.cpu.work(p.scan+time.Duration(len(p.waiting))*p.scanEach, func() {
		turns, next := p.candidates()
		finished := p.outcomes
		p.outcomes = nil
		if len(turns)+len(finished) == 0 {
			p.endRound(next)
			return
		}
		p.rounds++
		p.cpu.work(time.Duration(len(finished))*p.completion, func() {
			p.after(p.begin, func() { p.commitClaims(turns, finished, next) })
		})
	})
}

func (p *process) commitClaims(turns []*candidate, finished []*outcome, next time.Duration) {
	claimed := p.claim(turns)
	if len(claimed)+len(finished) == 0 {
		p.empty++
	}
	p.cpu.work(time.Duration(len(claimed))*p.costs.claim, func() {
		p.after(p.varied(p.write), func() {
			if p.dead || p.cut {
				for _, f := range claimed {
					f.abandoned = true
				}
				p.outcomes = append(finished, p.outcomes...)
				p.busy = false
				return
			}
			for _, o := range finished {
				p.complete(o)
			}
			for _, f := range claimed {
				p.send(f)
			}
			p.endRound(next)
		})
	})
}

// endRound ends a round and schedules the next one. nextDue is when another delivery is due.
func (p *process) endRound(nextDue time.Duration) {
	p.busy = false
	if p.dead || p.cut {
		return
	}
	if p.again || len(p.outcomes) > 0 {
		p.again = false
		p.after(0, p.wake)
		return
	}
	wait := p.poll
	if nextDue > 0 {
		wait = min(wait, nextDue-p.now)
	}
	if p.free(false) == 0 && p.free(true) > 0 {
		for _, f := range p.inProgress {
			if !f.slow {
				wait = min(wait, f.begun+webhooks.SlowAfter-p.now)
				break
			}
		}
	}
	p.timer++
	mine := p.timer
	p.after(wait, func() {
		if mine == p.timer {
			p.wake()
		}
	})
}

func (p *process) free(slow bool) int {
	if slow {
		return p.slowPlace - p.slow
	}
	return max(0, p.prompt-(len(p.inProgress)-p.slow))
}

func (p *process) markSlow() {
	for _, f := range p.inProgress {
		if !f.slow && p.free(true) > 0 && p.now-f.begun >= webhooks.SlowAfter {
			f.slow = true
			p.slow++
		}
	}
}

// candidates returns the endpoints for which deliveries may be claimed now, in the order of
// service/outbox: fewest attempts in progress first, then those that have waited longest. next is
// the earliest time at which a delivery of another endpoint is due.
func (p *process) candidates() (found []*candidate, next time.Duration) {
	for _, e := range p.waiting {
		r := p.receivers[e]
		at := r.pending[0].due
		if p.handoverDelay > 0 && e%p.processes != p.number {
			at += p.handoverDelay
		}
		if at > p.now {
			if next == 0 || at < next {
				next = at
			}
			continue
		}
		l := p.states[e]
		if l == nil {
			l = &endpointState{}
			p.states[e] = l
		}
		failing := r.state.FailingSince != nil
		most := 1
		if l.proven && !failing {
			most = webhooks.EndpointConcurrency
		}
		if room := most - l.inFlight; room > 0 && p.free(failing) > 0 {
			found = append(found, &candidate{endpoint: e, at: at, failing: failing, state: l, room: room})
		}
	}
	slices.SortFunc(found, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.state.inFlight, b.state.inFlight), cmp.Compare(a.state.served, b.state.served),
			cmp.Compare(a.at, b.at), cmp.Compare(a.endpoint, b.endpoint))
	})
	return found, next
}

// claim assigns free slots to endpoints like service/outbox, and leases the claimed deliveries.
// Deliveries that another process has leased are not due.
func (p *process) claim(turns []*candidate) (claimed []*attempt) {
	for _, failing := range [...]bool{false, true} {
		free := p.free(failing)
		for level := range webhooks.EndpointConcurrency {
			for _, t := range turns {
				if t.failing != failing || free == 0 || t.room == 0 || t.state.inFlight > level {
					continue
				}
				d := p.receivers[t.endpoint].pending[0]
				t.state.served = p.now
				if d.due > p.now {
					t.room = 0
					continue
				}
				p.dequeue(d)
				d.due = p.now + p.lease
				d.attempt++
				p.enqueue(d)
				claimed = append(claimed, &attempt{delivery: d, state: t.state, number: d.attempt, slow: failing})
				t.room--
				free--
			}
		}
	}
	return claimed
}

// send makes one attempt at a delivery.
func (p *process) send(f *attempt) {
	f.begun = p.now
	f.state.inFlight++
	if f.slow {
		p.slow++
	}
	p.inProgress = append(p.inProgress, f)
	r := p.receivers[f.endpoint]
	p.cpu.work(p.post, func() {
		if p.dead {
			return
		}
		f.sent, f.posted = p.now, true
		p.attempts++
		if f.inFlight > 0 {
			p.concurrent++
		}
		f.inFlight++
		delay, result := p.timeout, webhooks.Result{Problem: webhooks.TimedOut}
		if !r.hangs {
			f.received++
			if answer := p.varied(p.responseTime); answer < p.timeout {
				delay, result = answer, webhooks.Result{Code: http.StatusOK}
			}
		}
		p.after(delay, func() { p.finish(f, result) })
	})
}

func (p *process) finish(f *attempt, result webhooks.Result) {
	if p.dead {
		return
	}
	f.inFlight--
	p.inProgress = slices.DeleteFunc(p.inProgress, func(other *attempt) bool { return other == f })
	if f.slow {
		p.slow--
	}
	f.state.inFlight--
	f.state.proven = result.Problem == webhooks.NoProblem
	p.outcomes = append(p.outcomes, &outcome{f, result})
	p.wake()
}
