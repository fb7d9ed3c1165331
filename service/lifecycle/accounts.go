package lifecycle

import (
	"errors"
	"fmt"
	"slices"

	"tarmac/internal/money"
	"tarmac/service/accounts"
	"tarmac/service/store"
)

// The statuses of a managed account (docs/api.md, Account).
const (
	statusOpen    = "open"
	statusNotOpen = "not_open"
)

// OpenAccount opens the organization's managed account with the balance b. Errors name the
// organization by orgID. The error is *Conflict if the account is open, and *Invalid if an amount
// is negative or the sum of the amounts overflows.
func (m Transitions) OpenAccount(org store.OrgKey, orgID string, b accounts.Balance) error {
	isOpen, _, _, err := m.tx.ManagedAccount(org)
	if err != nil {
		return err
	}
	if isOpen {
		return &Conflict{Record: accountName(orgID), Status: statusOpen, Next: statusOpen, Others: []string{statusNotOpen}}
	}
	if min(b.AvailableCents, b.HoldingCents, b.LockedCents, b.PendingCents) < 0 {
		return invalidf("the amounts of an opening balance cannot be negative")
	}
	settled, ok := b.SettledCents()
	if _, fits := money.Add(settled, b.PendingCents); !ok || !fits {
		return invalidf("the balance is too large: its amounts add up to more than 64 bits can hold")
	}
	b.SyncedAt = m.now
	return m.tx.SetAccount(org, true, b)
}

// CloseAccount closes the organization's managed account and deletes its balance. Errors name the
// organization by orgID.
func (m Transitions) CloseAccount(org store.OrgKey, orgID string) error {
	isOpen, _, _, err := m.tx.ManagedAccount(org)
	if err != nil {
		return err
	}
	if !isOpen {
		return &Conflict{Record: accountName(orgID), Status: statusNotOpen, Next: statusNotOpen, Others: []string{statusOpen}}
	}
	return m.tx.SetAccount(org, false, accounts.Balance{})
}

// TransferToBank moves USD cents from the managed account's available balance to the linked bank
// account named bank. It sets the time of both balances to now. The ledger gets no transaction,
// because no money enters or leaves the organization.
func (m Transitions) TransferToBank(org store.OrgKey, bank string, cents int64) error {
	isOpen, balance, _, err := m.tx.ManagedAccount(org)
	if err != nil {
		return err
	}
	if !isOpen {
		return invalidf("the account is not open; only an open account can send money")
	}
	if cents < 1 || cents > balance.AvailableCents {
		return invalidf("a transfer must be from 1 to %d cents, the available balance", balance.AvailableCents)
	}
	linked, err := m.linkedUSDAccount(org, bank)
	if err != nil {
		return err
	}
	after, ok := money.Add(linked.BalanceMinor, cents)
	if !ok {
		return invalidf("the balance of %s would become too large: more than 64 bits can hold", bank)
	}
	balance.AvailableCents -= cents
	balance.SyncedAt = m.now
	linked.BalanceMinor, linked.USDCents, linked.ReadAt = after, after, m.now
	return errors.Join(m.tx.SetAccount(org, true, balance), m.tx.SetLinkedAccount(org, linked))
}

// linkedUSDAccount returns the organization's linked bank account named bank. The error is *Invalid
// if the account's currency is not USD.
func (m Transitions) linkedUSDAccount(org store.OrgKey, bank string) (accounts.Linked, error) {
	all, err := m.tx.LinkedAccounts(org)
	if err != nil {
		return accounts.Linked{}, err
	}
	i := slices.IndexFunc(all, func(l accounts.Linked) bool { return l.Name == bank })
	if i < 0 {
		return accounts.Linked{}, fmt.Errorf("the linked account %q: %w", bank, store.ErrNotFound)
	}
	if all[i].Currency != "USD" {
		return accounts.Linked{}, invalidf(
			"the linked account %q is in %s; only USD can be transferred", bank, all[i].Currency,
		)
	}
	return all[i], nil
}

func accountName(orgID string) string { return "the account of " + orgID }
