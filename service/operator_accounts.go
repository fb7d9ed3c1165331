package service

import (
	"context"
	"errors"
	"fmt"

	"tarmac/service/accounts"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

// Account returns an organization's managed account as stored, even if SetAccountFault makes live
// reads fail. The error wraps store.ErrNotFound if there is no such organization.
func (s *Service) Account(ctx context.Context, orgPublicID string) (a store.Account, err error) {
	err = s.readOrganization(ctx, orgPublicID, func(snap *store.Snapshot, org store.OrgKey) (err error) {
		a, err = snap.ManagedAccount(org)
		return err
	})
	return a, err
}

// OpenAccount opens an organization's managed account with the balance b, in USD cents. The error
// wraps store.ErrNotFound if there is no such organization. It is *lifecycle.Conflict if the
// account is open already, and *lifecycle.Invalid if an amount is negative or too large.
func (s *Service) OpenAccount(ctx context.Context, orgPublicID string, b accounts.Balance) error {
	return s.changeAccount(ctx, orgPublicID, func(tx *store.Tx, org store.OrgKey) error {
		return lifecycle.New(tx, s.ids, s.now()).OpenAccount(org, orgPublicID, b)
	})
}

// CloseAccount closes an organization's managed account. The error wraps store.ErrNotFound if there
// is no such organization, and is *lifecycle.Conflict if the account is not open.
func (s *Service) CloseAccount(ctx context.Context, orgPublicID string) error {
	return s.changeAccount(ctx, orgPublicID, func(tx *store.Tx, org store.OrgKey) error {
		return lifecycle.New(tx, s.ids, s.now()).CloseAccount(org, orgPublicID)
	})
}

// SetAccountFault makes live reads of an organization's balance fail if fault is true, and succeed
// again if it is false (docs/api.md, Live balance). The error wraps store.ErrNotFound if there is
// no such organization, or if it never had an account.
func (s *Service) SetAccountFault(ctx context.Context, orgPublicID string, fault bool) error {
	return s.changeAccount(ctx, orgPublicID, func(tx *store.Tx, org store.OrgKey) error {
		err := tx.SetAccountFault(org, fault)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("%s has no account yet, open one first: %w", orgPublicID, err)
		}
		return err
	})
}

func (s *Service) changeAccount(
	ctx context.Context, orgPublicID string, change func(*store.Tx, store.OrgKey) error,
) error {
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return err
	}
	return s.store.Write(ctx, func(tx *store.Tx) error { return change(tx, org) })
}
