package outbox_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/service/outbox"
	"tarmac/service/sealing"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

func TestTwoDispatchersOfOneDatabaseDeliverEverythingOnce(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	f.addEndpoints(r, 0, 40)
	second := f.config
	second.Store = f.open()
	second.Observer = &roundRecorder{round: make(chan struct{}, 1)}
	f.emitToAll(3)
	stopFirst, stopSecond := f.start(), runDispatcher(t, second)
	f.emitToAll(3)
	f.waitUntil("all are delivered", func() bool { return f.depth().Pending == 0 })
	stopFirst()
	stopSecond()
	const all = 40 * 6
	seen := map[string]int{}
	for range all {
		d := r.next(t)
		seen[d.header.Get(webhooks.DeliveryIDHeader)]++
		if n := d.header.Get(webhooks.AttemptHeader); n != "1" {
			t.Errorf("attempt %s of %s", n, d.header.Get(webhooks.DeliveryIDHeader))
		}
	}
	if len(seen) != all || len(r.received) != 0 {
		t.Errorf("%d of %d were delivered, %d deliveries are left over", len(seen), all, len(r.received))
	}
	if both := second.Observer.(*roundRecorder); len(both.problems)+len(f.roundRecorder.problems) != all {
		t.Errorf("%d and %d attempts", len(both.problems), len(f.roundRecorder.problems))
	}
}

// claimAndCrash claims one delivery for each endpoint and never completes it.
func (f *fixture) claimAndCrash() (claimed int) {
	f.t.Helper()
	now := f.clock.now()
	var due []store.DueEndpoint
	f.read(func(snap *store.Snapshot) (err error) {
		due, err = snap.DueEndpoints()
		return err
	})
	f.write(func(tx *store.Tx) error {
		for _, d := range due {
			got, err := tx.ClaimDeliveries(d.Endpoint, now, now.Add(webhooks.Lease), 1, webhooks.MaxAttempts)
			if err != nil {
				return err
			}
			claimed += len(got)
		}
		return nil
	})
	return claimed
}

func TestADeliveryOfACrashedProcessIsSentAfterItsLease(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(1)
	if n := f.claimAndCrash(); n != 1 {
		t.Fatalf("%d claimed", n)
	}
	f.start()
	f.clock.set(noon.Add(webhooks.Lease - time.Microsecond))
	f.waitIdle()
	if n := len(r.received); n != 0 {
		t.Fatalf("%d were sent within the lease", n)
	}
	f.clock.set(noon.Add(webhooks.Lease))
	if got := r.next(t); got.header.Get(webhooks.AttemptHeader) != "2" {
		t.Errorf("attempt %s", got.header.Get(webhooks.AttemptHeader))
	}
	f.waitIdle()
	if d := f.onlyDelivery(id); d.Status != webhooks.Delivered || d.AttemptCount != 2 {
		t.Errorf("%+v", d)
	}
}

func TestADeliveryThatCrashesEveryProcessFailsInTheEnd(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(1)
	for n := range webhooks.MaxAttempts {
		f.clock.set(noon.Add(time.Duration(n) * webhooks.Lease))
		if claimed := f.claimAndCrash(); claimed != 1 {
			t.Fatalf("%d claimed the %dth time", claimed, n+1)
		}
	}
	f.clock.set(noon.Add(24 * time.Hour))
	f.start()
	f.waitIdle()
	if d := f.onlyDelivery(id); d.Status != webhooks.Failed || d.AttemptCount != webhooks.MaxAttempts ||
		len(r.received) != 0 {
		t.Errorf("%+v, %d sent", d, len(r.received))
	}
}

func TestStoppingWaitsForAttemptsInProgress(t *testing.T) {
	answer := make(chan int)
	r := newReceiver(t, respondWith(answer))
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(2)
	end, ended := startDispatcher(t, f.config, func(d *outbox.Dispatcher) { d.SetDrain(time.Hour) })
	r.next(t)
	end()
	answer <- http.StatusOK
	<-ended
	if all := f.deliveries(id); all[1].Status != webhooks.Delivered || all[0].AttemptCount != 0 || len(r.received) != 0 {
		t.Errorf("%+v", all)
	}
}

func TestStoppingReleasesAttemptsThatTakeTooLong(t *testing.T) {
	r := hangingReceiver(t)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL + "/hang/")
	f.emit(1)
	stop := f.start(func(d *outbox.Dispatcher) { d.SetDrain(0) })
	r.next(t)
	stop()
	d := f.onlyDelivery(id)
	if d.Status != webhooks.Pending || !d.NextRetryAt.Equal(noon) || d.LastProblem != webhooks.NoProblem ||
		d.AttemptCount != 1 {
		t.Errorf("%+v", d)
	}
	if e := f.readEndpoint(id); e.FailingSince != nil {
		t.Errorf("the endpoint counts as failing: %+v", e)
	}
	if prompt, slow, _ := f.roundRecorder.counts(); prompt+slow != 0 || len(f.roundRecorder.problems) != 0 {
		t.Errorf("%d attempts are left in progress, the observer got %v", prompt+slow, f.roundRecorder.problems)
	}
}

func TestAnOutcomeIsWrittenOnceTheDatabaseAcceptsItAgain(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	allow := f.rejectUpdates("NEW.status <> 'pending'", "disk full")
	f.emit(1)
	f.start()
	r.next(t)
	f.waitUntil("the failure was logged", func() bool { return strings.Count(f.logs.String(), "disk full") >= 3 })
	allow()
	f.waitUntil("the outcome was written", func() bool { return f.onlyDelivery(id).Status == webhooks.Delivered })
	// One log line for the first failure of the database, and one for the first failure of the
	// delivery.
	if n := strings.Count(f.logs.String(), "level=WARN"); n != 2 {
		t.Errorf("%d warnings:\n%s", n, f.logs)
	}
	if d := f.onlyDelivery(id); d.AttemptCount != 1 || len(r.received) != 0 {
		t.Errorf("%+v, sent %d times more", d, len(r.received))
	}
}

func TestAnOutcomeThatCannotBeWrittenBlocksNoOtherAndIsLoggedAsLost(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	f.addEndpoints(r, 0, 20)
	bad, _ := f.endpoint(r.URL + "/bad")
	f.emit(1)
	allow := f.rejectUpdates(
		fmt.Sprintf("NEW.public_id = '%s' AND NEW.status <> 'pending'", f.onlyDelivery(bad).ID), "bad row",
	)
	f.emitToAll(5)
	f.start()
	f.waitUntil("the others are delivered", func() bool { return f.depth().Pending == 1 })
	f.clock.set(noon.Add(webhooks.Lease))
	f.waitUntil("the loss was logged", func() bool {
		return strings.Contains(f.logs.String(), "outcome of a webhook attempt was lost")
	})
	allow()
	f.waitUntil("it is delivered again", func() bool { return f.onlyDelivery(bad).Status == webhooks.Delivered })
}

func TestASecretThatCannotBeDecryptedIsNotTheReceiversFailure(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL + "/sealed")
	right := f.key
	wrong, err := sealing.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	f.key = wrong
	f.config.Unseal = wrong.Open
	other, _ := f.endpoint(r.URL + "/open")
	f.emit(1)
	stop := f.start()
	if got := r.next(t); got.path != "/open" {
		t.Errorf("sent to %s", got.path)
	}
	f.waitIdle()
	for n := range 5 {
		f.clock.set(f.clock.now().Add(time.Minute << n))
		f.waitIdle()
	}
	d := f.onlyDelivery(id)
	if d.Status != webhooks.Pending || d.LastProblem != webhooks.NoProblem || d.AttemptCount < 2 || d.AttemptCount > 6 ||
		len(r.received) != 0 {
		t.Errorf("%+v, %d sent", d, len(r.received))
	}
	if e := f.readEndpoint(id); e.FailingSince != nil {
		t.Errorf("the endpoint counts as failing: %+v", e)
	}
	if n := strings.Count(f.logs.String(), "level=ERROR"); n != 1 || !strings.Contains(f.logs.String(), id) {
		t.Errorf("it was logged %d times:\n%s", n, f.logs)
	}
	stop()
	f.clock.set(f.clock.now().Add(webhooks.Lease))
	f.key, f.config.Unseal = right, right.Open
	f.start()
	if got := r.next(t); got.path != "/sealed" {
		t.Errorf("with the right key: sent to %s", got.path)
	}
	f.waitIdle()
	if d := f.onlyDelivery(other); d.AttemptCount != 1 {
		t.Errorf("%+v", d)
	}
}

func TestAPreviousSecretThatCannotBeDecryptedDoesNotSign(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	right := f.key
	lost, err := sealing.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	f.key = lost
	id, _ := f.endpoint(r.URL)
	f.key = right
	current := f.rotate(id)
	f.emit(1)
	f.start()
	got := r.next(t)
	if _, n := signedAt(t, got); n != 1 || !verifies(got, current) {
		t.Errorf("signed %q", signature(got))
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) { return t(req) }

func TestAfterAPanicTheDeliveryIsAttemptedAgain(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	real := f.config.Transport
	var once sync.Once
	f.config.Transport = transport(func(req *http.Request) (*http.Response, error) {
		once.Do(func() { panic(errors.New("a bug")) })
		return real.RoundTrip(req)
	})
	id, _ := f.endpoint(r.URL)
	f.emit(1)
	f.start()
	f.waitUntil("it was logged", func() bool { return strings.Contains(f.logs.String(), "*errors.errorString at ") })
	f.waitIdle()
	if d := f.onlyDelivery(id); d.Status != webhooks.Pending || !d.NextRetryAt.Equal(noon.Add(webhooks.Lease)) {
		t.Errorf("%+v", d)
	}
	f.clock.set(noon.Add(webhooks.Lease))
	if d := f.waitForAttempt(id, 2); d.Status != webhooks.Delivered {
		t.Errorf("%+v", d)
	}
	real.(*http.Transport).CloseIdleConnections()
}

func TestACommittedEventWakesTheDispatcher(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	f.config.Poll = time.Hour
	f.endpoint(r.URL)
	f.start()
	f.waitUntil("it sleeps", func() bool { _, _, rounds := f.roundRecorder.counts(); return rounds > 0 })
	f.emit(1)
	r.next(t)
	f.waitUntil("it was observed", func() bool {
		f.roundRecorder.mu.Lock()
		defer f.roundRecorder.mu.Unlock()
		return len(f.roundRecorder.problems) == 1 && f.roundRecorder.problems[0] == webhooks.NoProblem
	})
}

func TestNoGoroutineIsLeftAfterRun(t *testing.T) {
	r := hangingReceiver(t)
	f := newFixture(t, r)
	f.addEndpoints(r, 10, 10)
	f.emitToAll(3)
	stop := f.start(func(d *outbox.Dispatcher) { d.SetDrain(0) })
	r.awaitResponding(t, 30)
	stop()
	limit := time.After(waitLimit)
	for {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		// The receiver's own goroutines match neither.
		if !strings.Contains(string(stacks), "outbox.(*") && !strings.Contains(string(stacks), "net/http.(*persistConn)") {
			return
		}
		select {
		case <-limit:
			t.Fatalf("still running:\n%s", stacks)
		default:
			runtime.Gosched()
		}
	}
}
