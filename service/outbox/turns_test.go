package outbox_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"tarmac/service/outbox"
	"tarmac/service/webhooks"
)

// The endpoint whose last claim is longest ago goes first, however old the deliveries of
// the others are.
func TestBacklogsOfOthersDoNotDelayANewEvent(t *testing.T) {
	answer := make(chan struct{})
	defer close(answer)
	r := newReceiver(t, func(http.ResponseWriter, *http.Request) { <-answer })
	f := newFixture(t, r)
	const more = 3
	f.addEndpoints(r, 0, webhooks.PromptAttempts+more)
	f.emitToAll(10)
	f.start(func(d *outbox.Dispatcher) { d.SetSlow(0, time.Hour) })
	waiting := map[string]bool{"/late": true}
	for i := range webhooks.PromptAttempts + more {
		waiting[fmt.Sprintf("/answer/%d", i)] = true
	}
	for range webhooks.PromptAttempts {
		delete(waiting, r.next(t).path)
	}
	f.clock.set(noon.Add(time.Minute))
	f.endpoint(r.URL + "/late")
	f.emit(1)
	for range more + 1 {
		answer <- struct{}{}
		delete(waiting, r.next(t).path)
	}
	if len(waiting) != 0 {
		t.Errorf("still waiting: %v", waiting)
	}
}
