package outbox_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// retryWaits is the retry schedule without jitter (docs/api.md, Retry schedule).
var retryWaits = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
}

// respondingReceiver returns a receiver and the status that it responds with, which a test
// may change.
func respondingReceiver(t testing.TB, first int) (r *receiver, code *atomic.Int64) {
	t.Helper()
	code = &atomic.Int64{}
	code.Store(int64(first))
	r = newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(code.Load())) })
	return r, code
}

// failAllAttempts lets a delivery fail until it has no attempts left, and sets the clock to
// the last one.
func (f *fixture) failAllAttempts(id string) webhooks.Delivery {
	f.t.Helper()
	for n := range retryWaits {
		due := f.waitForAttempt(id, n+1).NextRetryAt
		if due == nil {
			f.t.Fatalf("given up after %d attempts", n+1)
		}
		f.clock.set(*due)
	}
	return f.waitForAttempt(id, len(retryWaits)+1)
}

func TestADeliveryIsTriedEightTimesOnSchedule(t *testing.T) {
	r, _ := respondingReceiver(t, http.StatusServiceUnavailable)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(1)
	f.start()
	for n, wait := range retryWaits {
		d := f.waitForAttempt(id, n+1)
		due := f.clock.now().Add(wait)
		if d.Status != webhooks.Pending || d.NextRetryAt == nil || !d.NextRetryAt.Equal(due) || d.LastResponseCode != 503 ||
			d.LastProblem != webhooks.BadStatus || !d.LastAttemptAt.Equal(f.clock.now()) {
			t.Fatalf("after attempt %d, due %v: %+v", n+1, due, d)
		}
		f.clock.set(due.Add(-time.Microsecond))
		f.waitIdle()
		if d := f.onlyDelivery(id); d.AttemptCount != n+1 {
			t.Fatalf("attempt %d was made early", d.AttemptCount)
		}
		f.clock.set(due)
	}
	d := f.waitForAttempt(id, 8)
	if d.Status != webhooks.Failed || d.NextRetryAt != nil || d.LastResponseCode != 503 {
		t.Errorf("in the end: %+v", d)
	}
	f.clock.set(noon.AddDate(0, 1, 0))
	f.waitIdle()
	if n := len(r.received); n != 8 {
		t.Errorf("the receiver got %d", n)
	}
	if e := f.readEndpoint(id); e.Status != webhooks.Active || !e.FailingSince.Equal(noon) {
		t.Errorf("the endpoint failed for a day only and is %+v", e)
	}
}

func TestTheReceiverCanExtendTheWaitWithRetryAfter(t *testing.T) {
	for _, test := range []struct {
		name, after string
		code        int
		want        time.Duration
	}{
		{"seconds", "8", 503, 8 * time.Second},
		{"a date", noon.Add(9 * time.Second).Format(http.TimeFormat), 503, 9 * time.Second},
		{"less than it gets anyway", "1", 503, 5 * time.Second},
		{"more than it gets", "86400", 503, 10 * time.Second},
		{"more than a number holds", "99999999999999999999999", 503, 10 * time.Second},
		{"a date long past", "Thu, 01 Jan 1970 00:00:00 GMT", 503, 5 * time.Second},
		{"nonsense", "soon", 503, 5 * time.Second},
		{"less than nothing", "-5", 503, 5 * time.Second},
		{"when it has too much", "90", 429, 90 * time.Second},
		{"where it does not count", "8", 500, 5 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", test.after)
				w.WriteHeader(test.code)
			})
			f := newFixture(t, r)
			id, _ := f.endpoint(r.URL)
			f.emit(1)
			f.start()
			if d := f.waitForAttempt(id, 1); !d.NextRetryAt.Equal(noon.Add(test.want)) {
				t.Errorf("due %v, want %v", d.NextRetryAt.Sub(noon), test.want)
			}
		})
	}
}

func TestStatus410DisablesTheEndpoint(t *testing.T) {
	r, _ := respondingReceiver(t, http.StatusGone)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(3)
	f.start()
	f.waitUntil("it is disabled", func() bool { return f.readEndpoint(id).Status == webhooks.AutoDisabled })
	if e := f.readEndpoint(id); e.DisabledReason != webhooks.Gone || !e.DisabledAt.Equal(noon) {
		t.Errorf("the endpoint is %+v", e)
	}
	f.waitIdle()
	for i, d := range f.deliveries(id) {
		first := i == 2 // the list begins with the newest
		if d.Status != webhooks.Failed || d.NextRetryAt != nil || first != (d.LastProblem == webhooks.GoneForGood) {
			t.Errorf("%+v", d)
		}
	}
	f.emit(1)
	f.waitIdle()
	if n := len(r.received); n != 1 {
		t.Errorf("the receiver got %d", n)
	}
}

func TestFiveDaysOfFailureDisableTheEndpoint(t *testing.T) {
	r, _ := respondingReceiver(t, http.StatusInternalServerError)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(1)
	f.start()
	f.failAllAttempts(id)
	f.clock.set(noon.Add(webhooks.DisableAfter))
	f.emit(2)
	last := func() webhooks.Delivery { return f.deliveries(id)[1] }
	for f.readEndpoint(id).Status == webhooks.Active {
		f.waitIdle()
		if next := last().NextRetryAt; next != nil && next.After(f.clock.now()) {
			f.clock.set(*next)
		}
	}
	if e := f.readEndpoint(id); e.Status != webhooks.AutoDisabled || e.DisabledReason != webhooks.Failing ||
		!e.FailingSince.Equal(noon) {
		t.Errorf("the endpoint is %+v", e)
	}
	f.waitIdle()
	for _, d := range f.deliveries(id) {
		if d.Status != webhooks.Failed || d.NextRetryAt != nil {
			t.Errorf("%+v", d)
		}
	}
}

func TestASuccessResetsTheEndpointsFailingTime(t *testing.T) {
	r, code := respondingReceiver(t, http.StatusInternalServerError)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(1)
	f.start()
	f.waitForAttempt(id, 1)
	if e := f.readEndpoint(id); e.FailingSince == nil || !e.FailingSince.Equal(noon) {
		t.Errorf("after a failure: %+v", e)
	}
	code.Store(http.StatusAccepted)
	f.clock.set(noon.Add(5 * time.Second))
	if d := f.waitForAttempt(id, 2); d.Status != webhooks.Delivered || d.LastResponseCode != 202 ||
		d.LastProblem != webhooks.NoProblem {
		t.Errorf("%+v", d)
	}
	if e := f.readEndpoint(id); e.FailingSince != nil {
		t.Errorf("after a success: %+v", e)
	}
}

func TestDeliveriesOfAPausedEndpointAreSentAfterItResumes(t *testing.T) {
	r, code := respondingReceiver(t, http.StatusInternalServerError)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(1)
	f.start()
	f.waitForAttempt(id, 1)
	f.setStatus(id, webhooks.Paused)
	code.Store(http.StatusOK)
	f.clock.set(noon.Add(time.Hour))
	f.emit(1)
	f.waitIdle()
	if d := f.onlyDelivery(id); d.Status != webhooks.Pending || d.AttemptCount != 1 || d.NextRetryAt == nil {
		t.Errorf("while paused: %+v", d)
	}
	f.setStatus(id, webhooks.Active)
	f.clock.set(noon.Add(time.Hour + webhooks.ReleaseSpread))
	if d := f.waitForAttempt(id, 2); d.Status != webhooks.Delivered {
		t.Errorf("after resuming: %+v", d)
	}
}

func TestAnAttemptThatFailsAfterItsEndpointWasPausedIsHeld(t *testing.T) {
	answer := make(chan int)
	r := newReceiver(t, respondWith(answer))
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(1)
	f.start()
	r.next(t)
	f.setStatus(id, webhooks.Paused)
	answer <- http.StatusInternalServerError
	f.waitUntil("the outcome was written", func() bool { return f.onlyDelivery(id).LastResponseCode == 500 })
	if d := f.depth(); d.Held != 1 || d.Pending != 0 {
		t.Errorf("%+v", d)
	}
	f.clock.set(noon.Add(webhooks.MaxHeldAge + time.Second))
	f.setStatus(id, webhooks.Active)
	f.waitIdle()
	if d := f.onlyDelivery(id); d.Status != webhooks.Failed || d.AttemptCount != 1 || d.NextRetryAt != nil {
		t.Errorf("after three days: %+v", d)
	}
}

func TestDeletingAnEndpointDropsItsAttemptInProgress(t *testing.T) {
	answer := make(chan int)
	r := newReceiver(t, respondWith(answer))
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(2)
	f.start()
	r.next(t)
	f.write(func(tx *store.Tx) error { return tx.DeleteEndpoint(f.org, id) })
	answer <- http.StatusOK
	f.waitIdle()
	if n := len(r.received); n != 0 {
		t.Errorf("%d more were delivered", n)
	}
	if d := f.depth(); d.Pending+d.Held != 0 {
		t.Errorf("left in the outbox: %+v", d)
	}
	if !strings.Contains(f.logs.String(), "webhook attempt dropped") {
		t.Errorf("the log does not have it:\n%s", f.logs)
	}
}

func TestATestEventIsDeliveredWhateverTheEndpointsStatus(t *testing.T) {
	for _, status := range []webhooks.Status{webhooks.Active, webhooks.Paused, webhooks.AutoDisabled} {
		t.Run(string(status), func(t *testing.T) {
			r := newReceiver(t, nil)
			f := newFixture(t, r)
			id, _ := f.endpoint(r.URL + "/this")
			f.endpoint(r.URL + "/other")
			f.write(func(tx *store.Tx) error {
				e, err := tx.Endpoint(f.org, id)
				if err != nil {
					return err
				}
				e.Status = status
				return tx.UpdateEndpoint(f.org, e)
			})
			f.start()
			deliveryID := f.verify(id)
			got := r.next(t)
			f.waitIdle()
			if got.path != "/this" || got.header.Get(webhooks.DeliveryIDHeader) != deliveryID ||
				got.header.Get(webhooks.EventTypeHeader) != "test.event" {
				t.Errorf("got %+v", got)
			}
			if d := f.onlyDelivery(id); d.Status != webhooks.Delivered || len(r.received) != 0 {
				t.Errorf("%+v, and %d more", d, len(r.received))
			}
			if e := f.readEndpoint(id); e.Status != status {
				t.Errorf("the endpoint is %s", e.Status)
			}
		})
	}
}

func TestFailedTestEventsNeverDisableAnEndpoint(t *testing.T) {
	for _, code := range []int{http.StatusGone, http.StatusInternalServerError} {
		t.Run(strconv.Itoa(code), func(t *testing.T) {
			r, _ := respondingReceiver(t, code)
			f := newFixture(t, r)
			id, _ := f.endpoint(r.URL)
			f.start()
			f.verify(id)
			var d webhooks.Delivery
			if code == http.StatusGone {
				d = f.waitForAttempt(id, 1)
			} else {
				d = f.failAllAttempts(id)
			}
			if e := f.readEndpoint(id); d.Status != webhooks.Failed || e.Status != webhooks.Active || e.FailingSince != nil {
				t.Errorf("%+v of %+v", d, e)
			}
		})
	}
}
