// Package admission bounds how many requests are worked on at a time. Those beyond
// wait, first come first served; those beyond that are turned away at once. No one
// key can have all of the places, running or waiting; the key "" stands for many
// and may.
package admission

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrFull is returned when there is no place to wait either.
var ErrFull = errors.New("too many are waiting already")

// Limits are how many may be let in and may wait, of all and with one key. Running
// 0 is no limit at all.
type Limits struct {
	Running, RunningEach int
	Waiting, WaitingEach int
}

// Gate lets in so many at a time. It is safe for concurrent use, and its memory is
// bounded by its limits.
type Gate struct {
	limits Limits

	mu        sync.Mutex
	total     int
	running   map[string]int
	waiting   *list.List // of *waiter, the first come first
	waitingOf map[string]int
}

type waiter struct {
	key  string
	in   chan struct{} // closed when it is let in
	isIn bool
}

// New returns a gate.
func New(limits Limits) *Gate {
	return &Gate{limits: limits, running: map[string]int{}, waiting: list.New(), waitingOf: map[string]int{}}
}

// Enter waits for a place. The caller leaves it with leave, once. The error is
// ErrFull or wraps ctx's; then nothing has to be left.
func (g *Gate) Enter(ctx context.Context, key string) (leave func(), err error) {
	if g.limits.Running <= 0 {
		return func() {}, nil
	}
	leave = func() { g.leave(key) }
	g.mu.Lock()
	if g.room(key) {
		g.admit(key)
		g.mu.Unlock()
		return leave, nil
	}
	if g.waiting.Len() >= g.limits.Waiting || key != "" && g.waitingOf[key] >= g.limits.WaitingEach {
		g.mu.Unlock()
		return nil, ErrFull
	}
	w := &waiter{key: key, in: make(chan struct{})}
	place := g.waiting.PushBack(w)
	g.waitingOf[key]++
	g.mu.Unlock()
	select {
	case <-w.in:
		return leave, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if w.isIn {
		return leave, nil
	}
	g.call(place)
	return nil, fmt.Errorf("waiting to be let in: %w", ctx.Err())
}

// room reports whether one more of key may run. Whoever waits has no room, so a
// newcomer that has overtakes nobody that could go.
func (g *Gate) room(key string) bool {
	return g.total < g.limits.Running && (key == "" || g.running[key] < g.limits.RunningEach)
}

func (g *Gate) admit(key string) {
	g.total++
	g.running[key]++
}

// call takes a waiter out of the queue.
func (g *Gate) call(place *list.Element) *waiter {
	w := g.waiting.Remove(place).(*waiter)
	if g.waitingOf[w.key]--; g.waitingOf[w.key] == 0 {
		delete(g.waitingOf, w.key)
	}
	return w
}

// leave gives the place to the first that may have it.
func (g *Gate) leave(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.total--
	if g.running[key]--; g.running[key] == 0 {
		delete(g.running, key)
	}
	for place := g.waiting.Front(); place != nil; place = place.Next() {
		if !g.room(place.Value.(*waiter).key) {
			continue
		}
		w := g.call(place)
		g.admit(w.key)
		w.isIn = true
		close(w.in)
		return
	}
}

// Running returns how many are in.
func (g *Gate) Running() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.total
}

// Waiting returns how many wait to be let in.
func (g *Gate) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting.Len()
}
