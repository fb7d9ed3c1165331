package bookkeeping

import (
	"tarmac/service/books"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// rebuild derives all accounts again by the current rules and publishes the ledger. It returns the
// number of transactions that were added, changed or removed.
func (b *Books) rebuild(tx *store.Tx) (changed int, err error) {
	if _, err := b.takeRules(tx); err != nil {
		return 0, err
	}
	l, all, err := b.deriveAll(tx)
	if err != nil {
		return 0, err
	}
	err = l.publish(tx, all, &changed)
	return changed, err
}

// deriveAll reads the books and derives all accounts.
func (b *Books) deriveAll(r reader) (*ledgerBooks, []derived, error) {
	l, err := b.load(r)
	if err != nil {
		return nil, nil, err
	}
	all := make([]derived, len(l.accounts))
	for n, a := range l.accounts {
		if all[n], err = l.derive(a); err != nil {
			return nil, nil, err
		}
	}
	return l, all, nil
}

// countChanges compares the transactions of the given days with those that replace them, and adds
// the number of differences to p.changed.
func (p *publisher) countChanges(days []books.Day, rows []ledger.Transaction) error {
	if p.changed == nil {
		return nil
	}
	before := map[string]string{} // digest by id
	for _, day := range days {
		old, err := p.tx.DayTransactions(p.Org, day.Date())
		if err != nil {
			return err
		}
		for n := range old {
			before[old[n].ID] = string(digestOf(old[n : n+1]))
		}
	}
	for n := range rows {
		if before[rows[n].ID] != string(digestOf(rows[n:n+1])) {
			*p.changed++
		}
		delete(before, rows[n].ID)
	}
	*p.changed += len(before)
	return nil
}
