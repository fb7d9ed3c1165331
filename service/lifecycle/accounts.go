package lifecycle

import (
	"errors"
	"fmt"
	"slices"

	"tarmac/internal/money"
	"tarmac/service/accounts"
	"tarmac/service/store"
)

// The two statuses of a managed account (docs/api.md, Account).
const (
	open    = "open"
	notOpen = "not_open"
)

// OpenAccount opens the organization's managed account with a balance, which
// counts as read now. orgID names the organization in errors. Amounts are zero or
// more, and so is what they come to.
func (m Moves) OpenAccount(org store.OrgKey, orgID string, b accounts.Balance) error {
	isOpen, _, _, err := m.tx.Account(org)
	if err != nil {
		return err
	}
	if isOpen {
		return &Conflict{Record: accountName(orgID), Status: open, Next: open, Others: []string{notOpen}}
	}
	if min(b.AvailableCents, b.HoldingCents, b.LockedCents, b.PendingCents) < 0 {
		return invalidf("a balance cannot be opened with less than nothing")
	}
	settled, ok := b.SettledCents()
	if _, fits := money.Add(settled, b.PendingCents); !ok || !fits {
		return invalidf("the balance is larger than can be counted")
	}
	b.SyncedAt = m.now
	return m.tx.SetAccount(org, true, b)
}

// CloseAccount closes the organization's managed account; its balance is gone.
func (m Moves) CloseAccount(org store.OrgKey, orgID string) error {
	isOpen, _, _, err := m.tx.Account(org)
	if err != nil {
		return err
	}
	if !isOpen {
		return &Conflict{Record: accountName(orgID), Status: notOpen, Next: notOpen, Others: []string{open}}
	}
	return m.tx.SetAccount(org, false, accounts.Balance{})
}

// TransferToBank moves USD cents of the managed account's available balance to a
// linked bank. Both balances count as read now. The money stays in the
// organization, so the ledger gets no row: its rows are money that came in or went out.
func (m Moves) TransferToBank(org store.OrgKey, bank string, cents int64) error {
	isOpen, balance, _, err := m.tx.Account(org)
	if err != nil {
		return err
	}
	if !isOpen {
		return invalidf("only an open account can send money")
	}
	if cents < 1 || cents > balance.AvailableCents {
		return invalidf("a transfer must be of 1 to %d cents, which are available", balance.AvailableCents)
	}
	linked, err := m.linkedInUSD(org, bank)
	if err != nil {
		return err
	}
	after, ok := money.Add(linked.BalanceMinor, cents)
	if !ok {
		return invalidf("the balance of %s would be larger than can be counted", bank)
	}
	balance.AvailableCents -= cents
	balance.SyncedAt = m.now
	linked.BalanceMinor, linked.USDCents, linked.ReadAt = after, after, m.now
	return errors.Join(m.tx.SetAccount(org, true, balance), m.tx.SetLinkedAccount(org, linked))
}

// linkedInUSD returns a linked bank's account in US dollars.
func (m Moves) linkedInUSD(org store.OrgKey, bank string) (accounts.Linked, error) {
	all, err := m.tx.LinkedAccounts(org)
	if err != nil {
		return accounts.Linked{}, err
	}
	i := slices.IndexFunc(all, func(l accounts.Linked) bool { return l.Name == bank })
	if i < 0 {
		return accounts.Linked{}, fmt.Errorf("the linked account %q: %w", bank, store.ErrNotFound)
	}
	if all[i].Currency != "USD" {
		return accounts.Linked{}, invalidf("the linked account %q is in %s, and only USD are transferred", bank, all[i].Currency)
	}
	return all[i], nil
}

func accountName(orgID string) string { return "the account of " + orgID }
