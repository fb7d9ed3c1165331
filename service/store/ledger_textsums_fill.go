package store

import (
	"context"
	"fmt"
	"time"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// textSumsPolicy says which days have sums by pattern. Tests use smaller numbers.
type textSumsPolicy struct {
	minRows        int64 // a day with fewer transactions is searched as quickly without sums
	rowsPerPattern int64 // with fewer, sums are hardly smaller than the transactions
	batch          int64 // number of a day's transactions that are added in one step
}

var defaultTextSums = textSumsPolicy{minRows: 1024, rowsPerPattern: 3, batch: 8192}

// summedDay is the number of a day's transactions, and of those that its sums include. If there
// were too many patterns, it is the number of transactions at that time.
type summedDay struct {
	dayCount
	summed int64
	known  bool // false if the day has no sums, or had too many patterns
}

// isDue reports whether a day's transactions should be added to its sums. Some may be missing: each
// time, all sums of the day are written.
func (p textSumsPolicy) isDue(d summedDay) bool {
	if d.known {
		return d.rows-d.summed >= p.minRows/4+d.summed/16
	}
	return d.rows >= max(p.minRows, 2*d.summed)
}

// SumTexts updates the sums from which totals of keywords are computed quickly (ledger_text_sums),
// in short transactions. If yield is true, it pauses between them for as long as they take, so that
// other processes can write. It does nothing if another process does the same.
func (s *Store) SumTexts(ctx context.Context, yield bool) error {
	var orgs []OrgKey
	err := s.Read(ctx, func(snap *Snapshot) error {
		rows, err := snap.db.Query("SELECT id FROM organizations ORDER BY id")
		orgs, err = database.Collect(rows, err, "the organizations", func(row database.Row) (org OrgKey, err error) {
			err = row.Scan(&org)
			return org, err
		})
		return err
	})
	for _, org := range orgs {
		if err == nil {
			err = s.sumTextsOf(ctx, org, yield)
		}
	}
	if err != nil {
		return fmt.Errorf("adding up the ledger by text: %w", err)
	}
	return nil
}

func (s *Store) sumTextsOf(ctx context.Context, org OrgKey, yield bool) error {
	var due []int64
	if err := s.Read(ctx, func(snap *Snapshot) (err error) {
		due, err = snap.dueTextSums(org, s.textSums)
		return err
	}); err != nil {
		return err
	}
	for len(due) > 0 {
		started, done := time.Now(), 0
		err := s.WriteUnsynced(ctx, func(tx *Tx) (err error) {
			done, err = tx.sumDays(org, due, s.textSums)
			return err
		})
		if err != nil || done < 0 {
			return err
		}
		due = due[done:]
		if !yield || len(due) == 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Since(started)):
		}
	}
	return nil
}

// dueTextSums returns the days of an organization whose sums should be updated, the newest first.
func (s *Snapshot) dueTextSums(org OrgKey, policy textSumsPolicy) (due []int64, err error) {
	l, err := s.ledger(org)
	if err != nil {
		return nil, err
	}
	currency, err := s.ReportingCurrency(org)
	if err != nil {
		return nil, err
	}
	mark := textSumsMark(currency.Code != usDollar)
	rows, err := s.db.Query(`SELECT d.day, d.n, coalesce(t.n, 0), coalesce(t.entries IS NOT NULL, false)
		FROM (SELECT day, CAST(sum(n) AS BIGINT) AS n FROM ledger_daily WHERE org_id = ? GROUP BY day) d
		LEFT JOIN ledger_text_sums t ON t.id = ? + d.day * ? AND EXISTS
			(SELECT 1 FROM organizations o WHERE o.id = ? AND o.text_sums_rewritten = `+mark+`)
		WHERE d.n >= ? ORDER BY d.day DESC`, l, rowKey(l, 0, 0), int64(1)<<sequenceBits, org, policy.minRows)
	err = database.Each(rows, err, "the sums of texts", func(row database.Row) error {
		var d summedDay
		if err := row.Scan(&d.day, &d.rows, &d.summed, &d.known); err != nil {
			return err
		}
		if policy.isDue(d) {
			due = append(due, d.day)
		}
		return nil
	})
	return due, err
}

// sumDays updates the sums of days until it has read policy.batch transactions. It returns how many
// of the days are done, or -1 if another process is at work.
func (tx *Tx) sumDays(org OrgKey, days []int64, policy textSumsPolicy) (done int, err error) {
	if alone, err := tx.TryUpkeepLock(); err != nil || !alone {
		return -1, err
	}
	if err := tx.lock(org); err != nil {
		return 0, err
	}
	currency, err := tx.ReportingCurrency(org)
	if err != nil {
		return 0, err
	}
	inReporting := currency.Code != usDollar
	if err := tx.dropStaleTextSums(org, inReporting); err != nil {
		return 0, err
	}
	l, err := tx.ledger(org)
	if err != nil {
		return 0, err
	}
	for total := int64(0); total < policy.batch && done < len(days); {
		read, more, err := tx.sumDay(l, days[done], policy, inReporting)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", dateOf(days[done]), err)
		}
		total += read
		if !more {
			done++
		}
	}
	return done, nil
}

// dropStaleTextSums deletes all sums of an organization if they are in another currency, or if
// another version of the program has replaced transactions and does not know the sums.
func (tx *Tx) dropStaleTextSums(org OrgKey, inReporting bool) error {
	mark := textSumsMark(inReporting)
	result, err := tx.db.Exec("UPDATE organizations AS o SET text_sums_rewritten = "+mark+
		" WHERE id = ? AND text_sums_rewritten <> "+mark, org)
	if err != nil {
		return err
	}
	if changed, err := result.RowsAffected(); err != nil || changed == 0 {
		return err
	}
	l, err := tx.ledger(org)
	if err != nil {
		return err
	}
	first, last := l.rows()
	_, err = tx.db.Exec("DELETE FROM ledger_text_sums WHERE id BETWEEN ? AND ?", first, last)
	return err
}

// sumDay adds up to policy.batch transactions of a day to its sums. It returns how many it has
// read, and whether there may be more.
func (tx *Tx) sumDay(l ledgerKey, day int64, policy textSumsPolicy, inReporting bool,
) (read int64, more bool, err error) {
	sums, summed, err := tx.daySums(l, day)
	if err != nil {
		return 0, false, err
	}
	id := rowKey(l, day, 0)
	last, pattern, usable := id+summed, []byte{}, true
	amount := "usd_cents, usd_known"
	if inReporting {
		amount = "coalesce(reporting_minor, 0), CASE WHEN reporting_minor IS NULL THEN 0 ELSE 1 END"
	}
	rows, err := tx.db.Query(`SELECT id, direction, `+amount+`, search_text FROM transactions
		WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?`, last+1, rowKey(l, day, maxSequence), policy.batch)
	err = database.Each(rows, err, "the transactions of a day", func(row database.Row) error {
		var key, direction, cents, known int64
		var text string
		if err := row.Scan(&key, &direction, &cents, &known, &text); err != nil {
			return err
		}
		read, last = read+1, last+1
		pattern = appendPattern(pattern[:0], text)
		fits := sums.add(pattern, ledger.Direction(direction), cents, known == 1)
		usable = usable && fits && key == last
		return nil
	})
	if err != nil || read == 0 {
		return 0, false, err
	}
	summed += read
	if !usable || int64(len(sums))*policy.rowsPerPattern > summed {
		return read, false, tx.setTextSums(id, summed, nil)
	}
	return read, read == policy.batch, tx.setTextSums(id, summed, sums.encode())
}

// daySums returns the sums of a day, and how many transactions they include.
func (tx *Tx) daySums(l ledgerKey, day int64) (sums textSums, summed int64, err error) {
	var entries []byte
	rows, err := tx.db.Query("SELECT n, entries FROM ledger_text_sums WHERE id = ? AND entries IS NOT NULL",
		rowKey(l, day, 0))
	err = database.Each(rows, err, "the sums of a day", func(row database.Row) error {
		return row.Scan(&summed, &entries)
	})
	if err == nil {
		sums, err = decodeTextSums(entries)
	}
	return sums, summed, err
}

func (tx *Tx) setTextSums(id, summed int64, entries []byte) error {
	_, err := tx.db.Exec(`INSERT INTO ledger_text_sums (id, n, entries) VALUES (?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET n = excluded.n, entries = excluded.entries`, id, summed, entries)
	return err
}
