package transactions

import (
	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/seek"
	"tarmac/internal/civil"
)

// keptPages is the default of views.Env.KeptPages, the maximum number of pages whose rows stay in
// memory. Of other pages, only the cursor that fetches them again is kept.
const keptPages = 40

// span is a range of days that includes both ends. A zero date means that the range has no such
// end. A cursor is valid only for the span it was issued for (docs/api.md, Keyset
// cursor).
type span struct{ from, to civil.Date }

// store holds consecutive pages of the listing. Rows are numbered from 0, the newest row of the
// listing. The first row in the store is row 0 or the newest row of a day; for a day, the server
// says how many rows are newer.
type store struct {
	base  int          // number of the first row in the store
	pages []storedPage // newest first; evicted pages keep their length but no rows
	next  string       // cursor of the page after the last one in the store; "" at the end of the listing
	span  span         // days that the cursor next is valid for
	top   civil.Date   // all rows above the store are newer than this day; zero if it starts at row 0
	total int          // number of rows in the whole listing, as counted by the server
	known bool         // at least one page has arrived, possibly without rows
	held  int          // number of pages whose rows are in memory
}

type storedPage struct {
	span        span   // days of the request for the page
	count       int    // number of rows in that span when the page was fetched
	cursor      string // cursor that fetches the page; "" for the first page of the span
	start       int    // number of the page's first row, minus base
	length      int
	first, last string // IDs of the first and the last row
	rows        []apiclient.Transaction
}

// end returns the row number that follows the last row in the store.
func (s *store) end() int {
	if len(s.pages) == 0 {
		return s.base
	}
	last := s.pages[len(s.pages)-1]
	return s.base + last.start + last.length
}

// row returns row i of the listing. It returns false if that row is not in memory.
func (s *store) row(i int) (*apiclient.Transaction, bool) {
	p := s.pageOf(i)
	if p < 0 || s.pages[p].rows == nil {
		return nil, false
	}
	return &s.pages[p].rows[i-s.base-s.pages[p].start], true
}

// all returns all rows of the listing, newest first. It returns false unless all of them are in
// memory.
func (s *store) all() (rows []apiclient.Transaction, whole bool) {
	if !s.known || s.base > 0 || s.next != "" || s.held < len(s.pages) {
		return nil, false
	}
	for i := range s.pages {
		rows = append(rows, s.pages[i].rows...)
	}
	return rows, true
}

// indexOf returns the number of the row with the given ID. It returns -1 if that row is not in
// memory.
func (s *store) indexOf(id string) int {
	for i := s.base; i < s.end(); i++ {
		if t, ok := s.row(i); ok && t.ID == id {
			return i
		}
	}
	return -1
}

// pageOf returns the index of the page that holds row i of the listing. It returns -1 if no page
// does.
func (s *store) pageOf(i int) int {
	i -= s.base
	low, high := 0, len(s.pages)
	for low < high {
		middle := (low + high) / 2
		p := s.pages[middle]
		switch {
		case i < p.start:
			high = middle
		case i >= p.start+p.length:
			low = middle + 1
		default:
			return middle
		}
	}
	return -1
}

// begin replaces the content of the store with the newest page.
func (s *store) begin(answer *apiclient.TransactionPage) {
	*s = store{known: true, total: int(answer.Summary.Count)}
	s.append("", answer)
}

// beginAt replaces the content of the store with the page that starts at the newest row of a day.
// total is the number of rows in the whole listing.
func (s *store) beginAt(day civil.Date, total int, answer *apiclient.TransactionPage) {
	count := int(answer.Summary.Count)
	*s = store{known: true, total: max(total, count), base: max(0, total-count), span: span{to: day}, top: day}
	s.append("", answer)
}

// belowHead reports whether the listing has rows newer than those in the store.
func (s *store) belowHead() bool { return !s.top.IsZero() && s.base > 0 }

// changed reports whether the given days have gained or lost rows since one of their pages was
// stored. If so, row numbers in the store may be wrong.
func (s *store) changed(days span, answer *apiclient.TransactionPage) bool {
	if days == (span{}) {
		return false
	}
	for i := range s.pages {
		if s.pages[i].span == days {
			return s.pages[i].count != int(answer.Summary.Count)
		}
	}
	return false
}

// append adds a page at the end. It returns by how many rows the listing has grown since the last
// count. Such rows are above the store, so the row numbers in the store grow by the same number.
func (s *store) append(cursor string, answer *apiclient.TransactionPage) (grown int) {
	if s.span == (span{}) {
		grown = s.count(answer)
	}
	start := s.end() - s.base
	if n := len(answer.Data); n > 0 {
		s.pages = append(s.pages, newPage(s.span, cursor, start, answer))
		s.held++
	}
	s.next = answer.NextCursor
	if len(answer.Data) == 0 {
		s.next = "" // following the cursor of an empty page could loop forever
	}
	s.fixTotal()
	return grown
}

func newPage(within span, cursor string, start int, answer *apiclient.TransactionPage) storedPage {
	p := storedPage{span: within, count: int(answer.Summary.Count), cursor: cursor, start: start}
	return p.with(answer.Data)
}

// with returns a copy of the page that has the given rows instead. There must be at least one.
func (p storedPage) with(rows []apiclient.Transaction) storedPage {
	p.rows, p.length = rows, len(rows)
	p.first, p.last = rows[0].ID, rows[len(rows)-1].ID
	return p
}

// count updates total from a response and returns by how many rows the listing has grown. If it has
// shrunk, the result is negative, but base never becomes negative.
func (s *store) count(answer *apiclient.TransactionPage) (grown int) {
	total := int(answer.Summary.Count)
	if grown = total - s.total; grown < 0 {
		grown = max(grown, -s.base)
	}
	s.total = total
	s.base += grown
	return grown
}

// fixTotal corrects total if the store has more rows than that, or if it ends with the last row of
// the listing.
func (s *store) fixTotal() {
	s.total = max(s.total, s.end())
	if s.next == "" {
		s.total = s.end()
	}
}

// restore puts the rows of a response back into an evicted page. If rows were inserted meanwhile,
// it keeps the rows up to the page's old last row. If that row is gone, it drops this page and all
// later ones, and appends the response instead. It cannot do so if the page's span has a first day,
// because older rows follow in another span. In that case, it leaves the page as it is and returns
// false.
func (s *store) restore(i int, answer *apiclient.TransactionPage) bool {
	if i < 0 || i >= len(s.pages) || s.pages[i].rows != nil {
		return true
	}
	rows, old := answer.Data, s.pages[i]
	end := -1
	for n := range rows {
		if rows[n].ID == old.last {
			end = n + 1
		}
	}
	if end < 0 {
		if !old.span.from.IsZero() {
			return false
		}
		s.truncate(i)
		s.span = old.span
		s.append(old.cursor, answer)
		return true
	}
	s.pages[i] = old.with(rows[:end])
	s.held++
	for n := i + 1; n < len(s.pages); n++ {
		s.pages[n].start += end - old.length
	}
	s.total = max(s.total, s.end())
	return true
}

// prepend puts pages before the first page. They hold all rows from the day after the old value of
// s.top to the day top. A zero top means that they reach up to row 0 of the listing.
func (s *store) prepend(top civil.Date, pages []storedPage) {
	added := 0
	for i := range pages {
		pages[i].start = added
		added += pages[i].length
		if pages[i].rows != nil {
			s.held++
		}
	}
	for i := range s.pages {
		s.pages[i].start += added
	}
	s.pages = append(pages, s.pages...)
	s.base = max(0, s.base-added)
	s.top = top
	s.total = max(s.total, s.end())
}

// truncate drops the page with index i and all later ones.
func (s *store) truncate(i int) {
	for _, p := range s.pages[i:] {
		if p.rows != nil {
			s.held--
		}
	}
	s.pages = s.pages[:i]
}

// join merges the newest page of the listing into the first page of the store and returns how many
// rows it added. It returns false if the two pages have no rows in common, disagree about those, or
// are too long together.
func (s *store) join(answer *apiclient.TransactionPage) (added int, joined bool) {
	if len(s.pages) == 0 || s.pages[0].rows == nil {
		return 0, false
	}
	head := &s.pages[0]
	at := -1
	for n := range answer.Data {
		if answer.Data[n].ID == head.first {
			at = n
			break
		}
	}
	// No cursor can fetch the first page again, so its rows stay in memory and their number is
	// limited.
	if at < 0 || head.length+at > 5*seek.PageRows {
		return 0, false
	}
	known := answer.Data[at:]
	for n := range known {
		if n >= head.length {
			break
		}
		if known[n].ID != head.rows[n].ID {
			return 0, false // a row was inserted below the newest known one
		}
	}
	// Replace known rows too, since they may have changed: for example, a receipt was matched or an
	// exchange rate added.
	rows := make([]apiclient.Transaction, 0, at+head.length)
	rows = append(rows, answer.Data[:min(len(answer.Data), at+head.length)]...)
	rows = append(rows, head.rows[len(rows)-at:]...)
	*head = storedPage{}.with(rows)
	for n := 1; n < len(s.pages); n++ {
		s.pages[n].start += at
	}
	s.base, s.total, s.top = 0, int(answer.Summary.Count), civil.Date{}
	s.fixTotal()
	return at, true
}

// evict drops the rows of pages until at most the given number of pages have rows, starting with
// the pages farthest from the given row. The first page keeps its rows, because no cursor can fetch
// it again.
func (s *store) evict(row, most int) {
	near := max(0, s.pageOf(row))
	for s.held > most {
		far := -1
		for n := 1; n < len(s.pages); n++ {
			if s.pages[n].rows != nil && (far < 0 || distance(n, near) > distance(far, near)) {
				far = n
			}
		}
		if far < 0 {
			return
		}
		s.pages[far].rows = nil
		s.held--
	}
}

// partial returns how many rows in memory could not be decoded, and one of the errors.
func (s *store) partial() resource.Partial {
	var all resource.Partial
	for i := range s.pages {
		if p := resource.PartialOf("transaction", s.pages[i].rows); p.Records > 0 {
			p.Records += all.Records
			if all.Err != nil {
				p.Err = all.Err
			}
			all = p
		}
	}
	return all
}

func distance(a, b int) int { return max(a-b, b-a) }
