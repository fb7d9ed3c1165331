package service

import (
	"context"

	"tarmac/service/ids"
	"tarmac/service/lifecycle"
	"tarmac/service/payments"
	"tarmac/service/store"
)

// Payments returns an organization's newest payment intents, at most limit of them. The error wraps
// store.ErrNotFound if there is no such organization.
func (s *Service) Payments(ctx context.Context, orgPublicID string, limit int) (all []payments.Intent, err error) {
	err = s.readOrganization(ctx, orgPublicID, func(snap *store.Snapshot, org store.OrgKey) (err error) {
		all, err = snap.PaymentIntents(org, limit)
		return err
	})
	return all, err
}

// CreatePayment creates a payment intent with the status processing or held (lifecycle.Payment).
// The error wraps store.ErrNotFound if there is no such organization. It is *lifecycle.Invalid if
// the request is not valid.
func (s *Service) CreatePayment(
	ctx context.Context, orgPublicID string, request lifecycle.Payment,
) (p payments.Intent, err error) {
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return payments.Intent{}, err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) (err error) {
		p, err = lifecycle.New(tx, s.ids, s.now()).CreatePayment(org, request)
		return err
	})
	return p, err
}

// HoldPayment changes a processing payment to held. The error wraps store.ErrNotFound if there is
// no such payment. Other errors are those of package lifecycle.
func (s *Service) HoldPayment(ctx context.Context, id, reason string) (payments.Intent, error) {
	return s.transitionPayment(ctx, id, func(
		m lifecycle.Transitions, org store.OrgKey, id string,
	) (payments.Intent, error) {
		return m.HoldPayment(org, id, reason)
	})
}

// ApprovePayment changes a held payment back to processing. Errors are those of HoldPayment.
func (s *Service) ApprovePayment(ctx context.Context, id string) (payments.Intent, error) {
	return s.transitionPayment(ctx, id, lifecycle.Transitions.ApprovePayment)
}

// CompletePayment changes a processing payment to completed. Errors are those of HoldPayment.
func (s *Service) CompletePayment(ctx context.Context, id string) (payments.Intent, error) {
	return s.transitionPayment(ctx, id, lifecycle.Transitions.CompletePayment)
}

// FailPayment changes a processing payment to failed. The API shows the reason; if reason is "", it
// shows a general text. Errors are those of HoldPayment.
func (s *Service) FailPayment(ctx context.Context, id, reason string) (payments.Intent, error) {
	return s.transitionPayment(ctx, id, func(
		m lifecycle.Transitions, org store.OrgKey, id string,
	) (payments.Intent, error) {
		return m.FailPayment(org, id, reason)
	})
}

// CancelPayment changes a held or processing payment to canceled. Errors are those of HoldPayment.
func (s *Service) CancelPayment(ctx context.Context, id string) (payments.Intent, error) {
	return s.transitionPayment(ctx, id, lifecycle.Transitions.CancelPayment)
}

func (s *Service) transitionPayment(ctx context.Context, id string,
	transition func(lifecycle.Transitions, store.OrgKey, string) (payments.Intent, error)) (p payments.Intent, err error) {
	if err := checkID("a payment", id, ids.PaymentIntent); err != nil {
		return payments.Intent{}, err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		org, err := tx.PaymentIntentOrg(id)
		if err != nil {
			return err
		}
		p, err = transition(lifecycle.New(tx, s.ids, s.now()), org, id)
		return err
	})
	return p, wrapNotFound("the payment", id, err)
}
