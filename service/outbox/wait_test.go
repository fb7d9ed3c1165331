package outbox_test

import (
	"fmt"
	"sync"
	"time"

	"tarmac/service/webhooks"
)

// waitLimit bounds how long a test waits for anything.
const waitLimit = 30 * time.Second

// roundRecorder is an observer that signals each round.
type roundRecorder struct {
	round chan struct{}

	mu                         sync.Mutex
	problems                   []webhooks.Problem
	waited                     []time.Duration
	mostPrompt, mostSlow       int
	promptNow, slowNow, rounds int
}

func (w *roundRecorder) ObserveAttempt(problem webhooks.Problem, _, waited time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problems, w.waited = append(w.problems, problem), append(w.waited, waited)
}

func (w *roundRecorder) ObserveInFlight(prompt, slow int) {
	w.mu.Lock()
	w.promptNow, w.slowNow, w.rounds = prompt, slow, w.rounds+1
	w.mostPrompt, w.mostSlow = max(w.mostPrompt, prompt), max(w.mostSlow, slow)
	w.mu.Unlock()
	select {
	case w.round <- struct{}{}:
	default:
	}
}

func (w *roundRecorder) counts() (prompt, slow, rounds int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.promptNow, w.slowNow, w.rounds
}

// waitUntil checks a condition after each round until it is true.
func (f *fixture) waitUntil(what string, condition func() bool) {
	f.t.Helper()
	limit := time.After(waitLimit)
	for !condition() {
		select {
		case <-f.roundRecorder.round:
		case <-limit:
			f.t.Fatalf("timed out waiting until %s\n%s", what, f.logs)
		}
	}
}

// waitIdle waits for two full rounds with no attempt in progress.
func (f *fixture) waitIdle() {
	f.t.Helper()
	_, _, first := f.roundRecorder.counts()
	calm := 0
	f.waitUntil("nothing is left to do", func() bool {
		prompt, slow, n := f.roundRecorder.counts()
		if prompt+slow > 0 {
			calm = 0
		} else if n > first+1 {
			calm++
		}
		return calm > 1
	})
}

// waitForAttempt waits until the outcome of the attempt with that number is written.
func (f *fixture) waitForAttempt(endpointID string, number int) webhooks.Delivery {
	f.t.Helper()
	f.waitUntil(fmt.Sprintf("attempt %d was made", number), func() bool {
		return f.onlyDelivery(endpointID).AttemptCount >= number
	})
	f.waitIdle()
	d := f.onlyDelivery(endpointID)
	if d.AttemptCount != number {
		f.t.Fatalf("%d attempts, want %d", d.AttemptCount, number)
	}
	return d
}
