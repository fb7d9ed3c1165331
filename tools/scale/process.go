package main

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"tarmac/service/webhooks"
)

// process is a dispatcher: rounds as those of service/outbox, one at a time.
type process struct {
	*dispatching
	number   int
	lanes    map[int]*lane
	flights  []*flight
	slow     int
	outcomes []*outcome
	busy     bool // a round is under way
	again    bool // something happened meanwhile
	asleep   int  // the number of the timer that counts
	dead     bool
	cut      bool // from the database
}

type lane struct {
	flying int
	proven bool
	served time.Duration
}

type flight struct {
	*delivery
	lane   *lane
	number int // of the attempt
	slow   bool
	begun  time.Duration
	onWire bool
	sent   time.Duration // when it was on the wire
}

type outcome struct {
	*flight
	result webhooks.Result
}

type turn struct {
	endpoint int
	at       time.Duration
	failing  bool
	lane     *lane
	room     int
}

// wake has a round made, at once or after the one under way.
func (p *process) wake() {
	if p.again = p.busy; !p.busy && !p.dead && !p.cut {
		p.round()
	}
}

// round looks, settles what has landed, claims what there is room for, and sends
// it when that is on the disk.
func (p *process) round() {
	p.busy = true
	p.sideline()
	p.cpu.work(p.look+time.Duration(len(p.waiting))*p.lookEach, func() {
		turns, next := p.turns()
		settled := p.outcomes
		p.outcomes = nil
		if len(turns)+len(settled) == 0 {
			p.rest(next)
			return
		}
		p.rounds++
		p.cpu.work(time.Duration(len(settled))*p.costs.settle, func() {
			p.after(p.begin, func() { p.claimed(turns, settled, next) })
		})
	})
}

func (p *process) claimed(turns []*turn, settled []*outcome, next time.Duration) {
	claimed := p.claim(turns)
	if len(claimed)+len(settled) == 0 {
		p.empty++
	}
	p.cpu.work(time.Duration(len(claimed))*p.costs.claim, func() {
		p.after(p.varied(p.write), func() {
			if p.dead || p.cut {
				for _, f := range claimed {
					f.orphan = true
				}
				p.outcomes = append(settled, p.outcomes...)
				p.busy = false
				return
			}
			for _, o := range settled {
				p.settle(o)
			}
			for _, f := range claimed {
				p.send(f)
			}
			p.rest(next)
		})
	})
}

// rest ends a round and sets when the next one is made if nothing happens.
func (p *process) rest(next time.Duration) {
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
	if next > 0 {
		wait = min(wait, next-p.now)
	}
	if p.free(false) == 0 && p.free(true) > 0 {
		for _, f := range p.flights {
			if !f.slow {
				wait = min(wait, f.begun+webhooks.SlowAfter-p.now)
				break
			}
		}
	}
	p.asleep++
	mine := p.asleep
	p.after(wait, func() {
		if mine == p.asleep {
			p.wake()
		}
	})
}

func (p *process) free(slow bool) int {
	if slow {
		return p.slowPlace - p.slow
	}
	return max(0, p.prompt-(len(p.flights)-p.slow))
}

func (p *process) sideline() {
	for _, f := range p.flights {
		if !f.slow && p.free(true) > 0 && p.now-f.begun >= webhooks.SlowAfter {
			f.slow = true
			p.slow++
		}
	}
}

// turns is the dispatcher's: who has least on the wire and has waited longest for a
// turn comes first.
func (p *process) turns() (turns []*turn, next time.Duration) {
	for _, e := range p.waiting {
		r := p.receivers[e]
		at := r.pending[0].due
		if p.patient > 0 && e%p.processes != p.number {
			at += p.patient
		}
		if at > p.now {
			if next == 0 || at < next {
				next = at
			}
			continue
		}
		l := p.lanes[e]
		if l == nil {
			l = &lane{}
			p.lanes[e] = l
		}
		failing := r.state.FailingSince != nil
		most := 1
		if l.proven && !failing {
			most = webhooks.EndpointConcurrency
		}
		if room := most - l.flying; room > 0 && p.free(failing) > 0 {
			turns = append(turns, &turn{endpoint: e, at: at, failing: failing, lane: l, room: room})
		}
	}
	slices.SortFunc(turns, func(a, b *turn) int {
		return cmp.Or(cmp.Compare(a.lane.flying, b.lane.flying), cmp.Compare(a.lane.served, b.lane.served),
			cmp.Compare(a.at, b.at), cmp.Compare(a.endpoint, b.endpoint))
	})
	return turns, next
}

// claim gives free slots out as the dispatcher does, and moves what is claimed
// forward by its lease. What another process holds is not due.
func (p *process) claim(turns []*turn) (claimed []*flight) {
	for _, failing := range [...]bool{false, true} {
		free := p.free(failing)
		for level := range webhooks.EndpointConcurrency {
			for _, t := range turns {
				if t.failing != failing || free == 0 || t.room == 0 || t.lane.flying > level {
					continue
				}
				d := p.receivers[t.endpoint].pending[0]
				t.lane.served = p.now
				if d.due > p.now {
					t.room = 0
					continue
				}
				p.take(d)
				d.due = p.now + p.lease
				d.attempt++
				p.put(d)
				claimed = append(claimed, &flight{delivery: d, lane: t.lane, number: d.attempt, slow: failing})
				t.room--
				free--
			}
		}
	}
	return claimed
}

// send makes one attempt.
func (p *process) send(f *flight) {
	f.begun = p.now
	f.lane.flying++
	if f.slow {
		p.slow++
	}
	p.flights = append(p.flights, f)
	r := p.receivers[f.endpoint]
	p.cpu.work(p.post, func() {
		if p.dead {
			return
		}
		f.sent, f.onWire = p.now, true
		p.attempts++
		if f.wire > 0 {
			p.together++
		}
		f.wire++
		took, result := p.timeout, webhooks.Result{Problem: webhooks.TimedOut}
		if !r.hangs {
			f.arrived++
			if answer := p.varied(p.answer); answer < p.timeout {
				took, result = answer, webhooks.Result{Code: http.StatusOK}
			}
		}
		p.after(took, func() { p.land(f, result) })
	})
}

func (p *process) land(f *flight, result webhooks.Result) {
	if p.dead {
		return
	}
	f.wire--
	p.flights = slices.DeleteFunc(p.flights, func(other *flight) bool { return other == f })
	if f.slow {
		p.slow--
	}
	f.lane.flying--
	f.lane.proven = result.Problem == webhooks.NoProblem
	p.outcomes = append(p.outcomes, &outcome{f, result})
	p.wake()
}
