package store

import (
	"database/sql"
	"errors"
	"fmt"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// SetBookCashShares stores what each account adds to the cash of own books, in place of the earlier
// shares: usd in US dollars, and reporting in the reporting currency, for the same accounts in the
// same order. reporting is empty if that currency is the US dollar, or if the cash in it is not
// known.
func (tx *Tx) SetBookCashShares(org OrgKey, usd, reporting []bookrules.CashShare) error {
	tx.booksChanged(org)
	if _, err := tx.db.Exec("DELETE FROM book_cash_shares WHERE org_id = ?", org); err != nil {
		return fmt.Errorf("forgetting the cash of accounts: %w", err)
	}
	for n, s := range usd {
		var available, pending, holding, balance, balanceDay sql.NullInt64
		unrated := false
		if s.Balance != nil {
			balance, balanceDay = someInt(s.Balance.Minor), someInt(int64(s.Balance.Day))
		}
		if len(reporting) > 0 {
			r := reporting[n]
			unrated = r.Unrated
			available, pending, holding = someInt(r.AvailableCents), someInt(r.PendingCents), someInt(r.HoldingCents)
		}
		_, err := tx.db.Exec(`INSERT INTO book_cash_shares
				(org_id, identity, currency, label, available_cents, pending_cents, last_day, synced_at,
					reporting_available, reporting_pending, reporting_holding, balance_minor, balance_day, unrated,
					reporting_unrated)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			org, s.Identity, s.Currency, s.Label, s.AvailableCents, s.PendingCents, s.LastStatement, micros(s.SyncedAt),
			available, pending, holding, balance, balanceDay, bit(s.Unrated), bit(unrated))
		if err != nil {
			return fmt.Errorf("storing the cash of the account %s: %w", s.Label, err)
		}
	}
	return nil
}

func someInt(n int64) sql.NullInt64 { return sql.NullInt64{Int64: n, Valid: true} }

// BookCashShares returns what each account adds to the cash of own books in US dollars.
func (s *Snapshot) BookCashShares(org OrgKey) ([]bookrules.CashShare, error) {
	rows, err := s.db.Query(`SELECT identity, currency, label, available_cents, pending_cents, last_day, synced_at,
			balance_minor, balance_day, unrated
		FROM book_cash_shares WHERE org_id = ? ORDER BY identity, currency`, org)
	return database.Collect(rows, err, "the cash of accounts", scanCashShare)
}

// ErrOutdated is returned if the cash in the reporting currency was not stored with the books,
// which a version of the program has changed that does not know the currency.
var ErrOutdated = errors.New("the books were changed by an earlier version: restart tarmac, or import anything")

// ReportedCashShares is BookCashShares in the currency in which the organization reports.
func (s *Snapshot) ReportedCashShares(org OrgKey) ([]bookrules.CashShare, error) {
	rows, err := s.db.Query(`SELECT identity, currency, label, reporting_available, reporting_pending, last_day, synced_at,
			reporting_holding, balance_minor, balance_day, reporting_unrated
		FROM book_cash_shares WHERE org_id = ? ORDER BY identity, currency`, org)
	return database.Collect(rows, err, "the cash of accounts", scanReportedShare)
}

func scanReportedShare(row database.Row) (s bookrules.CashShare, err error) {
	var available, pending, holding, balance, balanceDay sql.NullInt64
	var synced int64
	err = row.Scan(&s.Identity, &s.Currency, &s.Label, &available, &pending, &s.LastStatement, &synced, &holding,
		&balance, &balanceDay, &s.Unrated)
	if err == nil && !available.Valid {
		err = ErrOutdated
	}
	s.AvailableCents, s.PendingCents, s.HoldingCents = available.Int64, pending.Int64, holding.Int64
	s.SyncedAt, s.Balance = fromMicros(synced), balanceOf(balance, balanceDay)
	return s, err
}

func balanceOf(minor, day sql.NullInt64) *bookrules.Balance {
	if !minor.Valid {
		return nil
	}
	return &bookrules.Balance{Minor: minor.Int64, Day: bookrules.Day(day.Int64)}
}

func scanCashShare(row database.Row) (s bookrules.CashShare, err error) {
	var synced int64
	var balance, balanceDay sql.NullInt64
	err = row.Scan(&s.Identity, &s.Currency, &s.Label, &s.AvailableCents, &s.PendingCents, &s.LastStatement, &synced,
		&balance, &balanceDay, &s.Unrated)
	s.SyncedAt, s.Balance = fromMicros(synced), balanceOf(balance, balanceDay)
	return s, err
}
