package apiclient

import (
	"context"
	"time"
)

// PaymentStatus is the state of a payment intent. The API leaves the states open; the
// constants are those of tarmac's own service (docs/api.md, Payment status).
type PaymentStatus string

// The statuses of a payment intent.
const (
	PaymentProcessing PaymentStatus = "processing"
	PaymentHeld       PaymentStatus = "held"
	PaymentCompleted  PaymentStatus = "completed"
	PaymentFailed     PaymentStatus = "failed"
	PaymentCanceled   PaymentStatus = "canceled"
)

// Known reports whether s is one of the constants above.
func (s PaymentStatus) Known() bool {
	switch s {
	case PaymentProcessing, PaymentHeld, PaymentCompleted, PaymentFailed, PaymentCanceled:
		return true
	}
	return false
}

// PaymentIntent is a requested payment (docs/api.md, Payment intent). Only the status is
// always present; missing fields are "", nil or unknown. Extra holds undefined fields in
// the server's order. Times are UTC.
type PaymentIntent struct {
	ID               string
	Status           PaymentStatus
	StatusReason     string
	Amount           Amount
	Direction        Direction
	Description      string
	CounterpartyName string
	CreatedAt        *time.Time
	UpdatedAt        *time.Time
	HeldAt           *time.Time
	CompletedAt      *time.Time
	FailedAt         *time.Time
	CanceledAt       *time.Time
	Extra            []Field
}

// PaymentIntent returns one payment intent, or ErrNotFound.
func (c *Client) PaymentIntent(ctx context.Context, id string) (*PaymentIntent, error) {
	call, err := readOne("/payment-intents/{intentId}", id)
	if err != nil {
		return nil, err
	}
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var response object
	if err := decode(call, body, &response); err != nil {
		return nil, err
	}
	intent := &PaymentIntent{
		ID:               response.text("id", "payment_intent_id"),
		Status:           PaymentStatus(response.text("status")),
		StatusReason:     response.text("status_reason"),
		Direction:        Direction(response.text("direction")),
		Description:      response.text("description"),
		CounterpartyName: response.text("counterparty_name"),
		CreatedAt:        response.timestamp("created_at"),
		UpdatedAt:        response.timestamp("updated_at"),
		HeldAt:           response.timestamp("held_at"),
		CompletedAt:      response.timestamp("completed_at"),
		FailedAt:         response.timestamp("failed_at"),
		CanceledAt:       response.timestamp("canceled_at"),
	}
	intent.Amount = response.amount("amount_cents")
	if intent.Status == "" {
		return nil, call.contractError("status", "is missing")
	}
	intent.Extra = response.extra()
	return intent, nil
}

// amount reads an amount in cents and its currency; a missing amount is unknown.
func (o *object) amount(name string) Amount {
	currency := o.text("currency")
	if minor := o.integer(name); minor != nil {
		return NewAmount(*minor, currency)
	}
	return UnknownAmount(currency)
}
