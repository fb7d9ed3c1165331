package store

import (
	"context"
	"slices"
	"strconv"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
)

// defaultStageRows is the largest number of rows that a transaction of a stage writes or deletes.
// It takes a few hundredths of a second.
const defaultStageRows = 1500

// SidePart is a part of a ledger: the transactions of some days, in ascending order, or those that
// the ledger has on the days from First to Last.
type SidePart struct {
	Rows        []ledger.Transaction
	First, Last civil.Date
}

// sidePart is what is left to write of a SidePart.
type sidePart struct {
	rows []ledger.Transaction
	keys keyRange // of the transactions to copy; empty if there are none
	days dayRange // whose sums are copied after the transactions; empty for rows
}

func (p *sidePart) done() bool { return len(p.rows) == 0 && p.keys.first > p.keys.last }

// WriteSide writes parts of the side of the ledger that does not count, in many transactions. The
// days of each part must follow those of all parts before it, in earlier calls too.
func (g *BookStage) WriteSide(ctx context.Context, parts []SidePart) error {
	var left []sidePart
	for first := true; first || len(left) > 0; first = false {
		err := g.Write(ctx, func(tx *Tx) error {
			counting, err := tx.ledger(g.org)
			if err != nil {
				return err
			}
			if first {
				left = sideParts(counting, parts)
			}
			left, err = tx.writeSide(counting, left, g.store.stageRows)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func sideParts(counting ledgerKey, parts []SidePart) []sidePart {
	left := make([]sidePart, len(parts))
	for n, p := range parts {
		left[n] = sidePart{rows: p.Rows, keys: keyRange{1, 0}, days: dayRange{1, 0}}
		if len(p.Rows) == 0 {
			left[n].days = dayRangeOf(p.First, p.Last)
			left[n].keys.first, left[n].keys.last = left[n].days.keys(counting)
		}
	}
	return left
}

// writeSide writes up to room transactions of parts, and returns what is left of them.
func (tx *Tx) writeSide(counting ledgerKey, parts []sidePart, room int) ([]sidePart, error) {
	written := keyRange{}
	for room > 0 && len(parts) > 0 {
		p := &parts[0]
		keys, n, err := tx.writeSidePart(counting, p, room)
		if err != nil {
			return nil, err
		}
		if n > 0 && written.first == 0 {
			written.first = keys.first
		}
		if n > 0 {
			written.last = keys.last
		}
		room -= n
		if p.done() {
			parts = parts[1:]
		}
	}
	if written.first == 0 {
		return parts, nil
	}
	return parts, tx.indexRows(written)
}

// writeSidePart writes up to room transactions of a part. It returns the keys that these have, and
// their number.
func (tx *Tx) writeSidePart(counting ledgerKey, p *sidePart, room int) (keys keyRange, n int, err error) {
	if len(p.rows) > 0 {
		n = min(len(p.rows), room)
		in := tx.newRowInserter()
		in.unindexed = true
		err := tx.insertInto(counting.other(), p.rows[:n], in)
		p.rows = p.rows[n:]
		return keyRange{in.added[0].first, in.added[len(in.added)-1].last}, n, err
	}
	err = tx.db.QueryRow(`SELECT count(*), coalesce(min(id), 0), coalesce(max(id), 0) FROM
		(SELECT id FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)`,
		p.keys.first, p.keys.last, room).Scan(&n, &keys.first, &keys.last)
	if err != nil {
		return keys, 0, err
	}
	if n < room {
		p.keys = keyRange{1, 0}
	} else {
		p.keys.first = keys.last + 1
	}
	if n > 0 {
		if keys, err = tx.copySide(counting, keys); err != nil {
			return keys, 0, err
		}
	}
	if p.done() {
		err = tx.copySideSums(counting, p.days)
	}
	return keys, n, err
}

// copySide copies transactions from the side of the ledger that counts to the other, and returns
// their keys there.
func (tx *Tx) copySide(counting ledgerKey, keys keyRange) (keyRange, error) {
	distance := rowKey(counting.other(), 0, 0) - rowKey(counting, 0, 0)
	id := "substr(public_id, 1, " + strconv.Itoa(publicIDLength) + ")"
	if !counting.other().first(tx.db.Dialect) {
		id += " || '" + otherSideMark + "'"
	}
	_, err := tx.db.Exec(`INSERT INTO transactions (id, public_id, direction, source, amount_minor, amount_known,
			usd_cents, usd_known, has_receipt, currency, counterparty, category, logo_url, memo, method, reference, search_text,
			reporting_minor)
		SELECT id + ?, `+id+`, direction, source, amount_minor, amount_known, usd_cents,
			usd_known, has_receipt, currency, counterparty, category, logo_url, memo, method, reference, search_text,
			reporting_minor
		FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id`, distance, keys.first, keys.last)
	return keyRange{keys.first + distance, keys.last + distance}, err
}

// copySideSums copies the sums of days from the side of the ledger that counts to the other.
func (tx *Tx) copySideSums(counting ledgerKey, days dayRange) error {
	other := counting.other()
	_, err := tx.db.Exec(`INSERT INTO ledger_daily
			(org_id, day, direction, source, operating, n, usd_cents, unconverted, reporting_minor, reporting_n)
		SELECT ?, day, direction, source, operating, n, usd_cents, unconverted, reporting_minor, reporting_n FROM ledger_daily
		WHERE org_id = ? AND day BETWEEN ? AND ?`, other, counting, days.first, days.last)
	if err != nil {
		return err
	}
	first, last := days.keys(counting)
	_, err = tx.db.Exec(`INSERT INTO ledger_text_sums (id, n, entries) SELECT id + ?, n, entries FROM ledger_text_sums
		WHERE id BETWEEN ? AND ?`, rowKey(other, 0, 0)-rowKey(counting, 0, 0), first, last)
	return err
}

// indexRows adds the packed facts and search index entries of transactions on SQLite.
func (tx *Tx) indexRows(keys keyRange) error {
	if err := tx.configureSearch(bulkSearch); err != nil {
		return err
	}
	for _, insert := range [...]string{insertFacts, insertSearch} {
		_, err := tx.db.Exec(insert+" FROM transactions t WHERE t.id BETWEEN ? AND ? ORDER BY t.id", keys.first, keys.last)
		if err != nil {
			return err
		}
	}
	return tx.configureSearch(usualSearch)
}

// ReplaceSide replaces transactions of the given days on the side of the ledger that does not
// count, after WriteSide has written all of it. rows has all transactions of these days, in
// ascending order.
func (g *BookStage) ReplaceSide(ctx context.Context, days []civil.Date, rows []ledger.Transaction) error {
	for _, day := range days {
		n, _ := slices.BinarySearchFunc(rows, day.AddDays(1), func(t ledger.Transaction, day civil.Date) int {
			return t.Date.Compare(day)
		})
		err := g.Write(ctx, func(tx *Tx) error {
			counting, err := tx.ledger(g.org)
			if err == nil {
				_, err = tx.replaceDays(counting.other(), []civil.Date{day}, rows[:n])
			}
			return err
		})
		if err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}
