package httpapi

import (
	"context"
	"errors"

	"tarmac/service/accounts"
	"tarmac/service/bookrules"
	"tarmac/service/cashnote"
	"tarmac/service/store"
)

// BalanceReader reads the current balance of an organization's managed account, for example from
// the service's database.
type BalanceReader interface {
	// Balance returns the balance of an open account. open is false if the organization has no open
	// account.
	Balance(ctx context.Context, org store.OrgKey) (open bool, b accounts.Balance, err error)
}

// StoredBalances is a BalanceReader that reads from the service's own database.
type StoredBalances struct {
	Store *store.Store
	// Live are the names of the providers whose last readings replace the balances of accounts in
	// their statements.
	Live []string
}

var errFault = errors.New("the account is set to fail live reads")

// unknownBalance is the error of own books whose balance is not known. Its text tells the caller
// why. Its facts, which only an error of the cash position has, are those of the note that is
// missing with it.
type unknownBalance struct {
	text  string
	facts cashnote.Facts
}

func (e *unknownBalance) Error() string { return e.text }

// Balance implements BalanceReader. It returns an error if an operator has set the account to fail
// live reads, and *unknownBalance if the balance of own books is not known.
func (s StoredBalances) Balance(ctx context.Context, org store.OrgKey) (bool, accounts.Balance, error) {
	var open bool
	var b accounts.Balance
	err := s.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		open, b, _, err = s.balanceIn(snap, org, "")
		return err
	})
	return open, b, err
}

// balanceIn is Balance for a snapshot that is already open, in a currency as in ledger.Filter. The
// note says when accounts were read from their providers.
func (s StoredBalances) balanceIn(snap *store.Snapshot, org store.OrgKey, currency string) (
	open bool, b accounts.Balance, note string, err error,
) {
	account, err := snap.ManagedAccount(org)
	if err != nil {
		return false, accounts.Balance{}, "", err
	}
	if currency != "" {
		return s.reportedBalance(snap, org, account, currency)
	}
	if account.Fault {
		cash, err := snap.BookCash(org, "")
		switch {
		case err != nil:
			return false, accounts.Balance{}, "", err
		case cash.Unknown != "":
			return false, accounts.Balance{}, "", &unknownBalance{text: cash.Unknown}
		}
		return false, accounts.Balance{}, "", errFault
	}
	b, note, err = s.withReadings(snap, org, account.Balance)
	return account.Open, b, note, err
}

// withReadings returns a stored balance with the last readings of live accounts in it.
func (s StoredBalances) withReadings(snap *store.Snapshot, org store.OrgKey, b accounts.Balance) (
	accounts.Balance, string, error,
) {
	live, err := snap.LiveConnections(org, s.Live)
	if err != nil || len(live) == 0 {
		return b, "", err
	}
	shares, err := snap.BookCashShares(org)
	if err != nil {
		return accounts.Balance{}, "", err
	}
	return bookrules.WithReadings(b, shares, readingsOf(live), bookrules.USD)
}

// reportedBalance returns the balance of own books in their reporting currency, with the last
// readings of live accounts in it. The account is the one that is stored in US dollars.
func (s StoredBalances) reportedBalance(
	snap *store.Snapshot, org store.OrgKey, account store.Account, currency string,
) (open bool, b accounts.Balance, note string, err error) {
	if err := snap.CheckCurrency(org, currency); err != nil {
		return false, b, "", err
	}
	usd, err := snap.BookCash(org, "")
	if err != nil {
		return false, b, "", err
	}
	cash, err := snap.BookCash(org, currency)
	switch {
	case err != nil:
		return false, b, "", err
	case cash.Unknown != "":
		return false, b, "", &unknownBalance{text: cash.Unknown}
	case account.Fault && usd.Unknown == "":
		return false, b, "", errFault
	}
	shares, err := snap.ReportedCashShares(org)
	if err != nil {
		return false, b, "", err
	}
	if b, err = bookrules.TotalOf(shares); err != nil {
		return false, b, "", err
	}
	b.SyncedAt = account.Balance.SyncedAt
	live, err := snap.LiveConnections(org, s.Live)
	if err == nil {
		b, note, err = bookrules.WithReadings(b, shares, readingsOf(live), currency)
	}
	return account.Open, b, note, err
}

func readingsOf(live []store.LiveConnection) []bookrules.Reading {
	var readings []bookrules.Reading
	for _, c := range live {
		readings = append(readings, c.Readings...)
	}
	return readings
}
