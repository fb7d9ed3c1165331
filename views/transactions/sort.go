package transactions

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/client/seek"
	"tarmac/internal/fold"
	"tarmac/internal/money"
)

// order says how the list is sorted.
type order int

const (
	byDate         order = iota // the order of the server: newest first
	byAmount                    // largest amount in the currency of the totals first
	byCounterparty              // names from A to Z
	orders                      // number of orders
)

// String names an order.
func (o order) String() string {
	return [...]string{"date", "amount", "counterparty"}[o]
}

// text says how a list in this order is sorted.
func (o order) text() string {
	return [...]string{"newest first", "largest amount first", "counterparties from A to Z"}[o]
}

// sorting is the state of a list in another order than the server's. The server lists
// transactions only by date (docs/api.md, Transaction list). Therefore all rows that match the
// filter are read before they are shown in another order.
type sorting struct {
	order  order                   // order of the list
	rows   []apiclient.Transaction // all rows, newest first; nil for the server's listing
	sorted []int                   // indexes of rows, in the order of the list
	whole  bool                    // rows has all that match the server's part of the filter
	found  figures.Flows           // sums of the rows that match the local filter

	reading   bool                    // all rows are being read
	next      order                   // order of the list once they have been read
	read      []apiclient.Transaction // rows read so far
	cursor    string                  // cursor of the next page
	total     int                     // number of rows that match, as last counted at the start of a reading
	cancelled bool                    // the user has stopped reading
	again     bool                    // this is the second reading: the ledger changed during the first
}

// row returns row i of the list as it is sorted. It returns false if that row is not in memory.
func (s *Screen) row(i int) (*apiclient.Transaction, bool) {
	switch {
	case s.isListing():
		return s.store.row(i)
	case i < 0 || i >= len(s.sorting.sorted):
		return nil, false
	}
	return &s.sorting.rows[s.sorting.sorted[i]], true
}

// nextOrder sorts the list in the next order. If rows are missing for that, it starts to read them.
func (s *Screen) nextOrder() {
	k := &s.sorting
	next := (k.order + 1) % orders
	if k.reading {
		next = (k.next + 1) % orders
	}
	switch rows, whole := s.store.all(); {
	case next == byDate:
		s.sortByDate()
	case k.reading:
		k.next = next
	case k.order != byDate || k.whole:
		s.showSorted(next, k.rows)
	case whole:
		s.showSorted(next, rows)
	case s.store.total > s.mostRead():
		s.input.problem = money.Count(int64(s.store.total)) + " transactions match; at most " +
			money.Count(int64(s.mostRead())) +
			" can be sorted: filter by dates (f), text (/) or direction (d)"
	default:
		s.readAll(next)
	}
}

// readAll starts to read all rows that match the filter, in order to sort them.
func (s *Screen) readAll(next order) {
	s.seek = nil
	s.sorting.reading, s.sorting.next, s.sorting.again = true, next, false
	s.sorting.total = s.store.total
	s.sorting.readFromStart()
}

func (k *sorting) readFromStart() { k.read, k.cursor = nil, "" }

// cancelReading stops reading. The list keeps its order.
func (s *Screen) cancelReading() {
	s.sorting.reading = false
	s.sorting.readFromStart()
}

// sortByDate shows the list in the order of the server. The cursor stays on its transaction if that
// is in the store.
func (s *Screen) sortByDate() {
	if !s.filter.local.Empty() {
		s.sorting.order = byDate
		s.searchMemory()
		return
	}
	at := s.store.base
	if t, ok := s.row(s.list.Table.Cursor()); ok {
		at = max(at, s.store.indexOf(t.ID))
	}
	s.sorting = sorting{}
	s.showRows()
	s.list.Table.SetCursor(at)
}

// sortPageLoaded adds a page of the rows that are being read. After the last page, it shows the
// sorted list. If the number of rows is not the one counted with the first page, the ledger has
// changed meanwhile: it then reads the rows once more, and after that says the difference.
func (s *Screen) sortPageLoaded(page *apiclient.TransactionPage) {
	k := &s.sorting
	if !k.reading {
		return // the user has cancelled
	}
	if k.read == nil {
		k.total = int(page.Summary.Count)
	}
	k.read = append(k.read, page.Data...)
	k.cursor = page.NextCursor
	switch {
	case max(k.total, len(k.read)) > seek.MostRows:
		s.cancelReading()
		s.input.problem = "not sorted: more than " + money.Count(seek.MostRows) + " transactions match"
	case k.cursor != "" && len(page.Data) > 0:
	case len(k.read) != k.total && !k.again:
		k.again = true
		k.readFromStart()
	default:
		if len(k.read) != k.total {
			s.input.problem = "the ledger changes while it is read: it has " + money.Count(int64(k.total)) +
				" transactions, " + money.Count(int64(len(k.read))) + " were read and are sorted"
		}
		s.showSorted(k.next, k.read)
	}
}

// showSorted shows the rows in an order. They are all rows that match the server's part of the
// filter, newest first. The cursor stays on its transaction if the list had this order before, and
// moves to the first row otherwise.
func (s *Screen) showSorted(o order, rows []apiclient.Transaction) { s.showFound(o, rows, true) }

// showRows sets the number of rows of the table.
func (s *Screen) showRows() {
	if s.isListing() {
		s.state.SetPartial(s.store.partial())
		s.list.Table.SetRows(s.store.end(), s.store.total)
	} else {
		s.state.SetPartial(resource.PartialOf("transaction", s.sorting.rows))
		s.list.Table.SetRows(len(s.sorting.sorted), len(s.sorting.sorted))
	}
	s.list.Table.Invalidate()
	s.list.Invalidate()
}

// sortedIndexes returns the indexes of rows in an order. Equal rows keep their order. Rows without
// an amount in the currency of the totals or without a name come last.
func sortedIndexes(o order, rows []apiclient.Transaction) []int {
	indexes, names, amounts := make([]int, len(rows)), make([]string, len(rows)), make([]uint64, len(rows))
	folder := fold.New()
	for i := range rows {
		if indexes[i] = i; o == byDate {
			continue
		}
		if o == byCounterparty {
			names[i] = folder.Fold(rows[i].CounterpartyName)
		} else if size, known := figures.Size(rows[i].Reporting); known {
			amounts[i] = size + 1
		}
	}
	slices.SortStableFunc(indexes, func(a, b int) int {
		if names[a] == "" || names[b] == "" {
			return cmp.Or(strings.Compare(names[b], names[a]), cmp.Compare(amounts[b], amounts[a]))
		}
		return strings.Compare(names[a], names[b])
	})
	return indexes
}

// sortWords says how the list is sorted, or how many rows have been read in order to sort them.
func (s *Screen) sortWords() string {
	k := &s.sorting
	narrow := s.Width < 70
	switch {
	case k.reading && narrow:
		return money.Count(int64(len(k.read))) + " read · esc"
	case k.reading:
		return "sorting by " + k.next.String() + ": " + money.Count(int64(len(k.read))) + " of " +
			money.Count(int64(k.total)) + " read · esc"
	case s.newerThanSorted() && narrow:
		return "▲ r"
	case s.newerThanSorted():
		return "▲ newer transactions: r · " + k.order.text()
	case narrow:
		return "by " + k.order.String()
	}
	return k.order.text()
}

// newerThanSorted reports whether there are known to be transactions newer than the sorted rows.
func (s *Screen) newerThanSorted() bool {
	id := s.newest()
	return id != "" && !slices.ContainsFunc(s.sorting.rows, func(t apiclient.Transaction) bool { return t.ID == id })
}
