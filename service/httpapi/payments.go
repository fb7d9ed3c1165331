package httpapi

import (
	"time"

	"tarmac/service/payments"
	"tarmac/service/store"
)

// intentResponse is the JSON form of a payment intent (docs/api.md, Payment intent). Its fields are
// listed here so that a new field of payments.Intent is not exposed by accident.
type intentResponse struct {
	ID               string          `json:"id"`
	Status           payments.Status `json:"status"`
	AmountCents      int64           `json:"amount_cents"`
	Currency         string          `json:"currency"`
	Direction        string          `json:"direction"`
	Description      string          `json:"description"`
	CounterpartyName string          `json:"counterparty_name"`
	StatusReason     *string         `json:"status_reason"`
	CreatedAt        time.Time       `json:"created_at"`
	UpdatedAt        time.Time       `json:"updated_at"`
	HeldAt           *time.Time      `json:"held_at"`
	CompletedAt      *time.Time      `json:"completed_at"`
	FailedAt         *time.Time      `json:"failed_at"`
	CanceledAt       *time.Time      `json:"canceled_at"`
}

func getPaymentIntent(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	var p payments.Intent
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		p, err = snap.PaymentIntent(c.credential.Org, c.pathParam)
		return err
	})
	if err != nil {
		return nil, lookupError(err, "payment intent")
	}
	response := intentResponse{
		ID: p.ID, Status: p.Status, AmountCents: p.AmountCents, Currency: p.Currency, Direction: p.Direction,
		Description: p.Description, CounterpartyName: p.Counterparty,
		CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt), HeldAt: nullableTime(p.HeldAt),
		CompletedAt: nullableTime(p.CompletedAt), FailedAt: nullableTime(p.FailedAt), CanceledAt: nullableTime(p.CanceledAt),
	}
	if p.StatusReason != "" {
		response.StatusReason = &p.StatusReason
	}
	return response, nil
}
