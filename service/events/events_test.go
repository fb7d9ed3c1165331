package events_test

import (
	"testing"
	"time"

	"tarmac/service/events"
	"tarmac/service/invoicing"
	"tarmac/service/payments"
)

var at = time.Date(2026, 11, 20, 13, 0, 0, 123_456_789, time.FixedZone("", 3600))

// Receivers verify and store the envelope's bytes, so they must not change.
func TestEnvelopesAreExact(t *testing.T) {
	invoice := invoicing.Invoice{ID: "inv_1", Sequence: 7, Status: invoicing.Paid, TotalCents: 12345, Currency: "USD"}
	got, err := events.ForInvoice("evt_1", at, invoice)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"evt_1","type":"invoice.paid","version":1,"occurred_at":"2026-11-20T12:00:00.123Z",` +
		`"data":{"invoice_id":"inv_1","number":"INV-000007","status":"paid","total_cents":12345,"currency":"USD"}}`
	if string(got.Body) != want {
		t.Errorf("invoice envelope\n%s\nwant\n%s", got.Body, want)
	}
	if got.Type != events.InvoicePaid || got.ID != "evt_1" || !got.OccurredAt.Equal(at.Truncate(time.Millisecond)) {
		t.Errorf("event %+v", got)
	}

	payment := payments.Intent{ID: "pi_<1>&", Status: payments.Held, AmountCents: 5, Currency: "USD",
		Description: "secret", Counterparty: "secret"}
	if got, err = events.ForPayment("evt_2", at, payment); err != nil {
		t.Fatal(err)
	}
	want = `{"id":"evt_2","type":"payment.held","version":1,"occurred_at":"2026-11-20T12:00:00.123Z",` +
		`"data":{"payment_intent_id":"pi_<1>&","amount_cents":5,"currency":"USD"}}`
	if string(got.Body) != want {
		t.Errorf("payment envelope\n%s\nwant\n%s", got.Body, want)
	}

	if got, err = events.ForTest("evt_3", at); err != nil {
		t.Fatal(err)
	}
	want = `{"id":"evt_3","type":"test.event","version":1,"occurred_at":"2026-11-20T12:00:00.123Z",` +
		`"data":{"message":"Test event sent from the verify endpoint."}}`
	if string(got.Body) != want {
		t.Errorf("test envelope\n%s\nwant\n%s", got.Body, want)
	}
}

func TestEveryMoveThatHasAnEventHasTheRightOne(t *testing.T) {
	for status, want := range map[invoicing.Status]events.Type{
		invoicing.Sent: events.InvoiceSent, invoicing.Overdue: events.InvoiceOverdue, invoicing.Paid: events.InvoicePaid,
		invoicing.Voided: events.InvoiceVoided,
	} {
		if e, err := events.ForInvoice("evt_1", at, invoicing.Invoice{Status: status}); err != nil || e.Type != want {
			t.Errorf("%s: %s, %v", status, e.Type, err)
		}
	}
	for status, want := range map[payments.Status]events.Type{
		payments.Held: events.PaymentHeld, payments.Completed: events.PaymentCompleted, payments.Failed: events.PaymentFailed,
		payments.Canceled: events.PaymentCanceled,
	} {
		if e, err := events.ForPayment("evt_1", at, payments.Intent{Status: status}); err != nil || e.Type != want {
			t.Errorf("%s: %s, %v", status, e.Type, err)
		}
	}
	if _, err := events.ForInvoice("evt_1", at, invoicing.Invoice{Status: invoicing.Draft}); err == nil {
		t.Error("a draft has an event")
	}
	if _, err := events.ForPayment("evt_1", at, payments.Intent{Status: payments.Processing}); err == nil {
		t.Error("a payment that is processing has an event")
	}
}

func TestParseTypeKnowsTheNineAndNoOther(t *testing.T) {
	if len(events.Types) != 9 {
		t.Errorf("%d types", len(events.Types))
	}
	for _, known := range events.Types {
		if got, ok := events.ParseType(string(known)); !ok || got != known {
			t.Errorf("ParseType(%s) = %s, %v", known, got, ok)
		}
	}
	for _, s := range []string{"", "invoice.refunded", "Invoice.paid", "invoice.*", "books.synced"} {
		if _, ok := events.ParseType(s); ok {
			t.Errorf("%q is a type", s)
		}
	}
}
