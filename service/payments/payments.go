// Package payments defines payment intents and the transitions between their statuses (docs/api.md,
// Payment intent, Payment status).
package payments

import "time"

// Status is the status of a payment intent, such as "processing".
type Status string

// The statuses of a payment intent. Completed, failed and canceled are final.
const (
	Processing Status = "processing"
	Held       Status = "held"
	Completed  Status = "completed"
	Failed     Status = "failed"
	Canceled   Status = "canceled"
)

// The reasons for holding a payment.
const (
	AwaitingApproval = "awaiting_approval"
	StepUpRequired   = "step_up_required"
)

// CanBecome reports whether a payment intent's status may change from s to newStatus. From held it
// can change to processing (when approved) or canceled, from processing to completed, failed, held
// or canceled.
func (s Status) CanBecome(newStatus Status) bool {
	switch s {
	case Held:
		return newStatus == Processing || newStatus == Canceled
	case Processing:
		return newStatus == Completed || newStatus == Failed || newStatus == Held || newStatus == Canceled
	}
	return false
}

// Intent is the part of a payment that the API may show. The payment's destination, rail, fee cap
// and internal ids are not stored at all. Amounts are in minor units of Currency. Times are in UTC;
// nil means that something has not happened.
type Intent struct {
	ID           string // public id, "pi_…"
	Status       Status
	AmountCents  int64
	Currency     string
	Direction    string // "inflow" or "outflow"
	Description  string
	Counterparty string
	StatusReason string // reason for a held or failed status; otherwise ""
	CreatedAt    time.Time
	UpdatedAt    time.Time
	HeldAt       *time.Time
	CompletedAt  *time.Time
	FailedAt     *time.Time
	CanceledAt   *time.Time
}
