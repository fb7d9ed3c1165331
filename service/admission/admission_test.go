package admission_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/admission"
)

// In any order of calls, no more requests run than allowed, none waits that could run, the groups
// and their members take turns, and a full queue refuses those with the most waiting requests.
func TestTheGateKeepsItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limits := admission.Limits{
			Running:          rapid.IntRange(1, 4).Draw(t, "running"),
			RunningPerGroup:  rapid.IntRange(1, 3).Draw(t, "running of a group"),
			RunningPerMember: rapid.IntRange(1, 3).Draw(t, "running of a member"),
			Waiting:          rapid.IntRange(0, 6).Draw(t, "waiting"),
			WaitingPerGroup:  rapid.IntRange(0, 4).Draw(t, "waiting of a group"),
		}
		run := &gateModel{gate: admission.New(limits), limits: limits}
		t.Repeat(map[string]func(*rapid.T){
			"come": func(t *rapid.T) { run.acquire(t, drawKey(t)) },
			"go":   run.release, "move": run.move, "give up": run.cancelWait, "": run.check,
		})
	})
}

func drawKey(t *rapid.T) admission.Key {
	return admission.Key{
		Group:  strconv.Itoa(rapid.IntRange(0, 2).Draw(t, "group")),
		Member: strconv.Itoa(rapid.IntRange(0, 1).Draw(t, "member")),
	}
}

// gateModel is the expected state of a gate. The requests of a member wait in their order.
type gateModel struct {
	gate    *admission.Gate
	limits  admission.Limits
	running []*running
	queue   []*waiter
	groups  []string        // those with waiting requests, the next turn first
	members []admission.Key // likewise; the turns of each group's members are in their order
}

type running struct {
	key  admission.Key
	slot *admission.Slot
}

type waiter struct {
	key        admission.Key
	cancelWait context.CancelFunc
	done       chan acquired
}

type acquired struct {
	slot *admission.Slot
	err  error
}

func (r *gateModel) hasRoom(key admission.Key) bool {
	group, member := 0, 0
	for _, one := range r.running {
		if one.key.Group == key.Group {
			group++
		}
		if one.key == key {
			member++
		}
	}
	return len(r.running) < r.limits.Running && group < r.limits.RunningPerGroup && member < r.limits.RunningPerMember
}

func (r *gateModel) waitingOfGroup(name string) (n int) {
	for _, w := range r.queue {
		if w.key.Group == name {
			n++
		}
	}
	return n
}

func (r *gateModel) waitingOf(key admission.Key) (n int) {
	for _, w := range r.queue {
		if w.key == key {
			n++
		}
	}
	return n
}

// victim returns the index of the waiting request that makes room for a new one, -1 if none has to,
// or -2 if the new one is refused.
func (r *gateModel) victim(key admission.Key) int {
	group, full := key.Group, r.waitingOfGroup(key.Group) >= r.limits.WaitingPerGroup
	if !full {
		if len(r.queue) < r.limits.Waiting {
			return -1
		}
		for _, other := range r.groups {
			if r.waitingOfGroup(other) > max(r.waitingOfGroup(group), r.waitingOfGroup(key.Group)+1) {
				group = other
			}
		}
	}
	longest := admission.Key{}
	most := 0
	if group == key.Group {
		longest, most = key, r.waitingOf(key)+1
	}
	for _, other := range r.members {
		if other.Group == group && r.waitingOf(other) > most {
			longest, most = other, r.waitingOf(other)
		}
	}
	if longest == key {
		return -2
	}
	for i := len(r.queue) - 1; ; i-- {
		if r.queue[i].key == longest {
			return i
		}
	}
}

func (r *gateModel) acquire(t *rapid.T, key admission.Key) {
	ctx, cancel := context.WithCancel(context.Background())
	if r.hasRoom(key) {
		defer cancel()
		slot, err := r.gate.Acquire(ctx, key)
		if err != nil {
			t.Fatalf("there was room: %v", err)
		}
		r.running = append(r.running, &running{key, slot})
		return
	}
	victim := r.victim(key)
	if victim == -2 {
		defer cancel()
		if _, err := r.gate.Acquire(ctx, key); !errors.Is(err, admission.ErrFull) {
			t.Fatalf("beyond the queue: %v", err)
		}
		return
	}
	w := &waiter{key: key, cancelWait: cancel, done: make(chan acquired, 1)}
	before := r.gate.Waiting()
	go func() {
		slot, err := r.gate.Acquire(ctx, key)
		w.done <- acquired{slot, err}
	}()
	if victim >= 0 {
		refused := r.queue[victim]
		if e := <-refused.done; !errors.Is(e.err, admission.ErrFull) {
			t.Fatalf("one that had to make room: %v", e.err)
		}
		refused.cancelWait()
		r.remove(victim)
	} else {
		for r.gate.Waiting() == before {
			select {
			case e := <-w.done:
				t.Fatalf("there was no room and it did not wait: %v", e.err)
			default:
			}
		}
	}
	r.queue = append(r.queue, w)
	if !slices.Contains(r.groups, key.Group) {
		r.groups = append(r.groups, key.Group)
	}
	if !slices.Contains(r.members, key) {
		r.members = append(r.members, key)
	}
}

// remove removes the waiting request at an index, and the turns of those that have none left.
func (r *gateModel) remove(i int) {
	key := r.queue[i].key
	r.queue = slices.Delete(r.queue, i, i+1)
	if r.waitingOf(key) == 0 {
		r.members = slices.DeleteFunc(r.members, func(k admission.Key) bool { return k == key })
	}
	if r.waitingOfGroup(key.Group) == 0 {
		r.groups = slices.DeleteFunc(r.groups, func(name string) bool { return name == key.Group })
	}
}

func (r *gateModel) release(t *rapid.T) {
	if len(r.running) == 0 {
		t.Skip("nobody is in")
	}
	i := rapid.IntRange(0, len(r.running)-1).Draw(t, "who")
	one := r.running[i]
	r.running = slices.Delete(r.running, i, i+1)
	one.slot.Release()
	r.startNext(t)
}

func (r *gateModel) move(t *rapid.T) {
	if len(r.running) == 0 {
		t.Skip("nobody is in")
	}
	i := rapid.IntRange(0, len(r.running)-1).Draw(t, "who")
	key := drawKey(t)
	one := r.running[i]
	r.running = slices.Delete(r.running, i, i+1)
	fits := one.key == key || r.hasRoom(key)
	err := one.slot.Move(key)
	if fits != (err == nil) || err != nil && !errors.Is(err, admission.ErrFull) {
		t.Fatalf("moving from %v to %v: %v; there was room: %v", one.key, key, err, fits)
	}
	moved := fits && one.key != key
	if fits {
		one.key = key
	}
	r.running = append(r.running, one)
	if moved {
		r.startNext(t)
	}
}

// startNext expects that the request whose turn it is starts.
func (r *gateModel) startNext(t *rapid.T) {
	for _, name := range r.groups {
		for _, key := range r.members {
			if key.Group != name || !r.hasRoom(key) {
				continue
			}
			i := slices.IndexFunc(r.queue, func(w *waiter) bool { return w.key == key })
			w := r.queue[i]
			e := <-w.done // the test hangs here if the gate starts another one
			w.cancelWait()
			if e.err != nil {
				t.Fatalf("the next in the queue: %v", e.err)
			}
			r.running = append(r.running, &running{key, e.slot})
			r.remove(i)
			r.endTurns(key)
			return
		}
	}
}

// endTurns puts a group and its member behind the others, if they have waiting requests.
func (r *gateModel) endTurns(key admission.Key) {
	if i := slices.Index(r.groups, key.Group); i >= 0 {
		r.groups = append(slices.Delete(r.groups, i, i+1), key.Group)
	}
	if i := slices.Index(r.members, key); i >= 0 {
		r.members = append(slices.Delete(r.members, i, i+1), key)
	}
}

func (r *gateModel) cancelWait(t *rapid.T) {
	if len(r.queue) == 0 {
		t.Skip("nobody waits")
	}
	i := rapid.IntRange(0, len(r.queue)-1).Draw(t, "who")
	w := r.queue[i]
	w.cancelWait()
	if e := <-w.done; !errors.Is(e.err, context.Canceled) {
		t.Fatalf("given up: %v", e.err)
	}
	r.remove(i)
}

func (r *gateModel) check(t *rapid.T) {
	if r.gate.Running() != len(r.running) || r.gate.Waiting() != len(r.queue) {
		t.Fatalf("%d in and %d waiting; want %d and %d", r.gate.Running(), r.gate.Waiting(), len(r.running), len(r.queue))
	}
	for _, w := range r.queue {
		if r.hasRoom(w.key) {
			t.Fatalf("%v waits and could run", w.key)
		}
	}
}

func TestTheGateIsEmptyAfterAllSlotsAreReleased(t *testing.T) {
	gate := admission.New(admission.Limits{
		Running: 3, RunningPerGroup: 2, RunningPerMember: 2, Waiting: 1000, WaitingPerGroup: 1000,
	})
	var wg sync.WaitGroup
	for i := range 400 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%7 == 0 {
				cancel()
			}
			slot, err := gate.Acquire(ctx, admission.Key{Group: strconv.Itoa(i % 3), Member: strconv.Itoa(i % 2)})
			if err != nil {
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				return
			}
			if n := gate.Running(); n < 1 || n > 3 {
				t.Errorf("%d are in", n)
			}
			slot.Release()
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
		slot, err := gate.Acquire(t.Context(), admission.Key{Group: "a"})
		if err == nil {
			err = slot.Move(admission.Key{Group: "b"})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A group that floods the queue delays another group's request by one turn, and makes room for it.
func TestAFloodOfOneGroupKeepsNoOtherOut(t *testing.T) {
	gate := admission.New(admission.Limits{
		Running: 1, RunningPerGroup: 1, RunningPerMember: 1, Waiting: 100, WaitingPerGroup: 100,
	})
	flood, ctx := admission.Key{Group: "flood", Member: "one token"}, t.Context()
	first, err := gate.Acquire(ctx, flood)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan string, 300)
	enter := func(key admission.Key) {
		slot, err := gate.Acquire(ctx, key)
		if err != nil {
			ended <- key.Group + " refused"
			return
		}
		ended <- key.Group + " " + key.Member
		slot.Release()
	}
	for range 200 {
		go enter(flood)
	}
	for range 100 { // as many as may wait are left
		if got := <-ended; got != "flood refused" {
			t.Fatal(got)
		}
	}

	go enter(admission.Key{Group: "honest", Member: "token"})
	if got := <-ended; got != "flood refused" {
		t.Fatalf("for the honest request: %s", got)
	}
	go enter(admission.Key{Group: "flood", Member: "another token"})
	if got := <-ended; got != "flood refused" {
		t.Fatalf("for the other token of the same organization: %s", got)
	}
	first.Release()
	order := map[string]int{}
	for i := range 100 {
		order[<-ended] = i // of several with the same name, the last
	}

	if at := order["honest token"]; at > 1 {
		t.Errorf("the honest request ran after %d others", at)
	}
	if at := order["flood another token"]; at > 3 {
		t.Errorf("the other token's request ran after %d others", at)
	}
}
