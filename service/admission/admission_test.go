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

// Over any run of comings, goings and givings up, no more are in than may be, none
// waits that could go, and the first of a key goes first.
func TestTheGateKeepsItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limits := admission.Limits{
			Running: rapid.IntRange(1, 4).Draw(t, "running"), RunningEach: rapid.IntRange(1, 3).Draw(t, "running each"),
			Waiting: rapid.IntRange(0, 4).Draw(t, "waiting"), WaitingEach: rapid.IntRange(0, 3).Draw(t, "waiting each"),
		}
		run := &gateRun{gate: admission.New(limits), limits: limits, inside: map[string][]func(){}}
		t.Repeat(map[string]func(*rapid.T){
			"come":    func(t *rapid.T) { run.come(t, strconv.Itoa(rapid.IntRange(0, 2).Draw(t, "key"))) },
			"go":      run.leave,
			"give up": run.giveUp,
			"":        run.check,
		})
	})
}

// gateRun is what a gate is expected to be like.
type gateRun struct {
	gate   *admission.Gate
	limits admission.Limits
	inside map[string][]func()
	total  int
	queue  []*guest
}

type guest struct {
	key    string
	giveUp context.CancelFunc
	done   chan entered
}

type entered struct {
	leave func()
	err   error
}

func (r *gateRun) room(key string) bool {
	return r.total < r.limits.Running && len(r.inside[key]) < r.limits.RunningEach
}

func (r *gateRun) waiting(key string) (n int) {
	for _, g := range r.queue {
		if g.key == key {
			n++
		}
	}
	return n
}

func (r *gateRun) come(t *rapid.T, key string) {
	// A visitor that does not wait finds out at once whether there is room.
	impatient, cancel := context.WithCancel(context.Background())
	if !r.room(key) && (len(r.queue) >= r.limits.Waiting || r.waiting(key) >= r.limits.WaitingEach) {
		defer cancel()
		if _, err := r.gate.Enter(impatient, key); !errors.Is(err, admission.ErrFull) {
			t.Fatalf("beyond the queue: %v", err)
		}
		return
	}
	g := &guest{key: key, giveUp: cancel, done: make(chan entered, 1)}
	if r.room(key) {
		defer cancel()
		leave, err := r.gate.Enter(impatient, key)
		if err != nil {
			t.Fatalf("there was room: %v", err)
		}
		r.enter(key, leave)
		return
	}
	before := r.gate.Waiting()
	go func() {
		leave, err := r.gate.Enter(impatient, key)
		g.done <- entered{leave, err}
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

func (r *gateRun) enter(key string, leave func()) {
	r.inside[key] = append(r.inside[key], leave)
	r.total++
}

func (r *gateRun) leave(t *rapid.T) {
	var keys []string
	for _, key := range []string{"0", "1", "2"} {
		if len(r.inside[key]) > 0 {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		t.Skip("nobody is in")
	}
	key := rapid.SampledFrom(keys).Draw(t, "who")
	last := len(r.inside[key]) - 1
	leave := r.inside[key][last]
	r.inside[key] = r.inside[key][:last]
	r.total--
	leave()
	for i, g := range r.queue {
		if !r.room(g.key) {
			continue
		}
		e := <-g.done // the test hangs here when the gate forgets somebody
		g.giveUp()
		if e.err != nil {
			t.Fatalf("the next in the queue: %v", e.err)
		}
		r.enter(g.key, e.leave)
		r.queue = append(r.queue[:i:i], r.queue[i+1:]...)
		return
	}
}

func (r *gateRun) giveUp(t *rapid.T) {
	if len(r.queue) == 0 {
		t.Skip("nobody waits")
	}
	i := rapid.IntRange(0, len(r.queue)-1).Draw(t, "who")
	g := r.queue[i]
	g.giveUp()
	if e := <-g.done; !errors.Is(e.err, context.Canceled) {
		t.Fatalf("given up: %v", e.err)
	}
	r.queue = append(r.queue[:i:i], r.queue[i+1:]...)
}

func (r *gateRun) check(t *rapid.T) {
	if r.gate.Running() != r.total || r.gate.Waiting() != len(r.queue) {
		t.Fatalf("%d in and %d waiting; want %d and %d", r.gate.Running(), r.gate.Waiting(), r.total, len(r.queue))
	}
	if r.total > r.limits.Running {
		t.Fatalf("%d in, at most %d", r.total, r.limits.Running)
	}
}

// Whatever the order, nobody is lost and the gate is empty in the end.
func TestEverybodyThatIsLetInLeavesTheGateEmpty(t *testing.T) {
	gate := admission.New(admission.Limits{Running: 3, RunningEach: 2, Waiting: 1000, WaitingEach: 1000})
	var wg sync.WaitGroup
	for i := range 400 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%7 == 0 {
				cancel()
			}
			leave, err := gate.Enter(ctx, strconv.Itoa(i%3))
			if err != nil {
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				return
			}
			if n := gate.Running(); n < 1 || n > 3 {
				t.Errorf("%d are in", n)
			}
			leave()
		})
	}
	wg.Wait()
	if gate.Running() != 0 || gate.Waiting() != 0 {
		t.Errorf("%d in, %d waiting", gate.Running(), gate.Waiting())
	}
}

func TestAGateWithoutLimits(t *testing.T) {
	gate := admission.New(admission.Limits{})
	for range 1000 {
		if _, err := gate.Enter(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
	}
}
