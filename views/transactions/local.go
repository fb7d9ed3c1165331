package transactions

import (
	"cmp"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/seek"
	"tarmac/client/spending"
	"tarmac/internal/money"
)

// currency returns the currency of the totals, or "" before any figure is known.
func (s *Screen) currency() string {
	sum, _ := s.state.Value()
	return cmp.Or(sum.Currency, s.Snapshot.Currency())
}

// isListing reports whether the list is the server's listing, which is read as it scrolls.
func (s *Screen) isListing() bool { return s.sorting.order == byDate && s.filter.local.Empty() }

// searchMemory shows the rows in memory that match the local filter.
func (s *Screen) searchMemory() {
	rows, whole := s.sorting.rows, s.sorting.whole
	if !whole {
		rows = s.store.inMemory()
		_, whole = s.store.all()
	}
	s.showFound(s.sorting.order, rows, whole)
	if s.Books != nil && s.canReadAll() && s.store.total <= s.mostRead() && !s.sorting.cancelled {
		s.readRest() // of own books all rows are near, so that no sum is of some rows only
	}
}

// mostOwnRows is the maximum number of rows of own books that are read to search or to sort them.
const mostOwnRows = 20_000

// mostRead returns the maximum number of rows that are read to search or to sort them.
func (s *Screen) mostRead() int {
	if s.Books != nil {
		return mostOwnRows
	}
	return seek.MostRows
}

// inMemory returns the rows in memory, newest first.
func (s *store) inMemory() (rows []apiclient.Transaction) {
	for i := range s.pages {
		rows = append(rows, s.pages[i].rows...)
	}
	return rows
}

// showFound shows the rows that match the local filter, in an order. whole says that the
// rows are all that match the server's part of the filter. The cursor stays on its transaction.
func (s *Screen) showFound(o order, rows []apiclient.Transaction, whole bool) {
	id := ""
	if t, ok := s.row(s.list.Table.Cursor()); ok && s.sorting.order == o && s.list.Table.Cursor() > 0 {
		id = t.ID
	}
	k := sorting{order: o, rows: rows, whole: whole, cancelled: s.sorting.cancelled}
	k.sorted = sortedIndexes(o, rows)
	if l := s.filter.local; !l.Empty() {
		k.sorted = slices.DeleteFunc(k.sorted, func(i int) bool {
			return !l.Matches(&rows[i], s.rows.annotated.Of(&rows[i]).Category)
		})
		ledger := spending.NewLedger(rows, nil, nil)
		ledger.Currency = cmp.Or(ledger.Currency, s.currency())
		k.found = ledger.Flows(k.sorted)
	}
	s.sorting = k
	s.showRows()
	s.list.Table.SetCursor(max(0, slices.IndexFunc(k.sorted, func(i int) bool { return rows[i].ID == id })))
}

// canReadAll reports whether rows that the local filter might match have not been read.
func (s *Screen) canReadAll() bool {
	return s.allowed() && !s.filter.local.Empty() && s.store.known && !s.sorting.whole && !s.sorting.reading
}

// readRest reads all rows of the listing, to search them too.
func (s *Screen) readRest() {
	if most := s.mostRead(); s.store.total > most {
		s.input.problem = money.Count(int64(s.store.total)) + " transactions match; at most " + money.Count(int64(most)) +
			" can be searched for amounts or categories: filter by dates (f), text (/) or direction (d)"
		return
	}
	s.readAll(s.sorting.order)
}

// foundWords says how many of the rows that were read match the local filter.
func (s *Screen) foundWords() string {
	k := &s.sorting
	words := money.Count(int64(len(k.sorted))) + " of " + money.Count(int64(len(k.rows))) + " rows read"
	if !k.whole {
		words += ", of " + money.Count(int64(s.store.total)) + " · a reads all"
	}
	return words
}

// foundTotals returns the sums of the rows that match the local filter, without a direction that
// none of them has.
func (s *Screen) foundTotals() (parts []string) {
	f, t := s.sorting.found, s.Theme
	for _, sum := range []struct {
		name  string
		total figures.Total
		write func(...string) string
	}{{"in ", f.In, t.Inflow.Render}, {"out ", f.Out, t.Strong.Render}} {
		if sum.total.Minor != 0 || sum.total.Unknown {
			parts = append(parts, sum.name+s.withMark(sum.total, sum.write(figures.Unmarked(sum.total.String()))))
		}
	}
	return parts
}
