package admission_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/admission"
)

// In any order of calls, no more requests run than allowed, none waits that could run, and
// those of one key run in their order.
func TestTheGateKeepsItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limits := admission.Limits{
			Running: rapid.IntRange(1, 4).Draw(t, "running"), RunningPerKey: rapid.IntRange(1, 3).Draw(t, "running each"),
			Waiting: rapid.IntRange(0, 4).Draw(t, "waiting"), WaitingPerKey: rapid.IntRange(0, 3).Draw(t, "waiting each"),
		}
		run := &gateModel{gate: admission.New(limits), limits: limits, releases: map[string][]func(){}}
		t.Repeat(map[string]func(*rapid.T){
			"come":    func(t *rapid.T) { run.acquire(t, strconv.Itoa(rapid.IntRange(0, 2).Draw(t, "key"))) },
			"go":      run.release,
			"give up": run.cancelWait,
			"":        run.check,
		})
	})
}

// gateModel is the expected state of a gate.
type gateModel struct {
	gate     *admission.Gate
	limits   admission.Limits
	releases map[string][]func()
	total    int
	queue    []*waiter
}

type waiter struct {
	key        string
	cancelWait context.CancelFunc
	done       chan acquired
}

type acquired struct {
	release func()
	err     error
}

func (r *gateModel) hasRoom(key string) bool {
	return r.total < r.limits.Running && len(r.releases[key]) < r.limits.RunningPerKey
}

func (r *gateModel) waiting(key string) (n int) {
	for _, g := range r.queue {
		if g.key == key {
			n++
		}
	}
	return n
}

func (r *gateModel) acquire(t *rapid.T, key string) {
	ctx, cancel := context.WithCancel(context.Background())
	if !r.hasRoom(key) && (len(r.queue) >= r.limits.Waiting || r.waiting(key) >= r.limits.WaitingPerKey) {
		defer cancel()
		if _, err := r.gate.Acquire(ctx, key); !errors.Is(err, admission.ErrFull) {
			t.Fatalf("beyond the queue: %v", err)
		}
		return
	}
	g := &waiter{key: key, cancelWait: cancel, done: make(chan acquired, 1)}
	if r.hasRoom(key) {
		defer cancel()
		release, err := r.gate.Acquire(ctx, key)
		if err != nil {
			t.Fatalf("there was room: %v", err)
		}
		r.addRunning(key, release)
		return
	}
	before := r.gate.Waiting()
	go func() {
		release, err := r.gate.Acquire(ctx, key)
		g.done <- acquired{release, err}
	}()
	for r.gate.Waiting() == before {
		select {
		case e := <-g.done:
			t.Fatalf("there was no room and it did not wait: %v", e.err)
		default:
		}
	}
	r.queue = append(r.queue, g)
}

func (r *gateModel) addRunning(key string, release func()) {
	r.releases[key] = append(r.releases[key], release)
	r.total++
}

func (r *gateModel) release(t *rapid.T) {
	var keys []string
	for _, key := range []string{"0", "1", "2"} {
		if len(r.releases[key]) > 0 {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		t.Skip("nobody is in")
	}
	key := rapid.SampledFrom(keys).Draw(t, "who")
	last := len(r.releases[key]) - 1
	release := r.releases[key][last]
	r.releases[key] = r.releases[key][:last]
	r.total--
	release()
	for i, g := range r.queue {
		if !r.hasRoom(g.key) {
			continue
		}
		e := <-g.done // the test hangs here if the gate loses a waiter
		g.cancelWait()
		if e.err != nil {
			t.Fatalf("the next in the queue: %v", e.err)
		}
		r.addRunning(g.key, e.release)
		r.queue = append(r.queue[:i:i], r.queue[i+1:]...)
		return
	}
}

func (r *gateModel) cancelWait(t *rapid.T) {
	if len(r.queue) == 0 {
		t.Skip("nobody waits")
	}
	i := rapid.IntRange(0, len(r.queue)-1).Draw(t, "who")
	g := r.queue[i]
	g.cancelWait()
	if e := <-g.done; !errors.Is(e.err, context.Canceled) {
		t.Fatalf("given up: %v", e.err)
	}
	r.queue = append(r.queue[:i:i], r.queue[i+1:]...)
}

func (r *gateModel) check(t *rapid.T) {
	if r.gate.Running() != r.total || r.gate.Waiting() != len(r.queue) {
		t.Fatalf("%d in and %d waiting; want %d and %d", r.gate.Running(), r.gate.Waiting(), r.total, len(r.queue))
	}
	if r.total > r.limits.Running {
		t.Fatalf("%d in, at most %d", r.total, r.limits.Running)
	}
}

func TestTheGateIsEmptyAfterAllSlotsAreReleased(t *testing.T) {
	gate := admission.New(admission.Limits{Running: 3, RunningPerKey: 2, Waiting: 1000, WaitingPerKey: 1000})
	var wg sync.WaitGroup
	for i := range 400 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%7 == 0 {
				cancel()
			}
			release, err := gate.Acquire(ctx, strconv.Itoa(i%3))
			if err != nil {
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				return
			}
			if n := gate.Running(); n < 1 || n > 3 {
				t.Errorf("%d are in", n)
			}
			release()
		})
	}
	wg.Wait()
	if gate.Running() != 0 || gate.Waiting() != 0 {
		t.Errorf("%d in, %d waiting", gate.Running(), gate.Waiting())
	}
}

func TestAGateWithoutLimitsRefusesNothing(t *testing.T) {
	gate := admission.New(admission.Limits{})
	for range 1000 {
		if _, err := gate.Acquire(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
	}
}
