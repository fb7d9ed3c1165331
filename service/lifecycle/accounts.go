package lifecycle

import (
	"tarmac/internal/money"
	"tarmac/service/accounts"
	"tarmac/service/store"
)

// The two statuses of a managed account (specification 3.5).
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

func accountName(orgID string) string { return "the account of " + orgID }
