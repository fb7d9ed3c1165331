// Package accounts holds where an organization's cash lies: its account with
// the service, and the banks it has linked (docs/api.md, Account, Cash position).
package accounts

import (
	"time"

	"tarmac/internal/money"
)

// Balance is the managed account's balance in USD cents.
type Balance struct {
	AvailableCents int64 // spendable now
	HoldingCents   int64 // held
	LockedCents    int64 // locked against obligations
	PendingCents   int64 // pending clearing
	SyncedAt       time.Time
}

// SettledCents returns the cash that is there: available, held and locked.
// Pending is not cash yet. ok is false when the sum does not fit.
func (b Balance) SettledCents() (cents int64, ok bool) {
	cents, ok = money.Add(b.AvailableCents, b.HoldingCents)
	if !ok {
		return 0, false
	}
	return money.Add(cents, b.LockedCents)
}

// Linked is the balance that a linked bank last reported. USDKnown is false
// where its currency has no rate; USDCents is then 0 and counts nowhere.
type Linked struct {
	Name         string
	Currency     string
	BalanceMinor int64
	USDCents     int64
	USDKnown     bool
	ReadAt       time.Time
}
