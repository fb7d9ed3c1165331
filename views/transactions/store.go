package transactions

import (
	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/seek"
	"tarmac/internal/civil"
)

// keptPages is the maximum number of pages whose rows stay in memory. Other pages keep only the
// cursor to fetch them again.
const keptPages = 40

// span is a range of days that includes both ends; the zero date leaves an end open. A cursor is
// valid only for the span it was issued for (docs/api.md, Keyset cursor).
type span struct{ from, to civil.Date }

// store holds the part of the listing that was read: consecutive pages. Rows are numbered from the
// newest row of the listing, which is row 0. The store starts at row 0 or at the newest row of a
// day, because the server counts the rows that are newer than a day.
type store struct {
	base  int        // number of the first row in the store
	pages []page     // newest first; evicted pages keep their length but no rows
	next  string     // cursor of the page after the last one; "" if there is none
	span  span       // span of next
	top   civil.Date // all rows above the store are newer than this day; zero if it starts at row 0
	total int        // number of rows in the listing, as counted by the server
	known bool       // at least one page has arrived, maybe an empty one
	held  int        // number of pages with rows in memory
}

type page struct {
	span        span   // span that was requested
	count       int    // number of rows in the span when the page was read
	cursor      string // cursor that fetches the page; "" for the first page of the span
	start       int    // index of the first row, relative to base
	length      int
	first, last string // IDs of the first and the last row
	rows        []apiclient.Transaction
}

// end returns the number of the row after the last one in the store.
func (s *store) end() int {
	if len(s.pages) == 0 {
		return s.base
	}
	last := s.pages[len(s.pages)-1]
	return s.base + last.start + last.length
}

// row returns row i of the listing. It returns false if the row is not in memory.
func (s *store) row(i int) (*apiclient.Transaction, bool) {
	p := s.pageOf(i)
	if p < 0 || s.pages[p].rows == nil {
		return nil, false
	}
	return &s.pages[p].rows[i-s.base-s.pages[p].start], true
}

// pageOf returns the index of the page that holds row i of the listing, or -1.
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

// begin replaces the content of the store by the newest page.
func (s *store) begin(answer *apiclient.TransactionPage) {
	*s = store{known: true, total: int(answer.Summary.Count)}
	s.append("", answer)
}

// beginAt replaces the content of the store by the page that starts at the newest row of a day.
// total is the number of rows in the listing.
func (s *store) beginAt(day civil.Date, total int, answer *apiclient.TransactionPage) {
	count := int(answer.Summary.Count)
	*s = store{known: true, total: max(total, count), base: max(0, total-count), span: span{to: day}, top: day}
	s.append("", answer)
}

// belowHead reports whether the listing has rows above those in the store.
func (s *store) belowHead() bool { return !s.top.IsZero() && s.base > 0 }

// changed reports whether a span has gained or lost rows since one of its pages was stored. If so,
// the row numbers in the store may be wrong.
func (s *store) changed(within span, answer *apiclient.TransactionPage) bool {
	if within == (span{}) {
		return false
	}
	for i := range s.pages {
		if s.pages[i].span == within {
			return s.pages[i].count != int(answer.Summary.Count)
		}
	}
	return false
}

// append adds the next page at the end. It returns by how many rows the listing has grown since the
// last count. These rows are above the store, so all its row numbers grow as much.
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

func newPage(within span, cursor string, start int, answer *apiclient.TransactionPage) page {
	p := page{span: within, count: int(answer.Summary.Count), cursor: cursor, start: start}
	return p.with(answer.Data)
}

// with returns a copy of the page with the given rows, of which there must be at least one.
func (p page) with(rows []apiclient.Transaction) page {
	p.rows, p.length = rows, len(rows)
	p.first, p.last = rows[0].ID, rows[len(rows)-1].ID
	return p
}

// count updates total from a response and returns by how many rows the listing has grown. A
// negative result never makes base negative.
func (s *store) count(answer *apiclient.TransactionPage) (grown int) {
	total := int(answer.Summary.Count)
	if grown = total - s.total; grown < 0 {
		grown = max(grown, -s.base)
	}
	s.total = total
	s.base += grown
	return grown
}

// fixTotal corrects total if the store has rows beyond it, or ends with the last row of the
// listing.
func (s *store) fixTotal() {
	s.total = max(s.total, s.end())
	if s.next == "" {
		s.total = s.end()
	}
}

// restore puts rows back into an evicted page. If rows were inserted, it keeps only those up to the
// page's old last row. If that row is gone, it drops this page and all later ones and appends the
// response instead. It returns false if it may not do so, because the page's span has a first day
// and older rows follow in another span.
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

// prepend puts pages before the first one. They hold all rows from the day after the old top up to
// the new top; a zero top means up to row 0 of the listing.
func (s *store) prepend(top civil.Date, pages []page) {
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

// join merges the newest page of the listing into the first page of the store, and returns how many
// rows it added. It returns false if the two pages do not overlap, differ in the rows they share,
// or would be too long together.
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
	// The first page has no cursor to fetch it again, so its length is capped.
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
	// Take known rows from the response too: a receipt may have been matched, or a rate added.
	rows := make([]apiclient.Transaction, 0, at+head.length)
	rows = append(rows, answer.Data[:min(len(answer.Data), at+head.length)]...)
	rows = append(rows, head.rows[len(rows)-at:]...)
	*head = page{}.with(rows)
	for n := 1; n < len(s.pages); n++ {
		s.pages[n].start += at
	}
	s.base, s.total, s.top = 0, int(answer.Summary.Count), civil.Date{}
	s.fixTotal()
	return at, true
}

// evict drops the rows of the pages furthest from a row until at most keptPages pages have rows.
// The first page keeps its rows, because it has no cursor to fetch it again.
func (s *store) evict(around int) {
	near := max(0, s.pageOf(around))
	for s.held > keptPages {
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

// partial returns how many rows in memory could not be decoded completely, and one of the errors.
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
