// Package admission bounds how many requests run at a time. Further requests wait in a queue,
// and are refused while the queue is full. There are limits for all requests together, and
// limits for the requests of each key, such as an organization or an address. The key "" has no
// limits of its own.
package admission

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrFull is returned by Gate.Acquire if the queue is full, or holds as many requests of the key
// as it may.
var ErrFull = errors.New("too many requests are waiting already")

// Limits bounds the requests that run and that wait, in total and for each key. If Running is 0,
// nothing is limited.
type Limits struct {
	Running, RunningPerKey int
	Waiting, WaitingPerKey int
}

// Gate is a semaphore with a queue and with limits for each key. It is safe for concurrent use.
// Its memory is bounded by its limits.
type Gate struct {
	limits Limits

	mu           sync.Mutex
	total        int
	running      map[string]int
	waiting      *list.List // requests in the queue, as *waiter, the oldest first
	waitingByKey map[string]int
}

type waiter struct {
	key      string
	ready    chan struct{} // closed when the request may run
	admitted bool
}

// New returns a gate that lets requests run and wait within limits.
func New(limits Limits) *Gate {
	return &Gate{limits: limits, running: map[string]int{}, waiting: list.New(), waitingByKey: map[string]int{}}
}

// Acquire waits until a request of key may run. The caller must call release once, when the
// request has ended. If the queue is full the error is ErrFull; if ctx ends first it wraps ctx's
// error. In both cases release is nil.
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

// hasRoom reports whether the limits allow one more request of key to run. Every waiting request
// lacks room, because release lets those run that have it. So a new request that has room passes
// no request that could run.
func (g *Gate) hasRoom(key string) bool {
	return g.total < g.limits.Running && (key == "" || g.running[key] < g.limits.RunningPerKey)
}

func (g *Gate) admit(key string) {
	g.total++
	g.running[key]++
}

// dequeue removes a request from the queue.
func (g *Gate) dequeue(element *list.Element) *waiter {
	w := g.waiting.Remove(element).(*waiter)
	if g.waitingByKey[w.key]--; g.waitingByKey[w.key] == 0 {
		delete(g.waitingByKey, w.key)
	}
	return w
}

// release ends a request of key, and lets the first waiting request run that has room now.
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

// Running returns the number of requests that run.
func (g *Gate) Running() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.total
}

// Waiting returns the number of requests in the queue.
func (g *Gate) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting.Len()
}
