package store

import (
	"database/sql"
	"errors"
	"fmt"

	"tarmac/service/accounts"
	"tarmac/service/store/database"
)

// SetAccount creates or replaces the organization's managed account. A zero b.SyncedAt means that
// the balance was never read.
func (tx *Tx) SetAccount(org OrgKey, open bool, b accounts.Balance) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	status := "not_open"
	if open {
		status = "open"
	}
	var synced sql.NullInt64
	if !b.SyncedAt.IsZero() {
		synced = nullMicros(&b.SyncedAt)
	}
	_, err := tx.db.Exec(`INSERT INTO accounts
			(org_id, status, available_cents, holding_cents, locked_cents, pending_cents, synced_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (org_id) DO UPDATE SET status = excluded.status, available_cents = excluded.available_cents,
			holding_cents = excluded.holding_cents, locked_cents = excluded.locked_cents,
			pending_cents = excluded.pending_cents, synced_at = excluded.synced_at`,
		org, status, b.AvailableCents, b.HoldingCents, b.LockedCents, b.PendingCents, synced)
	if err != nil {
		return fmt.Errorf("setting the account: %w", err)
	}
	return nil
}

// SetAccountFault makes live reads of the organization's balance fail if fault is true, and succeed
// again if it is false. It returns ErrNotFound if there is no account.
func (tx *Tx) SetAccountFault(org OrgKey, fault bool) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	return tx.execOne("UPDATE accounts SET fault = ? WHERE org_id = ?", bit(fault), org)
}

// SetLinkedAccount creates or replaces the organization's linked bank account with the name
// l.Name.
func (tx *Tx) SetLinkedAccount(org OrgKey, l accounts.Linked) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	_, err := tx.db.Exec(`INSERT INTO linked_accounts
			(org_id, name, currency, balance_minor, usd_cents, usd_known, read_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (org_id, name) DO UPDATE SET currency = excluded.currency, balance_minor = excluded.balance_minor,
			usd_cents = excluded.usd_cents, usd_known = excluded.usd_known, read_at = excluded.read_at`,
		org, l.Name, l.Currency, l.BalanceMinor, l.USDCents, bit(l.USDKnown), micros(l.ReadAt))
	if err != nil {
		return fmt.Errorf("setting the linked account %q: %w", l.Name, err)
	}
	return nil
}

// ManagedAccount returns the organization's managed account. ok is false if SetAccount was never
// called for it.
func (tx *Tx) ManagedAccount(org OrgKey) (open bool, b accounts.Balance, ok bool, err error) {
	if err := tx.lock(org); err != nil {
		return false, accounts.Balance{}, false, err
	}
	a, err := readAccount(tx.db, org)
	return a.Open, a.Balance, a.Exists, err
}

// LinkedAccounts returns the organization's linked bank accounts, ordered by name.
func (tx *Tx) LinkedAccounts(org OrgKey) ([]accounts.Linked, error) {
	if err := tx.lock(org); err != nil {
		return nil, err
	}
	return readLinkedAccounts(tx.db, org)
}

// Account is an organization's stored managed account.
type Account struct {
	Exists  bool
	Open    bool
	Fault   bool // true if live reads of the balance must fail
	Balance accounts.Balance
}

// ManagedAccount returns the organization's managed account. Exists is false if there is none.
func (s *Snapshot) ManagedAccount(org OrgKey) (Account, error) { return readAccount(s.db, org) }

// LinkedAccounts returns the organization's linked bank accounts, ordered by name.
func (s *Snapshot) LinkedAccounts(org OrgKey) ([]accounts.Linked, error) {
	return readLinkedAccounts(s.db, org)
}

func readAccount(r database.Queryer, org OrgKey) (Account, error) {
	var status string
	var synced sql.NullInt64
	var a Account
	err := r.QueryRow(`SELECT status, available_cents, holding_cents, locked_cents, pending_cents, synced_at, fault
		FROM accounts WHERE org_id = ?`, org).Scan(&status, &a.Balance.AvailableCents, &a.Balance.HoldingCents,
		&a.Balance.LockedCents, &a.Balance.PendingCents, &synced, &a.Fault)
	if errors.Is(err, sql.ErrNoRows) {
		return Account{}, nil
	}
	if err != nil {
		return Account{}, fmt.Errorf("reading the account: %w", err)
	}
	if synced.Valid {
		a.Balance.SyncedAt = fromMicros(synced.Int64)
	}
	a.Exists, a.Open = true, status == "open"
	return a, nil
}

func readLinkedAccounts(r database.Queryer, org OrgKey) ([]accounts.Linked, error) {
	rows, err := r.Query(`SELECT name, currency, balance_minor, usd_cents, usd_known, read_at
		FROM linked_accounts WHERE org_id = ? ORDER BY name`, org)
	return database.Collect(rows, err, "the linked accounts", func(row database.Row) (l accounts.Linked, err error) {
		var read int64
		err = row.Scan(&l.Name, &l.Currency, &l.BalanceMinor, &l.USDCents, &l.USDKnown, &read)
		l.ReadAt = fromMicros(read)
		return l, err
	})
}
