package bookkeeping

import (
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

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
	l.decided = nil // answers may have changed
	all := make([]derived, len(l.accounts))
	for n, a := range l.accounts {
		var err error
		if all[n], err = l.derive(a); err != nil {
			return nil, err
		}
		if l.work.Stopped() {
			break
		}
	}
	return all, l.work.Err()
}

// differences returns how many transactions were added, changed or removed.
func differences(old, rows []ledger.Transaction) (n int) {
	before := map[string]store.Digest{} // digests by id
	for i := range old {
		before[old[i].ID] = digestOf(old[i : i+1])
	}
	for i := range rows {
		if before[rows[i].ID] != digestOf(rows[i:i+1]) {
			n++
		}
		delete(before, rows[i].ID)
	}
	return n + len(before)
}

// rowsOf returns how many of the first rows are of a day or of days before it. The rows are in
// ascending order.
func rowsOf(day bookrules.Day, rows []ledger.Transaction) int {
	n, _ := slices.BinarySearchFunc(rows, (day + 1).Date(), func(t ledger.Transaction, date civil.Date) int {
		return t.Date.Compare(date)
	})
	return n
}
