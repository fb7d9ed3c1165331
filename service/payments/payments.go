// Package payments describes payment intents and the changes of their status (docs/api.md, Payment
// intent, Payment status).
package payments

import "time"

// Status is a payment intent's status.
type Status string

// The statuses of a payment intent. Completed, failed and canceled are final.
const (
	Processing Status = "processing"
	Held       Status = "held"
	Completed  Status = "completed"
	Failed     Status = "failed"
	Canceled   Status = "canceled"
)

// The reasons why a payment is held.
const (
	AwaitingApproval = "awaiting_approval"
	StepUpRequired   = "step_up_required"
)

// CanBecome reports whether a payment intent's status may change from s to next. Held can become
// processing (approved) or canceled; processing can become completed, failed, held or canceled.
func (s Status) CanBecome(next Status) bool {
	switch s {
	case Held:
		return next == Processing || next == Canceled
	case Processing:
		return next == Completed || next == Failed || next == Held || next == Canceled
	}
	return false
}

// Intent is the part of a payment that the API may show. Destination, rail, fee cap and internal
// ids are not stored at all. Times are in UTC, and nil for what has not happened. Money is
// integer minor units of Currency.
type Intent struct {
	ID           string // public id, "pi_…"
	Status       Status
	AmountCents  int64
	Currency     string
	Direction    string // "inflow" or "outflow"
	Description  string
	Counterparty string
	StatusReason string // "" for none
	CreatedAt    time.Time
	UpdatedAt    time.Time
	HeldAt       *time.Time
	CompletedAt  *time.Time
	FailedAt     *time.Time
	CanceledAt   *time.Time
}
