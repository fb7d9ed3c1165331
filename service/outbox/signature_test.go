package outbox_test

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/payments"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

func signature(d delivery) string { return d.header.Get(webhooks.SignatureHeader) }

// signedAt returns the time of a signature header and how many signatures it has.
func signedAt(t testing.TB, d delivery) (at time.Time, signatures int) {
	t.Helper()
	first, rest, _ := strings.Cut(signature(d), ",")
	seconds, err := strconv.ParseInt(strings.TrimPrefix(first, "t="), 10, 64)
	if err != nil {
		t.Fatalf("the signature is %q", signature(d))
	}
	return time.Unix(seconds, 0).UTC(), strings.Count(rest, "v1=")
}

func verifies(d delivery, secret string) bool {
	return webhook.ValidatePayloadIgnoringTolerance(d.body, signature(d), secret) == nil
}

func TestADeliveryHasTheBytesOfTheFeedAndASignatureOfNow(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	f.clock.set(time.Now().UTC())
	id, secret := f.endpoint(r.URL + "/hook?key=hidden")
	evs := f.emit(1)
	f.start()
	got := r.next(t)
	f.waitIdle()
	if err := webhook.ValidatePayload(got.body, signature(got), secret); err != nil {
		t.Errorf("a verifier says %v of %q", err, signature(got))
	}
	var fed events.Event
	f.read(func(snap *store.Snapshot) (err error) {
		fed, err = snap.Event(f.org, evs[0].ID, noon.AddDate(-10, 0, 0))
		return err
	})
	if !bytes.Equal(got.body, fed.Body) || got.method != http.MethodPost || got.path != "/hook?key=hidden" {
		t.Errorf("got %s %s %s\nthe feed has %s", got.method, got.path, got.body, fed.Body)
	}
	d := f.onlyDelivery(id)
	for name, want := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "OrgFinance-Webhooks/1.0", "Accept-Encoding": "",
		webhooks.EventIDHeader: evs[0].ID, webhooks.EventTypeHeader: "payment.failed", webhooks.DeliveryIDHeader: d.ID,
		webhooks.AttemptHeader: "1",
	} {
		if got := got.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if d.Status != webhooks.Delivered || d.LastResponseCode != 204 || d.NextRetryAt != nil || d.DeliveredAt == nil ||
		d.AttemptCount != 1 {
		t.Errorf("the delivery is %+v", d)
	}
	for _, confidential := range []string{secret, "hidden", "125000"} {
		if strings.Contains(f.logs.String(), confidential) {
			t.Errorf("the log has %q:\n%s", confidential, f.logs)
		}
	}
}

// newReceiver checks each delivery against the contract.
func TestEveryEventTypeIsDeliveredAsInTheContract(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.write(func(tx *store.Tx) error {
		e, err := tx.Endpoint(f.org, id)
		e.EventTypes = events.Types[:]
		return errors.Join(err, tx.UpdateEndpoint(f.org, e))
	})
	f.rotate(id)
	var evs []events.Event
	add := func(e events.Event, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		evs = append(evs, e)
	}
	for _, status := range []invoicing.Status{invoicing.Sent, invoicing.Overdue, invoicing.Paid, invoicing.Voided} {
		add(events.ForInvoice(f.id(ids.Event), noon, invoicing.Invoice{
			ID: f.id(ids.Invoice), Sequence: 42, Status: status, TotalCents: 240000, Currency: "USD",
		}))
	}
	for _, status := range []payments.Status{payments.Held, payments.Completed, payments.Failed, payments.Canceled} {
		add(events.ForPayment(f.id(ids.Event), noon, payments.Intent{
			ID: f.id(ids.PaymentIntent), Status: status, AmountCents: 125000, Currency: "USD",
		}))
	}
	f.write(func(tx *store.Tx) error { return tx.AppendEvents(f.org, evs) })
	f.verify(id)

	f.start()

	var got []string
	for range events.Types {
		got = append(got, r.next(t).header.Get(webhooks.EventTypeHeader))
	}
	slices.Sort(got)
	contractCheck, err := loadContract()
	if err != nil {
		t.Fatal(err)
	}
	if want := contractCheck.EventTypes(); !slices.Equal(got, want) {
		t.Errorf("delivered were %v, want %v", got, want)
	}
}

func TestARetryIsSignedWithItsOwnTime(t *testing.T) {
	failed := false
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		if !failed {
			failed = true
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	f := newFixture(t, r)
	id, secret := f.endpoint(r.URL)
	f.emit(1)
	f.start()
	first := r.next(t)
	f.waitForAttempt(id, 1)
	f.clock.set(noon.Add(time.Hour))
	second := r.next(t)
	f.waitForAttempt(id, 2)
	for i, d := range []delivery{first, second} {
		if at, n := signedAt(t, d); n != 1 || !at.Equal(noon.Add(time.Duration(i)*time.Hour)) || !verifies(d, secret) {
			t.Errorf("attempt %d is signed %q", i+1, signature(d))
		}
		if got := d.header.Get(webhooks.AttemptHeader); got != strconv.Itoa(i+1) {
			t.Errorf("attempt %d says it is %s", i+1, got)
		}
	}
	if !bytes.Equal(first.body, second.body) ||
		first.header.Get(webhooks.DeliveryIDHeader) != second.header.Get(webhooks.DeliveryIDHeader) {
		t.Error("the retry is another delivery")
	}
}

func TestBothSecretsSignForADayAfterRotating(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	id, oldest := f.endpoint(r.URL)
	previous := f.rotate(id)
	current := f.rotate(id)
	f.emit(1)
	f.start()
	got := r.next(t)
	f.waitIdle()
	if _, n := signedAt(t, got); n != 2 || !verifies(got, current) || !verifies(got, previous) || verifies(got, oldest) {
		t.Errorf("during the overlap the signature is %q", signature(got))
	}
	newest := webhooks.Sign(noon, got.body, current)
	if !strings.HasPrefix(signature(got), newest+",v1=") {
		t.Errorf("the new secret does not sign first: %q", signature(got))
	}
	f.clock.set(noon.Add(webhooks.RotationOverlap - time.Second))
	f.emit(1)
	if got := r.next(t); !verifies(got, previous) {
		t.Errorf("a second before the end the signature is %q", signature(got))
	}
}

// The time of sending counts, not that of queuing.
func TestThePreviousSecretDoesNotSignAfterTheOverlap(t *testing.T) {
	r := newReceiver(t, nil)
	f := newFixture(t, r)
	id, previous := f.endpoint(r.URL)
	current := f.rotate(id)
	f.emit(1)
	f.clock.set(noon.Add(webhooks.RotationOverlap))
	f.start()
	got := r.next(t)
	if _, n := signedAt(t, got); n != 1 || !verifies(got, current) || verifies(got, previous) {
		t.Errorf("after the overlap the signature is %q", signature(got))
	}
}
