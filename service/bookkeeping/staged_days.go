package bookkeeping

import (
	"cmp"
	"maps"
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// maxAtOnce is the largest number of transactions that the last transaction of a change adds and
// removes. It then takes about a tenth of a second. Of a larger change, the whole ledger is written
// beside the one that counts, in many transactions, and the last one turns to it.
const maxAtOnce = 3000

// stagedDays are the days of a ledger that a change with a stage changes.
type stagedDays struct {
	*change

	snap    *store.Snapshot
	before  map[bookrules.Day]store.DayDigest // digests when the derivation began
	digests map[bookrules.Day]store.DayDigest // digests of days that have changed since; zero for days that are gone
	gone    []bookrules.Day                   // days without lines, in ascending order
	changed []bookrules.Day                   // other days with other transactions
	rows    []ledger.Transaction              // transactions of these days
	removed int                               // number of transactions that they had
	differ  map[bookrules.Day]int             // number of transactions that are added, changed or removed
	beside  bool                              // true if the ledger is written beside the one that counts
	next    bookrules.Day                     // first day that is not written there
	whole   bool                              // true once all days are written there
}

// begin begins to publish what was derived from a snapshot. It returns the digests of the days as
// they are in the ledger that is written.
func (d *stagedDays) begin(snap *store.Snapshot) (map[bookrules.Day]store.DayDigest, error) {
	d.snap = snap
	if d.whole {
		before := maps.Clone(d.before)
		maps.Copy(before, d.digests)
		maps.DeleteFunc(before, func(_ bookrules.Day, digest store.DayDigest) bool { return digest == store.DayDigest{} })
		return before, nil
	}
	d.gone, d.changed, d.rows, d.removed, d.digests = nil, nil, nil, 0, map[bookrules.Day]store.DayDigest{}
	d.differ = map[bookrules.Day]int{}
	var err error
	d.before, err = snap.BookDays(d.Org)
	return d.before, err
}

func (d *stagedDays) remove(days []bookrules.Day) error {
	for _, day := range days {
		d.digests[day] = store.DayDigest{}
	}
	if err := d.compare(days, nil); err != nil {
		return err
	}
	if d.whole {
		return d.stage.ReplaceSide(d.ctx, datesOf(days), nil)
	}
	d.gone = days
	return d.count(days)
}

func (d *stagedDays) write(
	digests map[bookrules.Day]store.DayDigest,
	changed []bookrules.Day,
	rows []ledger.Transaction,
) error {
	maps.Copy(d.digests, digests)
	if err := d.compare(changed, rows); err != nil {
		return err
	}
	if d.whole {
		return d.stage.ReplaceSide(d.ctx, datesOf(changed), rows)
	}
	if len(d.changed) == 0 {
		d.changed, d.rows = changed, rows // the only days of most changes, and perhaps many
	} else {
		d.changed, d.rows = append(d.changed, changed...), append(d.rows, rows...)
	}
	if err := d.count(changed); err != nil {
		return err
	}
	if !d.beside {
		return nil
	}
	err := d.writeBeside()
	d.changed, d.rows = d.changed[:0], d.rows[:0]
	return err
}

// compare counts the transactions of changed days that differ from those that count, if the change
// needs their number.
func (d *stagedDays) compare(days []bookrules.Day, rows []ledger.Transaction) error {
	if !d.counting {
		return nil
	}
	for _, day := range days {
		n := rowsOf(day, rows)
		old, err := d.snap.DayTransactions(d.Org, day.Date())
		if err != nil {
			return err
		}
		d.differ[day] = differences(old, rows[:n])
		rows = rows[n:]
	}
	return nil
}

func (d *stagedDays) changes() (n int) {
	for _, differ := range d.differ {
		n += differ
	}
	return n
}

// written reports whether the ledger is written beside the one that counts.
func (d *stagedDays) written() bool { return d.beside }

// count adds the transactions that days had to d.removed, and sets d.beside if the change is too
// large for one transaction.
func (d *stagedDays) count(days []bookrules.Day) error {
	for _, day := range days {
		if d.beside {
			return nil
		}
		n, err := d.snap.DayRows(d.Org, day.Date())
		if err != nil {
			return err
		}
		d.removed += n
		d.beside = len(d.rows)+d.removed > cmp.Or(d.atOnce, maxAtOnce)
	}
	return nil
}

// writeBeside writes the changed days beside the ledger that counts, and the days before them that
// have not changed.
func (d *stagedDays) writeBeside() error {
	var parts []store.SidePart
	for rest := d.rows; len(d.changed) > 0; d.changed = d.changed[1:] {
		day := d.changed[0]
		n := rowsOf(day, rest)
		parts = append(parts, d.unchanged(day-1)...)
		if d.next = day + 1; n > 0 {
			parts = append(parts, store.SidePart{Rows: rest[:n]})
		}
		rest = rest[n:]
	}
	return d.stage.WriteSide(d.ctx, parts)
}

// unchanged returns the days from d.next to last that are not gone, as spans.
func (d *stagedDays) unchanged(last bookrules.Day) (parts []store.SidePart) {
	first := d.next
	span := func(last bookrules.Day) {
		if first <= last {
			parts = append(parts, store.SidePart{First: first.Date(), Last: last.Date()})
		}
	}
	for len(d.gone) > 0 && d.gone[0] <= last {
		span(d.gone[0] - 1)
		first, d.gone = d.gone[0]+1, d.gone[1:]
	}
	span(last)
	return parts
}

// lastDay is after all days that transactions can have.
const lastDay = bookrules.Day(1<<17 - 1)

// complete writes the days after the changed ones, if the ledger is written beside the one that
// counts.
func (d *stagedDays) complete() error {
	if !d.beside || d.whole {
		return nil
	}
	if err := d.writeBeside(); err != nil {
		return err
	}
	if err := d.stage.WriteSide(d.ctx, d.unchanged(lastDay)); err != nil {
		return err
	}
	d.whole = true
	return nil
}

// store stores the digests of the days in the last transaction, and their transactions if they are
// few.
func (d *stagedDays) store(tx *store.Tx) error {
	if err := tx.SetBookDays(d.Org, d.digests); err != nil || d.beside {
		return err
	}
	days := slices.Concat(d.gone, d.changed)
	if len(days) == 0 {
		return nil
	}
	return tx.ReplaceDays(d.Org, datesOf(days), d.rows)
}
