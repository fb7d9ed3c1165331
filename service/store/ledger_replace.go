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
	days = slices.Clone(days)
	slices.SortFunc(days, civil.Date.Compare)
	for _, row := range rows {
		if _, found := slices.BinarySearchFunc(days, row.Date, civil.Date.Compare); !found {
			return fmt.Errorf("replacing transactions: %s is of %s, which is not replaced", row.ID, row.Date)
		}
	}
	removed := int64(0)
	for _, day := range slices.Compact(days) {
		n, err := tx.removeDay(org, dayOf(day))
		if err != nil {
			return fmt.Errorf("removing the transactions of %s: %w", day, err)
		}
		removed += n
	}
	if err := tx.InsertTransactions(org, rows); err != nil || removed == 0 {
		return err
	}
	// InsertTransactions does not increase the revision if rows is empty.
	return tx.execOne("UPDATE organizations SET ledger_revision = "+nextRevision("ledger_revision", tx.db.Dialect)+
		`, ledger_rewritten = ledger_revision + 1, text_sums_rewritten =
			CASE WHEN text_sums_rewritten = ledger_rewritten THEN ledger_revision + 1 ELSE text_sums_rewritten END
		WHERE id = ?`, org)
}

// removeDay deletes the transactions of a day with their packed facts, search index entries and
// sums. It returns the number of transactions.
func (tx *Tx) removeDay(org OrgKey, day int64) (int64, error) {
	first, last := rowKey(org, day, 0), rowKey(org, day, maxSequence)
	if tx.db.Dialect == database.SQLite {
		// SQLite's search index does not store its texts. To delete an entry, the statement must
		// give the old text.
		_, err := tx.db.Exec(`INSERT INTO transaction_search (transaction_search, rowid, search_text)
			SELECT 'delete', id, search_text FROM transactions WHERE id BETWEEN ? AND ?`, first, last)
		if err != nil {
			return 0, err
		}
		if _, err := tx.db.Exec("DELETE FROM transaction_facts WHERE id BETWEEN ? AND ?", first, last); err != nil {
			return 0, err
		}
	}
	result, err := tx.db.Exec("DELETE FROM transactions WHERE id BETWEEN ? AND ?", first, last)
	if err != nil {
		return 0, err
	}
	if _, err := tx.db.Exec("DELETE FROM ledger_daily WHERE org_id = ? AND day = ?", org, day); err != nil {
		return 0, err
	}
	if err := tx.removeTextSums(org, day); err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// DayTransactions returns the organization's transactions of a day.
func (tx *Tx) DayTransactions(org OrgKey, date civil.Date) ([]ledger.Transaction, error) {
	day := dayOf(date)
	rows, err := tx.db.Query("SELECT "+transactionColumns+" FROM transactions t WHERE t.id BETWEEN ? AND ?",
		rowKey(org, day, 0), rowKey(org, day, maxSequence))
	return database.Collect(rows, err, "the transactions of a day",
		func(row database.Row) (t ledger.Transaction, err error) {
			var key int64
			err = scanTransaction(row, &t, &key)
			return t, err
		})
}
