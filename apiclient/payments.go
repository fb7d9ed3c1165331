package apiclient

import (
	"context"
	"time"
)

// PaymentStatus is the state of a payment intent. The API does not list the states;
// these are this service's (docs/api.md, Payment status).
type PaymentStatus string

// The statuses of a payment intent.
const (
	PaymentProcessing PaymentStatus = "processing"
	PaymentHeld       PaymentStatus = "held"
	PaymentCompleted  PaymentStatus = "completed"
	PaymentFailed     PaymentStatus = "failed"
	PaymentCanceled   PaymentStatus = "canceled"
)

// Known reports whether s is one of those above.
func (s PaymentStatus) Known() bool {
	switch s {
	case PaymentProcessing, PaymentHeld, PaymentCompleted, PaymentFailed, PaymentCanceled:
		return true
	}
	return false
}

// PaymentIntent is a payment on its way (docs/api.md, Payment intent). Only its
// status is certain; what the server does not send is "", nil or unknown, and what
// else it sends is in Extra, in its order. Times are UTC.
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
	var answer object
	if err := decode(call, body, &answer); err != nil {
		return nil, err
	}
	intent := &PaymentIntent{
		ID:               answer.text("id", "payment_intent_id"),
		Status:           PaymentStatus(answer.text("status")),
		StatusReason:     answer.text("status_reason"),
		Direction:        Direction(answer.text("direction")),
		Description:      answer.text("description"),
		CounterpartyName: answer.text("counterparty_name"),
		CreatedAt:        answer.moment("created_at"),
		UpdatedAt:        answer.moment("updated_at"),
		HeldAt:           answer.moment("held_at"),
		CompletedAt:      answer.moment("completed_at"),
		FailedAt:         answer.moment("failed_at"),
		CanceledAt:       answer.moment("canceled_at"),
	}
	intent.Amount = answer.amount("amount_cents")
	if intent.Status == "" {
		return nil, call.broken("status", "is missing")
	}
	intent.Extra = answer.rest()
	return intent, nil
}

// amount reads cents and the currency beside them; without cents it is unknown.
func (o *object) amount(name string) Amount {
	currency := o.text("currency")
	if minor := o.integer(name); minor != nil {
		return NewAmount(*minor, currency)
	}
	return UnknownAmount(currency)
}
