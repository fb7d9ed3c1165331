package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// publicIDLength is the length in bytes of a transaction's public id without its prefix.
const publicIDLength = 26

// InsertTransactions adds transactions to the organization's ledger. It also adds their search
// texts and updates the daily sums. Transactions of the same day keep the given order. Their ids
// must be set.
func (tx *Tx) InsertTransactions(org OrgKey, rows []ledger.Transaction) error {
	if len(rows) == 0 {
		return nil
	}
	// Rows are inserted in the order of their keys, because SQLite's search index starts a new
	// segment whenever a key is smaller than the previous one.
	ordered := make([]*ledger.Transaction, len(rows))
	for i := range rows {
		ordered[i] = &rows[i]
	}
	slices.SortStableFunc(ordered, func(a, b *ledger.Transaction) int { return a.Date.Compare(b.Date) })

	if err := tx.lock(org); err != nil {
		return err
	}
	sums, batch := dailySumsByKey{}, &rowBatch{}
	day, sequence := int64(-1), int64(0)
	for _, t := range ordered {
		if err := checkRow(t); err != nil {
			return fmt.Errorf("adding the transaction %s: %w", t.ID, err)
		}
		if d := dayOf(t.Date); d != day {
			day = d
			var err error
			if sequence, err = tx.lastSequence(org, day); err != nil {
				return err
			}
		}
		if sequence++; sequence > maxSequence {
			return fmt.Errorf("adding the transaction %s: %s has as many transactions as a day can hold", t.ID, t.Date)
		}
		err := tx.insertRow(rowKey(org, day, sequence), t, batch)
		if err == nil {
			err = sums.add(day, t)
		}
		if err != nil {
			return fmt.Errorf("adding the transaction %s: %w", t.ID, err)
		}
	}
	if err := tx.insertBatch(batch); err != nil {
		return fmt.Errorf("adding transactions: %w", err)
	}
	if err := tx.addDailySums(org, sums); err != nil {
		return err
	}
	return tx.execOne("UPDATE organizations SET ledger_revision = "+nextRevision(tx.db.Dialect)+" WHERE id = ?", org)
}

// nextRevision returns an SQL expression for the ledger's next revision. It adds a random number
// for the case that a standby server takes over without the last commits. The standby must not
// reach the same revisions with other rows, because processes may still cache summaries of the lost
// commits.
func nextRevision(d database.Dialect) string {
	return "ledger_revision + 1 + " + d.Pick("(random() & 1073741823)", "CAST(floor(random() * 1073741824) AS BIGINT)")
}

func checkRow(t *ledger.Transaction) error {
	if len(t.ID) != len(ids.Transaction)+publicIDLength || !strings.HasPrefix(t.ID, ids.Transaction) {
		return errors.New("its id does not have the form of a transaction's id")
	}
	if err := t.Validate(); err != nil {
		return err
	}
	if d := dayOf(t.Date); d < 0 || d > maxDay {
		return errDateOutOfRange
	}
	return nil
}

// lastSequence returns the number of the last transaction of a day, or 0 if the day has none.
func (tx *Tx) lastSequence(org OrgKey, day int64) (int64, error) {
	var key int64
	err := tx.db.QueryRow("SELECT coalesce(max(id), 0) FROM transactions WHERE id BETWEEN ? AND ?",
		rowKey(org, day, 0), rowKey(org, day, maxSequence)).Scan(&key)
	if err != nil {
		return 0, fmt.Errorf("reading a day's last transaction: %w", err)
	}
	return key & maxSequence, nil
}

// insertRow inserts a transaction. On PostgreSQL it adds the transaction to batch, and inserts
// batch when it is full.
func (tx *Tx) insertRow(key int64, t *ledger.Transaction, batch *rowBatch) error {
	text := tx.folder.SearchText(t)
	if tx.db.Dialect == database.Postgres {
		if batch.add(key, t, text); len(batch.keys) < maxBatchRows {
			return nil
		}
		err := tx.insertBatch(batch)
		*batch = rowBatch{}
		return err
	}
	_, err := tx.db.Exec(`INSERT INTO transactions (id, public_id, direction, source, amount_minor, amount_known,
			usd_cents, usd_known, has_receipt, currency, counterparty, category, logo_url, memo, method, reference, search_text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		key, t.ID[len(ids.Transaction):], int64(t.Direction), int64(t.Source), t.AmountMinor, bit(t.AmountKnown),
		t.USDCents, bit(t.USDKnown), bit(t.HasReceipt), t.Currency, t.Counterparty, t.Category, t.LogoURL, t.Memo,
		t.Method, t.Reference, text)
	if err != nil {
		return err
	}
	if _, err := tx.db.Exec("INSERT INTO transaction_facts (id, facts) VALUES (?, ?)", key, factsOf(t)); err != nil {
		return err
	}
	_, err = tx.db.Exec("INSERT INTO transaction_search (rowid, search_text) VALUES (?, ?)", key, text)
	return err
}

// factsOf packs what a summary needs of a transaction into one integer. Bit 0 says whether the USD
// cents are known, bit 1 is the direction, and the bits above are the USD cents.
func factsOf(t *ledger.Transaction) int64 {
	return t.USDCents<<2 | int64(t.Direction)<<1 | bit(t.USDKnown)
}

// IndexTransactions completes transactions that were copied into the organization's ledger. On
// SQLite it adds their packed facts (factsOf) and search index entries. PostgreSQL has no separate
// tables for these, so it does nothing there.
func IndexTransactions(l *database.Load, org OrgKey) error {
	if l.Dialect == database.Postgres {
		return nil
	}
	first, last := org.RowRange()
	err := l.Exec(`INSERT INTO transaction_facts (id, facts)
		SELECT id, (usd_cents << 2) | (direction << 1) | usd_known FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id`,
		first, last)
	if err != nil {
		return err
	}
	return l.Exec(`INSERT INTO transaction_search (rowid, search_text)
		SELECT id, search_text FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id`, first, last)
}

// dailyKey identifies a row of ledger_daily within an organization.
type dailyKey struct {
	day       int64
	direction ledger.Direction
	source    ledger.Source
	operating bool
}

type dailySum struct{ n, usdCents, unconverted int64 }

type dailySumsByKey map[dailyKey]*dailySum

func (sums dailySumsByKey) add(day int64, t *ledger.Transaction) error {
	key := dailyKey{day, t.Direction, t.Source, t.Operating()}
	sum := sums[key]
	if sum == nil {
		sum = &dailySum{}
		sums[key] = sum
	}
	cents, fits := money.Add(sum.usdCents, t.USDCents)
	if !fits {
		return errors.New("the sum of its day is too large")
	}
	sum.n++
	sum.usdCents = cents
	sum.unconverted += bit(!t.USDKnown)
	return nil
}

// addDailySums adds sums to the stored daily sums in the table ledger_daily.
func (tx *Tx) addDailySums(org OrgKey, sums dailySumsByKey) error {
	for key, sum := range sums {
		// SQLite's table is STRICT, so a sum that overflows an integer is an error and does not
		// become a float.
		_, err := tx.db.Exec(`INSERT INTO ledger_daily (org_id, day, direction, source, operating, n, usd_cents, unconverted)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (org_id, day, direction, source, operating) DO UPDATE SET n = ledger_daily.n + excluded.n,
				usd_cents = ledger_daily.usd_cents + excluded.usd_cents,
				unconverted = ledger_daily.unconverted + excluded.unconverted`,
			org, key.day, int64(key.direction), int64(key.source), bit(key.operating), sum.n, sum.usdCents, sum.unconverted)
		if err != nil {
			return fmt.Errorf("adding to the sums of %s: %w", dateOf(key.day), err)
		}
	}
	return nil
}
