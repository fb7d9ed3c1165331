package store

import (
	"fmt"
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// ReplaceDays deletes the organization's transactions of the given days and inserts rows in their
// place. Every row must be of one of these days. Rows of the same day keep the given order.
func (tx *Tx) ReplaceDays(org OrgKey, days []civil.Date, rows []ledger.Transaction) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	l, err := tx.ledger(org)
	if err != nil {
		return err
	}
	removed, err := tx.replaceDays(l, days, rows)
	if err != nil || removed == 0 && len(rows) == 0 {
		return err
	}
	if removed == 0 {
		return tx.raiseRevision(org)
	}
	return tx.rewriteRevision(org)
}

// rewriteRevision raises the revision of the organization's ledger after transactions were changed
// or removed.
func (tx *Tx) rewriteRevision(org OrgKey) error {
	return tx.execOne("UPDATE organizations SET ledger_revision = "+nextRevision("ledger_revision", tx.db.Dialect)+
		`, ledger_rewritten = ledger_revision + 1, text_sums_rewritten = CASE text_sums_rewritten
			WHEN ledger_rewritten THEN ledger_revision + 1
			WHEN -1 - ledger_rewritten THEN -2 - ledger_revision
			ELSE text_sums_rewritten END
		WHERE id = ?`, org)
}

// replaceDays is ReplaceDays for a ledger that may not count. It returns how many transactions it
// has deleted.
func (tx *Tx) replaceDays(l ledgerKey, days []civil.Date, rows []ledger.Transaction) (removed int64, err error) {
	days = slices.Clone(days)
	slices.SortFunc(days, civil.Date.Compare)
	for _, row := range rows {
		if _, found := slices.BinarySearchFunc(days, row.Date, civil.Date.Compare); !found {
			return 0, fmt.Errorf("replacing transactions: %s is of %s, which is not replaced", row.ID, row.Date)
		}
	}
	for _, day := range slices.Compact(days) {
		n, err := tx.removeDay(l, dayOf(day))
		if err != nil {
			return 0, fmt.Errorf("removing the transactions of %s: %w", day, err)
		}
		removed += n
	}
	return removed, tx.insertRows(l, rows)
}

// removeDay deletes the transactions of a day with their packed facts, search index entries and
// sums. It returns the number of transactions.
func (tx *Tx) removeDay(l ledgerKey, day int64) (int64, error) {
	removed, err := tx.removeRows(keyRange{rowKey(l, day, 0), rowKey(l, day, maxSequence)})
	if err != nil {
		return 0, err
	}
	if _, err := tx.db.Exec("DELETE FROM ledger_daily WHERE org_id = ? AND day = ?", l, day); err != nil {
		return 0, err
	}
	return removed, tx.removeTextSums(l, day)
}

// removeRows deletes transactions with their packed facts and search index entries. It returns
// their number.
func (tx *Tx) removeRows(keys keyRange) (int64, error) {
	if tx.db.Dialect == database.SQLite {
		// SQLite's search index does not store its texts. To delete an entry, the statement must
		// give the old text.
		_, err := tx.db.Exec(`INSERT INTO transaction_search (transaction_search, rowid, search_text)
			SELECT 'delete', id, search_text FROM transactions WHERE id BETWEEN ? AND ?`, keys.first, keys.last)
		if err != nil {
			return 0, err
		}
		if _, err := tx.db.Exec("DELETE FROM transaction_facts WHERE id BETWEEN ? AND ?", keys.first, keys.last); err != nil {
			return 0, err
		}
	}
	result, err := tx.db.Exec("DELETE FROM transactions WHERE id BETWEEN ? AND ?", keys.first, keys.last)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// DayRows returns the number of the organization's transactions of a day.
func (s *Snapshot) DayRows(org OrgKey, date civil.Date) (n int, err error) {
	l, err := s.ledger(org)
	if err != nil {
		return 0, err
	}
	err = s.db.QueryRow("SELECT CAST(coalesce(sum(n), 0) AS BIGINT) FROM ledger_daily WHERE org_id = ? AND day = ?",
		l, dayOf(date)).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("counting the transactions of %s: %w", date, err)
	}
	return n, nil
}

// DayTransactions returns the organization's transactions of a day.
func (tx *Tx) DayTransactions(org OrgKey, date civil.Date) ([]ledger.Transaction, error) {
	l, err := tx.ledger(org)
	if err != nil {
		return nil, err
	}
	return readDay(tx.db, l, dayOf(date))
}

// DayTransactions returns the organization's transactions of a day.
func (s *Snapshot) DayTransactions(org OrgKey, date civil.Date) ([]ledger.Transaction, error) {
	l, err := s.ledger(org)
	if err != nil {
		return nil, err
	}
	return readDay(s.db, l, dayOf(date))
}

func readDay(r database.Queryer, l ledgerKey, day int64) ([]ledger.Transaction, error) {
	rows, err := r.Query("SELECT "+reportingColumns+" FROM transactions t WHERE t.id BETWEEN ? AND ?",
		rowKey(l, day, 0), rowKey(l, day, maxSequence))
	return database.Collect(rows, err, "the transactions of a day",
		func(row database.Row) (t ledger.Transaction, err error) {
			var key int64
			err = scanReporting(row, &t, &key)
			return t, err
		})
}
