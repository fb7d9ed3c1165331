// Package events defines the events of the service: their types, their envelope, and how long they
// can be read (docs/api.md, Event types, Event envelope, Retention).
package events

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"tarmac/service/invoicing"
	"tarmac/service/payments"
)

// Type is the type of an event, such as "invoice.sent".
type Type string

// The types of events. TestEvent is sent only when a client asks to verify a webhook endpoint.
const (
	InvoiceSent      Type = "invoice.sent"
	InvoiceOverdue   Type = "invoice.overdue"
	InvoicePaid      Type = "invoice.paid"
	InvoiceVoided    Type = "invoice.voided"
	PaymentHeld      Type = "payment.held"
	PaymentCompleted Type = "payment.completed"
	PaymentFailed    Type = "payment.failed"
	PaymentCanceled  Type = "payment.canceled"
	TestEvent        Type = "test.event"
)

// Retired is the type of events that earlier versions stored when a reading of a provider had
// changed the books. It is not public: such events are left out wherever events are read.
const Retired Type = "books.synced"

// Types lists all public types.
var Types = [...]Type{
	InvoiceSent, InvoiceOverdue, InvoicePaid, InvoiceVoided,
	PaymentHeld, PaymentCompleted, PaymentFailed, PaymentCanceled, TestEvent,
}

// ParseType returns the type named s. ok is false if no type has that name.
func ParseType(s string) (Type, bool) {
	for _, known := range Types {
		if string(known) == s {
			return known, true
		}
	}
	return "", false
}

// Version is the version of the envelope. It increases when an existing field of the envelope
// changes, but not when a field is added.
const Version = 1

// RetentionDays is the number of days after which an event can no longer be read.
const RetentionDays = 90

// Event is an event in an organization's event feed.
type Event struct {
	ID         string // public id, "evt_…"
	Type       Type
	OccurredAt time.Time
	// Body is the envelope as JSON. The event feed and all webhook deliveries send these bytes.
	Body []byte
}

type invoiceData struct {
	InvoiceID  string `json:"invoice_id"`
	Number     string `json:"number"`
	Status     string `json:"status"`
	TotalCents int64  `json:"total_cents"`
	Currency   string `json:"currency"`
}

type testData struct {
	Message string `json:"message"`
}

type paymentData struct {
	PaymentIntentID string `json:"payment_intent_id"`
	AmountCents     int64  `json:"amount_cents"`
	Currency        string `json:"currency"`
}

// ForInvoice returns the event of an invoice whose status has just changed. id is the event's
// public id. It returns an error for a draft, which has no event.
func ForInvoice(id string, at time.Time, inv invoicing.Invoice) (Event, error) {
	t, ok := map[invoicing.Status]Type{
		invoicing.Sent: InvoiceSent, invoicing.Overdue: InvoiceOverdue,
		invoicing.Paid: InvoicePaid, invoicing.Voided: InvoiceVoided,
	}[inv.Status]
	if !ok {
		return Event{}, fmt.Errorf("no event for an invoice that is %s", inv.Status)
	}
	return newEvent(id, t, at, invoiceData{
		InvoiceID: inv.ID, Number: inv.Number(), Status: string(inv.Status), TotalCents: inv.TotalCents,
		Currency: inv.Currency,
	})
}

// ForPayment returns the event of a payment intent whose status has just changed. id is the event's
// public id. It returns an error for the status processing, which has no event.
func ForPayment(id string, at time.Time, p payments.Intent) (Event, error) {
	t, ok := map[payments.Status]Type{
		payments.Held: PaymentHeld, payments.Completed: PaymentCompleted,
		payments.Failed: PaymentFailed, payments.Canceled: PaymentCanceled,
	}[p.Status]
	if !ok {
		return Event{}, fmt.Errorf("no event for a payment that is %s", p.Status)
	}
	return newEvent(id, t, at, paymentData{PaymentIntentID: p.ID, AmountCents: p.AmountCents, Currency: p.Currency})
}

// ForTest returns the test event that verifies a webhook endpoint (docs/api.md, Test event).
func ForTest(id string, at time.Time) (Event, error) {
	return newEvent(id, TestEvent, at, testData{Message: "Test event sent from the verify endpoint."})
}

func newEvent(id string, t Type, at time.Time, data any) (Event, error) {
	at = at.UTC().Truncate(time.Millisecond)
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		ID         string    `json:"id"`
		Type       Type      `json:"type"`
		Version    int       `json:"version"`
		OccurredAt time.Time `json:"occurred_at"`
		Data       any       `json:"data"`
	}{id, t, Version, at, data})
	if err != nil {
		return Event{}, err
	}
	return Event{ID: id, Type: t, OccurredAt: at, Body: bytes.TrimSuffix(body.Bytes(), []byte("\n"))}, nil
}
