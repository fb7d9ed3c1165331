// Package admission bounds how many requests run at a time. Further requests wait in a queue that
// is fair to groups, such as organizations, and within a group to its members, such as tokens. A
// full queue refuses requests of those who have the most waiting, so that no group and no member
// keeps others out.
package admission

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrFull is returned by Gate.Acquire and Slot.Move if a limit is reached, and also to a request
// that waited and had to make room for one of a group or member with fewer waiting requests.
var ErrFull = errors.New("too many requests are waiting already")

// Limits bounds how many requests run and how many wait, in total, for each group and for each
// member of a group. If Running is 0, nothing is limited.
type Limits struct {
	Running, RunningPerGroup, RunningPerMember int
	Waiting, WaitingPerGroup                   int
}

// Key says whose a request is. Members with the same name in different groups are different.
type Key struct{ Group, Member string }

// Gate is a semaphore with a fair queue. When a request ends, the next one is taken from the group
// that has waited longest for its turn, and in it from the member that has. It is safe for
// concurrent use. Its memory is bounded by Limits.
type Gate struct {
	limits Limits

	mu      sync.Mutex
	running int
	waiting int
	groups  map[string]*group
	turns   *list.List // groups with waiting requests as *group; the next turn is the first one's
}

type group struct {
	name             string
	running, waiting int
	members          map[string]*member
	turns            *list.List // members with waiting requests as *member
	turn             *list.Element
}

type member struct {
	name    string
	running int
	queue   *list.List // waiting requests as *waiter, the oldest first
	turn    *list.Element
}

type waiter struct {
	decided  chan struct{} // closed when the request may start or is refused
	admitted bool
	refused  bool
}

// New returns a gate that enforces limits.
func New(limits Limits) *Gate {
	return &Gate{limits: limits, groups: map[string]*group{}, turns: list.New()}
}

// Slot is the place of a running request.
type Slot struct {
	gate *Gate // nil if nothing is limited
	key  Key
}

// Acquire waits until a request with the given key may run. The caller must call Release once, when
// the request has ended. The error is ErrFull if the queue is full. If ctx ends first, it wraps the
// error of ctx.
func (g *Gate) Acquire(ctx context.Context, key Key) (*Slot, error) {
	if g.limits.Running <= 0 {
		return &Slot{}, nil
	}
	slot := &Slot{g, key}
	g.mu.Lock()
	of, m := g.find(key)
	if g.hasRoom(of, m) {
		g.admit(of, m)
		g.mu.Unlock()
		return slot, nil
	}
	if !g.makeRoom(of, m) {
		g.forget(of, m)
		g.mu.Unlock()
		return nil, ErrFull
	}
	w := &waiter{decided: make(chan struct{})}
	element := g.enqueue(of, m, w)
	g.mu.Unlock()
	select {
	case <-w.decided:
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case w.admitted:
		return slot, nil
	case w.refused:
		return nil, ErrFull
	}
	g.dequeue(of, m, element)
	g.forget(of, m)
	return nil, fmt.Errorf("waiting for others to finish: %w", ctx.Err())
}

// find returns the group and the member of a key, which it adds if necessary. The caller must call
// forget unless the member then has a request.
func (g *Gate) find(key Key) (*group, *member) {
	of := g.groups[key.Group]
	if of == nil {
		of = &group{name: key.Group, members: map[string]*member{}, turns: list.New()}
		g.groups[key.Group] = of
	}
	m := of.members[key.Member]
	if m == nil {
		m = &member{name: key.Member, queue: list.New()}
		of.members[key.Member] = m
	}
	return of, m
}

// forget removes a member and a group that have no requests.
func (g *Gate) forget(of *group, m *member) {
	if m.running == 0 && m.queue.Len() == 0 {
		delete(of.members, m.name)
	}
	if len(of.members) == 0 {
		delete(g.groups, of.name)
	}
}

// hasRoom reports whether the limits allow one more request of the member to run. Whenever a
// request ends, release starts the waiting requests that the limits allow. A new request for which
// hasRoom is true therefore overtakes no waiting request that could run.
func (g *Gate) hasRoom(of *group, m *member) bool {
	return g.running < g.limits.Running && of.running < g.limits.RunningPerGroup &&
		m.running < g.limits.RunningPerMember
}

func (g *Gate) admit(of *group, m *member) {
	g.running++
	of.running++
	m.running++
}

// makeRoom reports whether one more request of the member may wait. If the queue is full, it
// refuses the newest request of the group with the most waiting requests, provided that it still
// has no fewer than the new request's group. Within a group, the same applies to members.
func (g *Gate) makeRoom(of *group, m *member) bool {
	switch {
	case of.waiting >= g.limits.WaitingPerGroup:
		return g.refuseLongest(of, m)
	case g.waiting < g.limits.Waiting:
		return true
	}
	longest := of
	for e := g.turns.Front(); e != nil; e = e.Next() {
		if other := e.Value.(*group); other.waiting > longest.waiting {
			longest = other
		}
	}
	if longest.waiting <= of.waiting+1 {
		return g.refuseLongest(of, m)
	}
	return g.refuseLongest(longest, nil)
}

// refuseLongest makes room in a group: it refuses the newest request of the member with the most
// waiting requests. It refuses nothing and returns false if that member would then have fewer
// waiting requests than newcomer, the member of the new request. newcomer is nil if the new
// request is of another group.
func (g *Gate) refuseLongest(of *group, newcomer *member) bool {
	longest := newcomer
	for e := of.turns.Front(); e != nil; e = e.Next() {
		if m := e.Value.(*member); longest == nil || m.queue.Len() > longest.queue.Len() {
			longest = m
		}
	}
	if longest == nil || newcomer != nil && longest.queue.Len() <= newcomer.queue.Len()+1 {
		return false
	}
	w := g.dequeue(of, longest, longest.queue.Back())
	w.refused = true
	close(w.decided)
	g.forget(of, longest)
	return true
}

func (g *Gate) enqueue(of *group, m *member, w *waiter) *list.Element {
	g.waiting++
	if of.waiting++; of.turn == nil {
		of.turn = g.turns.PushBack(of)
	}
	if m.turn == nil {
		m.turn = of.turns.PushBack(m)
	}
	return m.queue.PushBack(w)
}

func (g *Gate) dequeue(of *group, m *member, element *list.Element) *waiter {
	w := m.queue.Remove(element).(*waiter)
	if m.queue.Len() == 0 {
		of.turns.Remove(m.turn)
		m.turn = nil
	}
	g.waiting--
	if of.waiting--; of.waiting == 0 {
		g.turns.Remove(of.turn)
		of.turn = nil
	}
	return w
}

// startNext starts the waiting request whose turn it is among those that the limits allow, and ends
// the turn of its group and of its member.
func (g *Gate) startNext() {
	for e := g.turns.Front(); e != nil; e = e.Next() {
		of := e.Value.(*group)
		for turn := of.turns.Front(); turn != nil; turn = turn.Next() {
			m := turn.Value.(*member)
			if !g.hasRoom(of, m) {
				continue
			}
			w := g.dequeue(of, m, m.queue.Front())
			if of.turn != nil {
				g.turns.MoveToBack(of.turn)
			}
			if m.turn != nil {
				of.turns.MoveToBack(m.turn)
			}
			g.admit(of, m)
			w.admitted = true
			close(w.decided)
			return
		}
	}
}

// leave ends a request with the given key.
func (g *Gate) leave(key Key) {
	of, m := g.find(key)
	g.running--
	of.running--
	m.running--
	g.forget(of, m)
}

// Release ends the request. It starts the next waiting request that the limits now allow.
func (s *Slot) Release() {
	if s.gate == nil {
		return
	}
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	s.gate.leave(s.key)
	s.gate.startNext()
}

// Move counts the running request for another key. If the limits of that key do not allow it, the
// error is ErrFull and the slot stays as it is.
func (s *Slot) Move(key Key) error {
	if s.gate == nil || key == s.key {
		return nil
	}
	g := s.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	g.leave(s.key)
	of, m := g.find(key)
	if !g.hasRoom(of, m) {
		g.forget(of, m)
		g.admit(g.find(s.key))
		return ErrFull
	}
	g.admit(of, m)
	s.key = key
	g.startNext()
	return nil
}

// Running returns the number of requests that are running.
func (g *Gate) Running() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running
}

// Waiting returns the number of requests in the queue.
func (g *Gate) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting
}
