// Package accounts describes the accounts that hold an organization's cash: the account that the
// service manages for it, and linked bank accounts (docs/api.md, Account, Cash position).
package accounts

import (
	"time"

	"tarmac/internal/money"
)

// Balance is the balance of the account that the service manages, in USD cents.
type Balance struct {
	AvailableCents int64 // cash that can be spent now
	HoldingCents   int64
	LockedCents    int64 // cash reserved for obligations
	PendingCents   int64 // payments that have not cleared yet
	SyncedAt       time.Time
}

// SettledCents returns the sum of the available, held and locked cash. ok is false if the sum
// overflows an int64.
func (b Balance) SettledCents() (cents int64, ok bool) {
	cents, ok = money.Add(b.AvailableCents, b.HoldingCents)
	if !ok {
		return 0, false
	}
	return money.Add(cents, b.LockedCents)
}

// Linked is the last reported balance of a linked bank account.
type Linked struct {
	Name         string
	Currency     string
	BalanceMinor int64
	USDCents     int64 // balance in USD cents; 0 if USDKnown is false
	USDKnown     bool  // false if there is no exchange rate for the currency
	ReadAt       time.Time
}
