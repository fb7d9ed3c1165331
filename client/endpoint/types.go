package endpoint

import (
	"errors"

	"tarmac/apiclient"
)

// Type is an event type to which an endpoint can subscribe, with a description of what it reports.
type Type struct {
	Name  apiclient.EventType
	Means string
}

// Types returns the event types that the user can choose. test.event is not among them, because an
// endpoint receives it whatever its subscriptions (docs/api.md, Test event).
func Types() []Type {
	return []Type{
		{apiclient.EventInvoiceSent, "an invoice was sent"},
		{apiclient.EventInvoiceOverdue, "an invoice is past its due date"},
		{apiclient.EventInvoicePaid, "an invoice was paid"},
		{apiclient.EventInvoiceVoided, "an invoice was voided"},
		{apiclient.EventPaymentHeld, "a payment is on hold"},
		{apiclient.EventPaymentCompleted, "a payment completed"},
		{apiclient.EventPaymentFailed, "a payment failed"},
		{apiclient.EventPaymentCanceled, "a payment was canceled"},
	}
}

// ErrNoTypes means that the user selected no event type for an endpoint.
var ErrNoTypes = errors.New("select at least one event type")
