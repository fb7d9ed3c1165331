package store

import (
	"encoding/json"
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
	if err := tx.lock(org); err != nil {
		return err
	}
	l, err := tx.ledger(org)
	if err != nil {
		return err
	}
	if err := tx.insertRows(l, rows); err != nil {
		return err
	}
	return tx.raiseRevision(org)
}

// raiseRevision raises the revision of the organization's ledger after transactions were added.
func (tx *Tx) raiseRevision(org OrgKey) error {
	return tx.execOne("UPDATE organizations SET ledger_revision = "+
		nextRevision("ledger_revision", tx.db.Dialect)+" WHERE id = ?", org)
}

// insertRows is InsertTransactions for a ledger that may not count.
func (tx *Tx) insertRows(l ledgerKey, rows []ledger.Transaction) error {
	return tx.insertInto(l, rows, tx.newRowInserter())
}

func (tx *Tx) insertInto(l ledgerKey, rows []ledger.Transaction, in *rowInserter) error {
	// Rows are inserted in the order of their keys, because SQLite's search index starts a new
	// segment whenever a key is smaller than the previous one.
	ordered := make([]*ledger.Transaction, len(rows))
	for i := range rows {
		ordered[i] = &rows[i]
	}
	slices.SortStableFunc(ordered, func(a, b *ledger.Transaction) int { return a.Date.Compare(b.Date) })

	sums := dailySumsByKey{}
	day, sequence := int64(-1), int64(0)
	for _, t := range ordered {
		if err := checkRow(t); err != nil {
			return fmt.Errorf("adding the transaction %s: %w", t.ID, err)
		}
		if d := dayOf(t.Date); d != day {
			day = d
			var err error
			if sequence, err = tx.lastSequence(l, day); err != nil {
				return err
			}
		}
		if sequence++; sequence > maxSequence {
			return fmt.Errorf("adding the transaction %s: %s has as many transactions as a day can hold", t.ID, t.Date)
		}
		err := in.add(rowKey(l, day, sequence), t)
		if err == nil {
			err = sums.add(day, t)
		}
		if err != nil {
			return fmt.Errorf("adding the transaction %s: %w", t.ID, err)
		}
	}
	if err := in.finish(); err != nil {
		return fmt.Errorf("adding transactions: %w", err)
	}
	return tx.addDailySums(l, sums)
}

// nextRevision returns an SQL expression for the next revision in a column. It adds a random number
// for the case that a standby server takes over without the last commits. The standby must not
// reach the same revisions with other rows, because processes may still cache summaries of the lost
// commits.
func nextRevision(column string, d database.Dialect) string {
	return column + " + 1 + " + d.Pick("(random() & 1073741823)", "CAST(floor(random() * 1073741824) AS BIGINT)")
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
func (tx *Tx) lastSequence(l ledgerKey, day int64) (int64, error) {
	var key int64
	err := tx.db.QueryRow("SELECT coalesce(max(id), 0) FROM transactions WHERE id BETWEEN ? AND ?",
		rowKey(l, day, 0), rowKey(l, day, maxSequence)).Scan(&key)
	if err != nil {
		return 0, fmt.Errorf("reading a day's last transaction: %w", err)
	}
	return key & maxSequence, nil
}

// rowInserter inserts transactions, many of them with one SQL statement.
type rowInserter struct {
	tx     *Tx
	sqlite *database.Batch // nil on PostgreSQL
	batch  rowBatch        // for PostgreSQL
	// unindexed leaves out what SQLite stores apart from the table transactions (Tx.indexRows).
	unindexed bool
	added     []keyRange // keys of the inserted rows
	rows      int        // number of the inserted rows
}

// searchConfig configures SQLite's search index. It collects entries in memory up to the size of
// its buffer, in bytes, before it writes them as a segment, and merges segments when there are too
// many of a size.
type searchConfig struct{ hashsize, automerge, crisismerge int }

// usualSearch is SQLite's default. bulkSearch is for many rows: a larger buffer leaves fewer
// segments, and these are merged after the load (Store.Optimize), in short transactions.
var (
	usualSearch = searchConfig{hashsize: 1 << 20, automerge: 4, crisismerge: 16}
	bulkSearch  = searchConfig{hashsize: 8 << 20, automerge: 0, crisismerge: 1000}
)

// bulkRows is the number of rows from which bulkSearch is used.
const bulkRows = 2000

func (tx *Tx) configureSearch(c searchConfig) error {
	const set = "INSERT INTO transaction_search (transaction_search, rank) VALUES (?, ?)"
	for _, option := range [...]struct {
		name  string
		value int
	}{{"hashsize", c.hashsize}, {"automerge", c.automerge}, {"crisismerge", c.crisismerge}} {
		if _, err := tx.db.Exec(set, option.name, option.value); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) newRowInserter() *rowInserter {
	in := &rowInserter{tx: tx}
	if tx.db.Dialect == database.SQLite {
		in.sqlite = tx.db.NewBatch("transactions", "id", "public_id", "direction", "source", "amount_minor", "amount_known",
			"usd_cents", "usd_known", "reporting_minor", "has_receipt", "currency", "counterparty", "category",
			"logo_url", "memo", "method", "reference", "search_text")
	}
	return in
}

// add inserts a transaction. Keys must increase from call to call.
func (in *rowInserter) add(key int64, t *ledger.Transaction) error {
	text := in.tx.folder.SearchText(t)
	in.rows++
	if last := len(in.added) - 1; last >= 0 && in.added[last].last+1 == key {
		in.added[last].last = key
	} else {
		in.added = append(in.added, keyRange{key, key})
	}
	if in.sqlite != nil {
		id := ledgerOfKey(key).storedID(database.SQLite, t.ID[len(ids.Transaction):])
		return in.sqlite.Add(key, id, int64(t.Direction), int64(t.Source), t.AmountMinor,
			bit(t.AmountKnown), t.USDCents, bit(t.USDKnown), reportingMinor(t), bit(t.HasReceipt), t.Currency,
			t.Counterparty, t.Category, t.LogoURL, t.Memo, t.Method, t.Reference, text)
	}
	if in.batch.add(key, t, text); len(in.batch.keys) < maxBatchRows {
		return nil
	}
	err := in.tx.insertBatch(&in.batch)
	in.batch = rowBatch{}
	return err
}

// finish inserts what add has not inserted yet. On SQLite it then adds the packed facts and search
// index entries of all transactions.
func (in *rowInserter) finish() (failed error) {
	if in.sqlite == nil {
		return in.tx.insertBatch(&in.batch)
	}
	if err := in.sqlite.Flush(); err != nil || in.unindexed {
		return err
	}
	// One statement for each table: at the start of a statement for several rows, SQLite's search
	// index writes the entries that it holds in memory, and small segments must be merged later.
	ranges := make([][2]int64, len(in.added))
	for i, r := range in.added {
		ranges[i] = [2]int64{r.first, r.last}
	}
	keys, err := json.Marshal(ranges)
	if err != nil {
		return err
	}
	if in.rows >= bulkRows {
		if err := in.tx.configureSearch(bulkSearch); err != nil {
			return err
		}
		defer func() { failed = errors.Join(failed, in.tx.configureSearch(usualSearch)) }()
	}
	for _, insert := range [...]string{insertFacts, insertSearch} {
		_, err := in.tx.db.Exec(insert+` FROM json_each(?) r CROSS JOIN transactions t
			ON t.id BETWEEN r.value ->> 0 AND r.value ->> 1`, string(keys))
		if err != nil {
			return err
		}
	}
	return nil
}

// The statements that add what SQLite stores apart from the table transactions: packed facts and
// search index entries. A fact packs what a summary needs of a transaction into one integer. Bit 0
// says whether the USD cents are known, bit 1 is the direction, and the bits above are the USD
// cents. The amount in the reporting currency is a column of its own.
const (
	insertFacts = `INSERT INTO transaction_facts (id, facts, reporting)
		SELECT t.id, (t.usd_cents << 2) | (t.direction << 1) | t.usd_known, t.reporting_minor`
	insertSearch = "INSERT INTO transaction_search (rowid, search_text) SELECT t.id, t.search_text"
)

// IndexTransactions completes transactions that were copied into the organization's ledger. On
// SQLite it adds their packed facts and search index entries. PostgreSQL has no separate tables for
// these, so it does nothing there.
func IndexTransactions(l *database.Load, org OrgKey) error {
	if l.Dialect == database.Postgres {
		return nil
	}
	first, last := org.ledger(0).rows()
	for _, insert := range [...]string{insertFacts, insertSearch} {
		if err := l.Exec(insert+" FROM transactions t WHERE t.id BETWEEN ? AND ? ORDER BY t.id", first, last); err != nil {
			return err
		}
	}
	return nil
}

// dailyKey identifies a row of ledger_daily within an organization.
type dailyKey struct {
	day       int64
	direction ledger.Direction
	source    ledger.Source
	operating bool
}

type dailySum struct{ n, cents, unconverted int64 }

// dailySums are the sums of a day's transactions in US dollars and in the reporting currency.
type dailySums struct{ usd, reporting dailySum }

type dailySumsByKey map[dailyKey]*dailySums

func (sums dailySumsByKey) add(day int64, t *ledger.Transaction) error {
	key := dailyKey{day, t.Direction, t.Source, t.Operating()}
	sum := sums[key]
	if sum == nil {
		sum = &dailySums{}
		sums[key] = sum
	}
	if !sum.usd.add(t.USDCents, t.USDKnown) || !sum.reporting.add(t.ReportingMinor, t.ReportingKnown) {
		return errors.New("the sum of its day is too large")
	}
	return nil
}

// add reports false if the sum overflows.
func (sum *dailySum) add(cents int64, known bool) (fits bool) {
	sum.n++
	sum.unconverted += bit(!known)
	sum.cents, fits = money.Add(sum.cents, cents)
	return fits
}

// addDailySums adds sums to the stored daily sums in the table ledger_daily.
func (tx *Tx) addDailySums(l ledgerKey, sums dailySumsByKey) error {
	for key, sum := range sums {
		// SQLite's table is STRICT, so a sum that overflows an integer is an error and does not
		// become a float.
		_, err := tx.db.Exec(`INSERT INTO ledger_daily
				(org_id, day, direction, source, operating, n, usd_cents, unconverted, reporting_minor, reporting_n)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (org_id, day, direction, source, operating) DO UPDATE SET n = ledger_daily.n + excluded.n,
				usd_cents = ledger_daily.usd_cents + excluded.usd_cents,
				unconverted = ledger_daily.unconverted + excluded.unconverted,
				reporting_minor = ledger_daily.reporting_minor + excluded.reporting_minor,
				reporting_n = ledger_daily.reporting_n + excluded.reporting_n`,
			l, key.day, int64(key.direction), int64(key.source), bit(key.operating), sum.usd.n, sum.usd.cents,
			sum.usd.unconverted, sum.reporting.cents, sum.reporting.n-sum.reporting.unconverted)
		if err != nil {
			return fmt.Errorf("adding to the sums of %s: %w", dateOf(key.day), err)
		}
	}
	return nil
}
