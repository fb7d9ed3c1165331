package lifecycle

import (
	"fmt"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/payments"
	"tarmac/service/store"
)

// Limits of a payment. maxAmount is in minor units, the others are in characters.
const (
	maxAmount        = 1_000_000_000_000
	maxDescription   = 500
	maxCounterparty  = 200
	maxFailureReason = 200
)

// defaultFailureReason is the reason that FailPayment stores if it is given none.
const defaultFailureReason = "the payment could not be made"

var paymentStatuses = []payments.Status{
	payments.Processing, payments.Held, payments.Completed, payments.Failed, payments.Canceled,
}

// Payment holds the fields of a payment that CreatePayment creates.
type Payment struct {
	AmountCents  int64 // amount in minor units of Currency
	Currency     string
	Direction    ledger.Direction
	Description  string
	Counterparty string
	// HeldFor is the reason for holding the payment, payments.AwaitingApproval or
	// payments.StepUpRequired. If it is "", the payment is not held.
	HeldFor string
}

// CreatePayment stores a new payment intent. Its status is held if request.HeldFor is not "",
// otherwise processing.
func (m Transitions) CreatePayment(org store.OrgKey, request Payment) (payments.Intent, error) {
	p, err := request.intent()
	if err != nil {
		return payments.Intent{}, err
	}
	p.CreatedAt, p.UpdatedAt = m.now, m.now
	if p.Status == payments.Held {
		p.HeldAt = &m.now
	}
	if p.ID, err = m.ids.New(ids.PaymentIntent, m.now); err != nil {
		return payments.Intent{}, fmt.Errorf("making a payment intent's id: %w", err)
	}
	if err := m.tx.InsertPaymentIntent(org, p); err != nil {
		return payments.Intent{}, err
	}
	return p, m.appendPaymentEvent(org, p)
}

// intent returns the requested payment as an intent without id and times. The error is *Invalid if
// a field of the request is not valid.
func (request Payment) intent() (p payments.Intent, err error) {
	if request.AmountCents < 1 || request.AmountCents > maxAmount {
		return p, invalidf("the amount must be from 1 to %d minor units", int64(maxAmount))
	}
	if !isCurrency(request.Currency) {
		return p, invalidf("the currency must be a code of three capital letters, such as USD")
	}
	p = payments.Intent{
		Status: payments.Processing, AmountCents: request.AmountCents, Currency: request.Currency,
		Direction: request.Direction.String(),
	}
	if p.Description, err = checkLine("description", request.Description, maxDescription); err != nil {
		return p, err
	}
	if p.Counterparty, err = checkLine("counterparty", request.Counterparty, maxCounterparty); err != nil {
		return p, err
	}
	if request.HeldFor == "" {
		return p, nil
	}
	p.Status, p.StatusReason = payments.Held, request.HeldFor
	return p, checkHoldReason(request.HeldFor)
}

func isCurrency(code string) bool {
	for _, c := range []byte(code) {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return len(code) == 3
}

func checkHoldReason(reason string) error {
	if reason != payments.AwaitingApproval && reason != payments.StepUpRequired {
		return invalidf("a payment is held for %s or %s", payments.AwaitingApproval, payments.StepUpRequired)
	}
	return nil
}

// HoldPayment changes a processing payment to held. The reason is payments.AwaitingApproval or
// payments.StepUpRequired.
func (m Transitions) HoldPayment(org store.OrgKey, id, reason string) (payments.Intent, error) {
	if err := checkHoldReason(reason); err != nil {
		return payments.Intent{}, err
	}
	return m.transitionPayment(org, id, payments.Held, func(p *payments.Intent) {
		p.HeldAt, p.StatusReason = &m.now, reason
	})
}

// ApprovePayment changes a held payment back to processing. This has no event.
func (m Transitions) ApprovePayment(org store.OrgKey, id string) (payments.Intent, error) {
	return m.transitionPayment(org, id, payments.Processing, func(*payments.Intent) {})
}

// CompletePayment changes a processing payment to completed.
func (m Transitions) CompletePayment(org store.OrgKey, id string) (payments.Intent, error) {
	return m.transitionPayment(org, id, payments.Completed, func(p *payments.Intent) { p.CompletedAt = &m.now })
}

// FailPayment changes a processing payment to failed, which means that no money moved. reason is
// one line of at most 200 characters, which the API shows. If it is "", defaultFailureReason is
// used.
func (m Transitions) FailPayment(org store.OrgKey, id, reason string) (payments.Intent, error) {
	if reason == "" {
		reason = defaultFailureReason
	}
	reason, err := checkLine("reason", reason, maxFailureReason)
	if err != nil {
		return payments.Intent{}, err
	}
	return m.transitionPayment(org, id, payments.Failed, func(p *payments.Intent) {
		p.FailedAt, p.StatusReason = &m.now, reason
	})
}

// CancelPayment changes a held or processing payment to canceled.
func (m Transitions) CancelPayment(org store.OrgKey, id string) (payments.Intent, error) {
	return m.transitionPayment(org, id, payments.Canceled, func(p *payments.Intent) { p.CanceledAt = &m.now })
}

func (m Transitions) transitionPayment(
	org store.OrgKey, id string, next payments.Status, change func(*payments.Intent),
) (payments.Intent, error) {
	p, err := m.tx.PaymentIntent(org, id)
	if err != nil {
		return payments.Intent{}, err
	}
	if err := checkTransition("the payment "+p.ID, p.Status, next, paymentStatuses); err != nil {
		return payments.Intent{}, err
	}
	// StatusReason explains the old status only.
	p.Status, p.StatusReason, p.UpdatedAt = next, "", m.now
	change(&p)
	if err := m.tx.UpdatePaymentIntent(org, p); err != nil {
		return payments.Intent{}, err
	}
	return p, m.appendPaymentEvent(org, p)
}

// appendPaymentEvent appends the event for a payment's new status. The status processing has no
// event.
func (m Transitions) appendPaymentEvent(org store.OrgKey, p payments.Intent) error {
	if p.Status == payments.Processing {
		return nil
	}
	return m.appendEvent(org, func(id string) (events.Event, error) { return events.ForPayment(id, m.now, p) })
}
