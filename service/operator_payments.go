package service

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"tarmac/service/ids"
	"tarmac/service/invoicing"
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

// CreatePayment creates a payment intent with the status processing or held (lifecycle.Payment). If
// key is not "", the same request with the same key within a day returns the payment of the first
// one, and another request is ErrKeyUsed. The error wraps store.ErrNotFound if there is no such
// organization. It is *lifecycle.Invalid if the request is not valid.
func (s *Service) CreatePayment(
	ctx context.Context, orgPublicID string, request lifecycle.Payment, key string,
) (p payments.Intent, err error) {
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return payments.Intent{}, err
	}
	now := s.now()
	err = s.store.Write(ctx, func(tx *store.Tx) (err error) {
		if key == "" {
			p, err = lifecycle.New(tx, s.ids, now).CreatePayment(org, request)
			return err
		}
		key, print := paymentKeys+key, sha256.Sum256(fmt.Appendf(nil, "%#v", request))
		stored, err := tx.StoredResponse(org, key, now.Add(-invoicing.ResponseRetention))
		switch {
		case err == nil && !bytes.Equal(stored.Fingerprint, print[:]):
			return ErrKeyUsed
		case err == nil:
			p, err = tx.PaymentIntent(org, stored.InvoiceID)
			return err
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
		if p, err = lifecycle.New(tx, s.ids, now).CreatePayment(org, request); err != nil {
			return err
		}
		return tx.StoreResponse(org, key, store.StoredResponse{
			Fingerprint: print[:], InvoiceID: p.ID, Body: []byte{}, CreatedAt: now,
		})
	})
	return p, err
}

// paymentKeys begins the stored keys of payments. Those of proposals are printable ASCII, so that
// the two never meet.
const paymentKeys = "payment\n"

// ErrKeyUsed means that the key of a request belongs to another request.
var ErrKeyUsed = errors.New("this key was used for another payment; choose another one")

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
