package store

import (
	"fmt"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// SetBookCashShares replaces what each account adds to the cash of own books.
func (tx *Tx) SetBookCashShares(org OrgKey, shares []bookrules.CashShare) error {
	tx.booksChanged(org)
	if _, err := tx.db.Exec("DELETE FROM book_cash_shares WHERE org_id = ?", org); err != nil {
		return fmt.Errorf("forgetting the cash of accounts: %w", err)
	}
	for _, s := range shares {
		_, err := tx.db.Exec(`INSERT INTO book_cash_shares
				(org_id, identity, currency, label, available_cents, pending_cents, last_day, synced_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			org, s.Identity, s.Currency, s.Label, s.AvailableCents, s.PendingCents, s.LastStatement, micros(s.SyncedAt))
		if err != nil {
			return fmt.Errorf("storing the cash of the account %s: %w", s.Label, err)
		}
	}
	return nil
}

// BookCashShares returns what each account adds to the cash of own books.
func (s *Snapshot) BookCashShares(org OrgKey) ([]bookrules.CashShare, error) {
	rows, err := s.db.Query(`SELECT identity, currency, label, available_cents, pending_cents, last_day, synced_at
		FROM book_cash_shares WHERE org_id = ? ORDER BY identity, currency`, org)
	return database.Collect(rows, err, "the cash of accounts", func(row database.Row) (s bookrules.CashShare, err error) {
		var synced int64
		err = row.Scan(&s.Identity, &s.Currency, &s.Label, &s.AvailableCents, &s.PendingCents, &s.LastStatement, &synced)
		s.SyncedAt = fromMicros(synced)
		return s, err
	})
}
