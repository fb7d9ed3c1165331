// Package payments holds payment intents: money on its way out or in, and where
// it stands (docs/api.md, Payment intent, Payment status).
package payments

import "time"

// Status is where a payment intent stands.
type Status string

// The statuses. Completed, failed and canceled are final.
const (
	Processing Status = "processing"
	Held       Status = "held"
	Completed  Status = "completed"
	Failed     Status = "failed"
	Canceled   Status = "canceled"
)

// Reasons a payment is held for.
const (
	AwaitingApproval = "awaiting_approval"
	StepUpRequired   = "step_up_required"
)

// CanBecome reports whether an intent in status s may move to next: held goes on
// to processing when approved or is canceled; processing completes, fails, is
// held or canceled.
func (s Status) CanBecome(next Status) bool {
	switch s {
	case Held:
		return next == Processing || next == Canceled
	case Processing:
		return next == Completed || next == Failed || next == Held || next == Canceled
	}
	return false
}

// Intent is what the API may show of a payment: destination, rail, fee cap and
// internal ids are not in it at all. Times are UTC, nil where it has not
// happened; money is integer minor units of Currency.
type Intent struct {
	ID           string // public id, "pi_…"
	Status       Status
	AmountCents  int64
	Currency     string
	Direction    string // "inflow" or "outflow"
	Description  string
	Counterparty string
	StatusReason string // "" when there is none
	CreatedAt    time.Time
	UpdatedAt    time.Time
	HeldAt       *time.Time
	CompletedAt  *time.Time
	FailedAt     *time.Time
	CanceledAt   *time.Time
}
