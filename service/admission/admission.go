// Package admission bounds how many requests run at a time. Further requests wait in a queue; when
// the queue is full, they are refused. Limits apply to all requests together and to the requests of
// each key, such as an organization or an address. Requests with the empty key count only against
// the limits for all.
package admission

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrFull is returned by Gate.Acquire if the queue is full, or already holds the largest allowed
// number of requests with the same key.
var ErrFull = errors.New("too many requests are waiting already")

// Limits bounds how many requests run and how many wait, in total and for each key. If Running is
// 0, nothing is limited.
type Limits struct {
	Running, RunningPerKey int
	Waiting, WaitingPerKey int
}

// Gate is a semaphore with a queue and with limits for each key. It is safe for concurrent use. Its
// memory is bounded by Limits.
type Gate struct {
	limits Limits

	mu           sync.Mutex
	total        int
	running      map[string]int
	waiting      *list.List // queued requests as *waiter, the oldest first
	waitingByKey map[string]int
}

type waiter struct {
	key      string
	ready    chan struct{} // closed when the request may start
	admitted bool
}

// New returns a gate that enforces limits.
func New(limits Limits) *Gate {
	return &Gate{limits: limits, running: map[string]int{}, waiting: list.New(), waitingByKey: map[string]int{}}
}

// Acquire waits until a request with the given key may run. The caller must call release once, when
// the request has ended. The error is ErrFull if the queue is full. If ctx ends first, it wraps the
// error of ctx. If there is an error, release is nil.
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

// hasRoom reports whether the limits allow one more request with the given key to run. Whenever a
// request ends, release starts the waiting requests that the limits allow. A new request for which
// hasRoom is true therefore overtakes no waiting request that could run.
func (g *Gate) hasRoom(key string) bool {
	return g.total < g.limits.Running && (key == "" || g.running[key] < g.limits.RunningPerKey)
}

func (g *Gate) admit(key string) {
	g.total++
	g.running[key]++
}

func (g *Gate) dequeue(element *list.Element) *waiter {
	w := g.waiting.Remove(element).(*waiter)
	if g.waitingByKey[w.key]--; g.waitingByKey[w.key] == 0 {
		delete(g.waitingByKey, w.key)
	}
	return w
}

// release ends a request with the given key. It starts the first waiting request that the limits
// now allow.
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

// Running returns the number of requests that are running.
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
