package outbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/service/outbox"
	"tarmac/service/webhooks"
)

// addEndpoints adds endpoints of one receiver, each with its own path. The hanging ones are
// spread evenly among the responding ones.
func (f *fixture) addEndpoints(r *receiver, hanging, responding int) {
	f.t.Helper()
	for i := range hanging + responding {
		if i%webhooks.MaxEndpoints == 0 {
			name := fmt.Sprint("crowd", i)
			f.orgs = append(f.orgs, f.organization(name))
		}
		path := fmt.Sprintf("/answer/%d", i)
		if total := hanging + responding; (i+1)*hanging/total > i*hanging/total {
			path = fmt.Sprintf("/hang/%d", i)
		}
		f.endpointOf(f.orgs[len(f.orgs)-1], r.URL+path)
	}
}

// emitToAll emits n events in each organization of addEndpoints.
func (f *fixture) emitToAll(n int) {
	f.t.Helper()
	for _, org := range f.orgs {
		f.emitFor(org, n)
	}
}

// hangingReceiver does not respond to requests under /hang/ until the test ends.
func hangingReceiver(t testing.TB) *receiver {
	t.Helper()
	ended := make(chan struct{})
	r := newReceiver(t, func(_ http.ResponseWriter, req *http.Request) {
		if strings.HasPrefix(req.URL.Path, "/hang/") {
			select {
			case <-ended:
			case <-req.Context().Done():
			}
		}
	})
	t.Cleanup(func() { close(ended) })
	return r
}

// awaitResponding receives deliveries until n have arrived at responding endpoints.
func (r *receiver) awaitResponding(t testing.TB, n int) {
	t.Helper()
	for n > 0 {
		if strings.HasPrefix(r.next(t).path, "/answer/") {
			n--
		}
	}
}

func TestHangingEndpointsDelayNoOther(t *testing.T) {
	for _, test := range []struct{ hanging, responding, events int }{{1, 9, 20}, {60, 140, 3}} {
		if testing.Short() && test.hanging > 1 {
			continue // the race detector takes long for 200 endpoints
		}
		t.Run(fmt.Sprintf("%d of %d", test.hanging, test.hanging+test.responding), func(t *testing.T) {
			r := hangingReceiver(t)
			f := newFixture(t, r)
			f.addEndpoints(r, test.hanging, test.responding)
			f.emitToAll(test.events)
			stop := f.start(func(d *outbox.Dispatcher) {
				// Hanging attempts must outlast the test.
				d.SetTimeout(time.Hour)
				d.SetDrain(0)
				d.SetSlow(webhooks.SlowAttempts, 20*time.Millisecond)
			})
			r.awaitResponding(t, test.responding*test.events)
			f.waitUntil("only what hangs is on the wire", func() bool {
				prompt, slow, _ := f.roundRecorder.counts()
				return prompt == 0 && slow == test.hanging
			})
			if d := f.depth(); d.Pending != test.hanging*test.events {
				t.Errorf("%d are pending", d.Pending)
			}
			stop()
		})
	}
}

// Without a free slow slot, hanging attempts keep their prompt slots.
func TestAttemptsInProgressNeverExceedTheSlots(t *testing.T) {
	var mu sync.Mutex
	now, most := 0, 0
	entered, held := make(chan struct{}, 100), make(chan struct{})
	release := sync.OnceFunc(func() { close(held) })
	r := newReceiver(t, func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		entered <- struct{}{}
		<-held
		mu.Lock()
		now--
		mu.Unlock()
	})
	t.Cleanup(release)
	f := newFixture(t, r)
	const slow, endpoints = 5, 60
	f.addEndpoints(r, 0, endpoints)
	f.emitToAll(1)
	f.start(func(d *outbox.Dispatcher) { d.SetSlow(slow, time.Millisecond) })
	f.waitUntil("all slots are taken", func() bool {
		prompt, sidelined, _ := f.roundRecorder.counts()
		return prompt == webhooks.PromptAttempts && sidelined == slow
	})
	for range webhooks.PromptAttempts + slow {
		select {
		case <-entered:
		case <-time.After(waitLimit):
			t.Fatal("an attempt in progress does not arrive")
		}
	}
	release()
	f.waitUntil("all are delivered", func() bool { return f.depth().Pending == 0 })
	mu.Lock()
	defer mu.Unlock()
	if most != webhooks.PromptAttempts+slow {
		t.Errorf("%d at once", most)
	}
	f.roundRecorder.mu.Lock()
	defer f.roundRecorder.mu.Unlock()
	if f.roundRecorder.mostPrompt > webhooks.PromptAttempts || f.roundRecorder.mostSlow > slow {
		t.Errorf("%d prompt and %d slow attempts", f.roundRecorder.mostPrompt, f.roundRecorder.mostSlow)
	}
}

func TestAnEndpointHasOneAttemptAtATimeUntilOneIsAcknowledged(t *testing.T) {
	answer := make(chan int)
	r := newReceiver(t, respondWith(answer))
	f := newFixture(t, r)
	f.endpoint(r.URL)
	f.emit(20)
	f.start()
	inFlight := func(n int) {
		t.Helper()
		for range n {
			r.next(t)
		}
		_, _, first := f.roundRecorder.counts()
		f.waitUntil("rounds have passed", func() bool { _, _, now := f.roundRecorder.counts(); return now > first+3 })
		if len(r.received) != 0 {
			t.Fatalf("%d attempts more than the %d expected", len(r.received), n)
		}
	}
	inFlight(1) // not yet known to be healthy
	answer <- http.StatusOK
	inFlight(webhooks.EndpointConcurrency)
	for range webhooks.EndpointConcurrency {
		answer <- http.StatusInternalServerError
	}
	inFlight(1) // failing
	answer <- http.StatusOK
	inFlight(webhooks.EndpointConcurrency)
	for range webhooks.EndpointConcurrency {
		answer <- http.StatusOK
	}
}
