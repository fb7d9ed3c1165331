// Package admission bounds how many requests are in progress at a time. Further ones wait in
// a queue, and are refused if that is full. Each key, such as an organization or an address,
// gets only a share of the slots and of the queue. The key "" has no such limit.
package admission

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrFull is returned if the queue is full.
var ErrFull = errors.New("too many requests are waiting already")

// Limits bounds the requests that run and that wait, in total and for each key. Running 0
// means that nothing is limited.
type Limits struct {
	Running, RunningPerKey int
	Waiting, WaitingPerKey int
}

// Gate is a semaphore with a queue and limits for each key. It is safe for concurrent use.
// Its limits bound its memory.
type Gate struct {
	limits Limits

	mu           sync.Mutex
	total        int
	running      map[string]int
	waiting      *list.List // of *waiter, oldest first
	waitingByKey map[string]int
}

type waiter struct {
	key      string
	ready    chan struct{} // closed when it gets a slot
	admitted bool
}

// New returns a gate.
func New(limits Limits) *Gate {
	return &Gate{limits: limits, running: map[string]int{}, waiting: list.New(), waitingByKey: map[string]int{}}
}

// Acquire waits for a slot. Call release once to free it. The error is ErrFull or wraps that
// of ctx; then there is nothing to release.
func (g *Gate) Acquire(ctx context.Context, key string) (release func(), err error) {
	if g.limits.Running <= 0 {
		return func() {}, nil
	}
	release = func() { g.release(key) }
	g.mu.Lock()
	if g.hasRoom(key) {
		g.admit(key)
		g.mu.Unlock()
		return release, nil
	}
	if g.waiting.Len() >= g.limits.Waiting || key != "" && g.waitingByKey[key] >= g.limits.WaitingPerKey {
		g.mu.Unlock()
		return nil, ErrFull
	}
	w := &waiter{key: key, ready: make(chan struct{})}
	element := g.waiting.PushBack(w)
	g.waitingByKey[key]++
	g.mu.Unlock()
	select {
	case <-w.ready:
		return release, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if w.admitted {
		return release, nil
	}
	g.dequeue(element)
	return nil, fmt.Errorf("waiting for others to finish: %w", ctx.Err())
}

// hasRoom reports whether one more request of key may run. Waiting requests have no room, so
// a new one that has room overtakes none that could run.
func (g *Gate) hasRoom(key string) bool {
	return g.total < g.limits.Running && (key == "" || g.running[key] < g.limits.RunningPerKey)
}

func (g *Gate) admit(key string) {
	g.total++
	g.running[key]++
}

// dequeue takes a waiter out of the queue.
func (g *Gate) dequeue(element *list.Element) *waiter {
	w := g.waiting.Remove(element).(*waiter)
	if g.waitingByKey[w.key]--; g.waitingByKey[w.key] == 0 {
		delete(g.waitingByKey, w.key)
	}
	return w
}

// release frees a slot and gives it to the first waiter that may have it.
func (g *Gate) release(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.total--
	if g.running[key]--; g.running[key] == 0 {
		delete(g.running, key)
	}
	for element := g.waiting.Front(); element != nil; element = element.Next() {
		if !g.hasRoom(element.Value.(*waiter).key) {
			continue
		}
		w := g.dequeue(element)
		g.admit(w.key)
		w.admitted = true
		close(w.ready)
		return
	}
}

// Running returns how many requests have a slot.
func (g *Gate) Running() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.total
}

// Waiting returns how many requests wait for a slot.
func (g *Gate) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting.Len()
}
