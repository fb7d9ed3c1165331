package httpapi

import (
	"context"
	"errors"

	"tarmac/service/accounts"
	"tarmac/service/store"
)

// BalanceReader reads the current balance of an organization's managed account, wherever it is
// stored.
type BalanceReader interface {
	// Balance returns open as false if the organization has no open account. After an error both
	// the status and the balance are unknown.
	Balance(ctx context.Context, org store.OrgKey) (open bool, b accounts.Balance, err error)
}

// StoredBalances reads balances from the service's own database.
type StoredBalances struct{ Store *store.Store }

var errFault = errors.New("the account is set to fail live reads")

// Balance returns the stored balance, or an error if the account is set to fail live reads.
func (s StoredBalances) Balance(ctx context.Context, org store.OrgKey) (bool, accounts.Balance, error) {
	var open bool
	var b accounts.Balance
	err := s.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		open, b, err = s.balanceIn(snap, org)
		return err
	})
	return open, b, err
}

// balanceIn does what Balance does, in a snapshot that is already open.
func (s StoredBalances) balanceIn(snap *store.Snapshot, org store.OrgKey) (bool, accounts.Balance, error) {
	account, err := snap.Account(org)
	if err != nil {
		return false, accounts.Balance{}, err
	}
	if account.Fault {
		return false, accounts.Balance{}, errFault
	}
	return account.Open, account.Balance, nil
}
