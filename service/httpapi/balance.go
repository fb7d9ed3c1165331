package httpapi

import (
	"context"
	"errors"

	"tarmac/service/accounts"
	"tarmac/service/store"
)

// BalanceReader reads the balance of an organization's managed account where it
// is kept, at the moment it is asked for.
type BalanceReader interface {
	// Balance returns open false when the organization has no open account. An
	// error means that the balance could not be read: what it is, is then not known.
	Balance(ctx context.Context, org store.OrgKey) (open bool, b accounts.Balance, err error)
}

// StoredBalances reads balances from the service's own records.
type StoredBalances struct{ Store *store.Store }

var errFault = errors.New("the account is set to fail live reads")

// Balance returns what is recorded, and an error for an account that is set to
// fail.
func (s StoredBalances) Balance(ctx context.Context, org store.OrgKey) (bool, accounts.Balance, error) {
	var open bool
	var b accounts.Balance
	err := s.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		open, b, err = s.at(snap, org)
		return err
	})
	return open, b, err
}

// at is Balance as of a snapshot.
func (s StoredBalances) at(snap *store.Snapshot, org store.OrgKey) (bool, accounts.Balance, error) {
	account, err := snap.Account(org)
	if err != nil {
		return false, accounts.Balance{}, err
	}
	if account.Fault {
		return false, accounts.Balance{}, errFault
	}
	return account.Open, account.Balance, nil
}
