package apiclient

import (
	"context"
	"time"
)

// PaymentStatus is the status of a payment intent. The API does not define the values; the
// constants are those of tarmac's own service (docs/api.md, Payment status).
type PaymentStatus string

// Values of PaymentStatus.
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

// PaymentIntent is a requested payment (docs/api.md, Payment intent). Only the status is always
// present; missing fields are "", nil or unknown. Extra holds the fields that the API does not
// define, in the server's order. Times are in UTC.
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

// PaymentIntent returns the payment intent with this ID. It returns ErrNotFound if there is none.
func (c *Client) PaymentIntent(ctx context.Context, id string) (*PaymentIntent, error) {
	call, err := readOne("/payment-intents/{intentId}", id)
	if err != nil {
		return nil, err
	}
	return fetch(ctx, c, call, (*object).paymentIntent)
}

func (o *object) paymentIntent(f *fields) PaymentIntent {
	intent := PaymentIntent{
		ID:               o.text("id", "payment_intent_id"),
		Status:           PaymentStatus(o.text("status")),
		StatusReason:     o.text("status_reason"),
		Direction:        Direction(o.text("direction")),
		Description:      o.text("description"),
		CounterpartyName: o.text("counterparty_name"),
		CreatedAt:        o.timestamp("created_at"),
		UpdatedAt:        o.timestamp("updated_at"),
		HeldAt:           o.timestamp("held_at"),
		CompletedAt:      o.timestamp("completed_at"),
		FailedAt:         o.timestamp("failed_at"),
		CanceledAt:       o.timestamp("canceled_at"),
	}
	intent.Amount = o.amount("amount_cents")
	if intent.Status == "" {
		f.fail("status", "is missing")
	}
	intent.Extra = o.extra()
	return intent
}

// amount reads an amount in cents and its currency. If the amount is missing, it returns an unknown
// amount.
func (o *object) amount(name string) Amount {
	currency := o.text("currency")
	if minor := o.integer(name); minor != nil {
		return NewAmount(*minor, currency)
	}
	return UnknownAmount(currency)
}
