package bookkeeping

import (
	"tarmac/service/books"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// rebuilt describes what changed when the transactions were derived again.
type rebuilt struct {
	rows int      // number of transactions that were added, changed or removed
	paid []string // numbers of the organization's own invoices that the change has paid
}

// rebuild derives all accounts again by the current rules and publishes the ledger.
func (b *Books) rebuild(tx *store.Tx) (r rebuilt, err error) {
	if err := tx.AllowPauses(); err != nil {
		return r, err
	}
	if _, err := b.takeRules(tx); err != nil {
		return r, err
	}
	l, all, err := b.deriveAll(tx)
	if err != nil {
		return r, err
	}
	return l.republish(tx, all)
}

// republish publishes the ledger of all accounts.
func (l *ledgerBooks) republish(tx *store.Tx, all []derived) (r rebuilt, err error) {
	j, err := newJournal(l, all)
	if err != nil {
		return r, err
	}
	r.paid, err = j.publish(tx, &r.rows)
	return r, err
}

// deriveAll reads the stored books and derives all accounts.
func (b *Books) deriveAll(r reader) (*ledgerBooks, []derived, error) {
	l, err := b.load(r)
	if err != nil {
		return nil, nil, err
	}
	all, err := l.deriveAll()
	return l, all, err
}

// deriveAll derives all accounts.
func (l *ledgerBooks) deriveAll() ([]derived, error) {
	all := make([]derived, len(l.accounts))
	for n, a := range l.accounts {
		var err error
		if all[n], err = l.derive(a); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// countChanges compares the transactions of the given days in the ledger with rows, and adds the
// number of differences to d.changed.
func (d *writtenDays) countChanges(days []books.Day, rows []ledger.Transaction) error {
	if d.changed == nil {
		return nil
	}
	before := map[string]store.Digest{} // digests by id
	for _, day := range days {
		old, err := d.tx.DayTransactions(d.org, day.Date())
		if err != nil {
			return err
		}
		for n := range old {
			before[old[n].ID] = digestOf(old[n : n+1])
		}
	}
	for n := range rows {
		if before[rows[n].ID] != digestOf(rows[n:n+1]) {
			*d.changed++
		}
		delete(before, rows[n].ID)
	}
	*d.changed += len(before)
	return nil
}
