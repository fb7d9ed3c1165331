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

// crowd adds endpoints of one receiver, each with a path of its own: as many that
// hang as are asked for, evenly among others that answer.
func (f *fixture) crowd(r *receiver, hanging, answering int) {
	f.t.Helper()
	for i := range hanging + answering {
		if i%webhooks.MaxEndpoints == 0 {
			name := fmt.Sprint("crowd", i)
			f.orgs = append(f.orgs, f.organization(name))
		}
		path := fmt.Sprintf("/answer/%d", i)
		if total := hanging + answering; (i+1)*hanging/total > i*hanging/total {
			path = fmt.Sprintf("/hang/%d", i)
		}
		f.endpointOf(f.orgs[len(f.orgs)-1], r.URL+path)
	}
}

// flood emits n events in every organization of the crowd.
func (f *fixture) flood(n int) {
	f.t.Helper()
	for _, org := range f.orgs {
		f.emitFor(org, n)
	}
}

// hangingReceiver does not answer under /hang/ until the test ends.
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

// gather takes deliveries until n have come to endpoints that answer.
func (r *receiver) gather(t testing.TB, n int) {
	t.Helper()
	for n > 0 {
		if strings.HasPrefix(r.next(t).path, "/answer/") {
			n--
		}
	}
}

func TestEndpointsThatHangDelayNobodyElse(t *testing.T) {
	for _, test := range []struct{ hanging, answering, events int }{{1, 9, 20}, {60, 140, 3}} {
		t.Run(fmt.Sprintf("%d of %d", test.hanging, test.hanging+test.answering), func(t *testing.T) {
			r := hangingReceiver(t)
			f := newFixture(t, r)
			f.crowd(r, test.hanging, test.answering)
			f.flood(test.events)
			stop := f.start(func(d *outbox.Dispatcher) {
				// No attempt that hangs ends by itself while the test lasts.
				d.SetTimeout(time.Hour)
				d.SetDrain(0)
				d.SetSlow(webhooks.SlowAttempts, 20*time.Millisecond)
			})
			r.gather(t, test.answering*test.events)
			f.until("only what hangs is on the wire", func() bool {
				prompt, slow, _ := f.watch.counts()
				return prompt == 0 && slow == test.hanging
			})
			if d := f.depth(); d.Pending != test.hanging*test.events {
				t.Errorf("%d are pending", d.Pending)
			}
			stop()
		})
	}
}

// With no slow slot left, what hangs keeps its prompt slot and the process its
// bounds; an attempt that ends makes room again.
func TestTheSlotsAreBounded(t *testing.T) {
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
	f.crowd(r, 0, endpoints)
	f.flood(1)
	f.start(func(d *outbox.Dispatcher) { d.SetSlow(slow, time.Millisecond) })
	f.until("all slots are taken", func() bool {
		prompt, sidelined, _ := f.watch.counts()
		return prompt == webhooks.PromptAttempts && sidelined == slow
	})
	for range webhooks.PromptAttempts + slow {
		select {
		case <-entered:
		case <-time.After(patience):
			t.Fatal("what is on the wire does not arrive")
		}
	}
	release()
	f.until("all are delivered", func() bool { return f.depth().Pending == 0 })
	mu.Lock()
	defer mu.Unlock()
	if most != webhooks.PromptAttempts+slow {
		t.Errorf("%d at once", most)
	}
	f.watch.mu.Lock()
	defer f.watch.mu.Unlock()
	if f.watch.mostPrompt > webhooks.PromptAttempts || f.watch.mostSlow > slow {
		t.Errorf("%d prompt and %d slow attempts", f.watch.mostPrompt, f.watch.mostSlow)
	}
}

func TestAnEndpointHasOneAttemptAtATimeUntilItAnswers(t *testing.T) {
	answer := make(chan int)
	r := newReceiver(t, told(answer))
	f := newFixture(t, r)
	f.endpoint(r.URL)
	f.emit(20)
	f.start()
	inFlight := func(n int) {
		t.Helper()
		for range n {
			r.next(t)
		}
		_, _, first := f.watch.counts()
		f.until("rounds have passed", func() bool { _, _, now := f.watch.counts(); return now > first+3 })
		if len(r.got) != 0 {
			t.Fatalf("%d attempts more than the %d expected", len(r.got), n)
		}
	}
	inFlight(1) // not known yet
	answer <- http.StatusOK
	inFlight(webhooks.EndpointConcurrency)
	for range webhooks.EndpointConcurrency {
		answer <- http.StatusInternalServerError
	}
	inFlight(1) // the probe
	answer <- http.StatusOK
	inFlight(webhooks.EndpointConcurrency)
	for range webhooks.EndpointConcurrency {
		answer <- http.StatusOK
	}
}
