package lifecycle

import (
	"fmt"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/payments"
	"tarmac/service/store"
)

// The bounds of a payment: the amount in minor units, text in characters.
const (
	maxAmount       = 1_000_000_000_000
	maxDescription  = 500
	maxCounterparty = 200
	maxFailure      = 200
)

// unexplained is the reason of a failure that none was given for.
const unexplained = "the payment could not be made"

var paymentStatuses = []payments.Status{
	payments.Processing, payments.Held, payments.Completed, payments.Failed, payments.Canceled,
}

// Payment is a payment that is asked for. HeldFor is "" for one that goes on at
// once, otherwise the reason why it does not: payments.AwaitingApproval or
// payments.StepUpRequired.
type Payment struct {
	AmountCents  int64 // minor units of Currency
	Currency     string
	Direction    ledger.Direction
	Description  string
	Counterparty string
	HeldFor      string
}

// CreatePayment adds a payment intent, processing or held.
func (m Moves) CreatePayment(org store.OrgKey, asked Payment) (payments.Intent, error) {
	p, err := asked.intent()
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
	return p, m.tellPayment(org, p)
}

// intent returns the payment intent that is asked for, without id and times.
func (asked Payment) intent() (p payments.Intent, err error) {
	if asked.AmountCents < 1 || asked.AmountCents > maxAmount {
		return p, invalidf("the amount must be from 1 to %d minor units", int64(maxAmount))
	}
	if !isCurrency(asked.Currency) {
		return p, invalidf("the currency must be a code of three capital letters, such as USD")
	}
	p = payments.Intent{Status: payments.Processing, AmountCents: asked.AmountCents, Currency: asked.Currency, Direction: asked.Direction.String()}
	if p.Description, err = line("description", asked.Description, maxDescription); err != nil {
		return p, err
	}
	if p.Counterparty, err = line("counterparty", asked.Counterparty, maxCounterparty); err != nil {
		return p, err
	}
	if asked.HeldFor == "" {
		return p, nil
	}
	p.Status, p.StatusReason = payments.Held, asked.HeldFor
	return p, checkHold(asked.HeldFor)
}

func isCurrency(code string) bool {
	for _, c := range []byte(code) {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return len(code) == 3
}

func checkHold(reason string) error {
	if reason != payments.AwaitingApproval && reason != payments.StepUpRequired {
		return invalidf("a payment is held for %s or %s", payments.AwaitingApproval, payments.StepUpRequired)
	}
	return nil
}

// HoldPayment stops a payment that is under way, for one of the two reasons.
func (m Moves) HoldPayment(org store.OrgKey, id, reason string) (payments.Intent, error) {
	if err := checkHold(reason); err != nil {
		return payments.Intent{}, err
	}
	return m.movePayment(org, id, payments.Held, func(p *payments.Intent) { p.HeldAt, p.StatusReason = &m.now, reason })
}

// ApprovePayment lets a held payment go on. That has no event.
func (m Moves) ApprovePayment(org store.OrgKey, id string) (payments.Intent, error) {
	return m.movePayment(org, id, payments.Processing, func(*payments.Intent) {})
}

// CompletePayment settles a payment that is under way.
func (m Moves) CompletePayment(org store.OrgKey, id string) (payments.Intent, error) {
	return m.movePayment(org, id, payments.Completed, func(p *payments.Intent) { p.CompletedAt = &m.now })
}

// FailPayment ends a payment that is under way; no money moved. The reason is
// shown by the API: one short line, "" for a general one.
func (m Moves) FailPayment(org store.OrgKey, id, reason string) (payments.Intent, error) {
	if reason == "" {
		reason = unexplained
	}
	reason, err := line("reason", reason, maxFailure)
	if err != nil {
		return payments.Intent{}, err
	}
	return m.movePayment(org, id, payments.Failed, func(p *payments.Intent) { p.FailedAt, p.StatusReason = &m.now, reason })
}

// CancelPayment ends a payment that is held or under way.
func (m Moves) CancelPayment(org store.OrgKey, id string) (payments.Intent, error) {
	return m.movePayment(org, id, payments.Canceled, func(p *payments.Intent) { p.CanceledAt = &m.now })
}

func (m Moves) movePayment(org store.OrgKey, id string, next payments.Status, change func(*payments.Intent)) (payments.Intent, error) {
	p, err := m.tx.PaymentIntent(org, id)
	if err != nil {
		return payments.Intent{}, err
	}
	if err := check("the payment "+p.ID, p.Status, next, paymentStatuses); err != nil {
		return payments.Intent{}, err
	}
	// A reason is of the status that it was given for.
	p.Status, p.StatusReason, p.UpdatedAt = next, "", m.now
	change(&p)
	if err := m.tx.UpdatePaymentIntent(org, p); err != nil {
		return payments.Intent{}, err
	}
	return p, m.tellPayment(org, p)
}

// tellPayment adds the event of a payment's new status; processing has none.
func (m Moves) tellPayment(org store.OrgKey, p payments.Intent) error {
	if p.Status == payments.Processing {
		return nil
	}
	return m.tell(org, func(id string) (events.Event, error) { return events.ForPayment(id, m.now, p) })
}
