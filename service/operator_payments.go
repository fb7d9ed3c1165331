package service

import (
	"context"

	"tarmac/service/ids"
	"tarmac/service/lifecycle"
	"tarmac/service/payments"
	"tarmac/service/store"
)

// Payments returns an organization's newest payment intents. The error wraps
// store.ErrNotFound where there is no such organization.
func (s *Service) Payments(ctx context.Context, orgPublicID string, limit int) (all []payments.Intent, err error) {
	err = s.readOrganization(ctx, orgPublicID, func(snap *store.Snapshot, org store.OrgKey) (err error) {
		all, err = snap.PaymentIntents(org, limit)
		return err
	})
	return all, err
}

// CreatePayment adds a payment intent, processing or held. The error wraps
// store.ErrNotFound where there is no such organization, and is *lifecycle.Invalid
// for a payment that cannot be.
func (s *Service) CreatePayment(ctx context.Context, orgPublicID string, asked lifecycle.Payment) (p payments.Intent, err error) {
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return payments.Intent{}, err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) (err error) {
		p, err = lifecycle.New(tx, s.ids, s.now()).CreatePayment(org, asked)
		return err
	})
	return p, err
}

// HoldPayment stops a payment that is under way. Errors of this and the following
// are those of package lifecycle; that of a payment that there is not wraps
// store.ErrNotFound.
func (s *Service) HoldPayment(ctx context.Context, id, reason string) (payments.Intent, error) {
	return s.movePayment(ctx, id, func(m lifecycle.Transitions, org store.OrgKey, id string) (payments.Intent, error) {
		return m.HoldPayment(org, id, reason)
	})
}

// ApprovePayment lets a held payment go on.
func (s *Service) ApprovePayment(ctx context.Context, id string) (payments.Intent, error) {
	return s.movePayment(ctx, id, lifecycle.Transitions.ApprovePayment)
}

// CompletePayment settles a payment that is under way.
func (s *Service) CompletePayment(ctx context.Context, id string) (payments.Intent, error) {
	return s.movePayment(ctx, id, lifecycle.Transitions.CompletePayment)
}

// FailPayment ends a payment that is under way, for a reason that the API shows;
// "" is a general one.
func (s *Service) FailPayment(ctx context.Context, id, reason string) (payments.Intent, error) {
	return s.movePayment(ctx, id, func(m lifecycle.Transitions, org store.OrgKey, id string) (payments.Intent, error) {
		return m.FailPayment(org, id, reason)
	})
}

// CancelPayment ends a payment that is held or under way.
func (s *Service) CancelPayment(ctx context.Context, id string) (payments.Intent, error) {
	return s.movePayment(ctx, id, lifecycle.Transitions.CancelPayment)
}

func (s *Service) movePayment(ctx context.Context, id string,
	move func(lifecycle.Transitions, store.OrgKey, string) (payments.Intent, error)) (p payments.Intent, err error) {
	if err := named("a payment", id, ids.PaymentIntent); err != nil {
		return payments.Intent{}, err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		org, err := tx.PaymentIntentOrg(id)
		if err != nil {
			return err
		}
		p, err = move(lifecycle.New(tx, s.ids, s.now()), org, id)
		return err
	})
	return p, naming("the payment", id, err)
}
