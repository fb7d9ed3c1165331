package transactions

import (
	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/seek"
	"tarmac/internal/civil"
)

// keptPages is how many pages of rows stay in memory. A page further away keeps
// only its cursor, by which it is fetched again.
const keptPages = 40

// span is the days, both included, that a page was asked for within the filters: a
// zero end is open. A cursor is good only with the span that it came with
// (docs/api.md, Keyset cursor).
type span struct{ from, to civil.Date }

// store is the part of a listing that was read: a run of pages without a gap, the
// first of them at an absolute row. A run that does not start at the head of the
// listing starts at the newest row of some day, since how many rows are newer than
// a day is what can be asked for.
type store struct {
	base  int        // the absolute row of the first page's first row
	pages []page     // in order; an evicted page has its length but no rows
	next  string     // the cursor of the page after the last; "" when there is none
	in    span       // which next is good for
	top   civil.Date // all rows above the run are newer than this; none: it began at the head
	total int        // rows in the whole listing, by the server's count
	known bool       // the run has been begun
	held  int        // pages whose rows are in memory
}

type page struct {
	in          span   // what it was asked for with
	count       int    // how many rows the span held then
	cursor      string // what fetches it
	start       int    // its first row, counted from base
	length      int
	first, last string // the ids at its ends
	rows        []apiclient.Transaction
}

// end returns the absolute row after the last one of the run.
func (s *store) end() int {
	if len(s.pages) == 0 {
		return s.base
	}
	last := s.pages[len(s.pages)-1]
	return s.base + last.start + last.length
}

// row returns the row with an absolute index, if it is in memory.
func (s *store) row(i int) (*apiclient.Transaction, bool) {
	p := s.pageOf(i)
	if p < 0 || s.pages[p].rows == nil {
		return nil, false
	}
	return &s.pages[p].rows[i-s.base-s.pages[p].start], true
}

// pageOf returns which page of the run holds an absolute row, or -1.
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

// begin starts the run with the first page of the listing.
func (s *store) begin(answer *apiclient.TransactionPage) {
	*s = store{known: true, total: int(answer.Summary.Count)}
	s.append("", answer)
}

// beginAt starts the run with the rows of a day and before it, in a listing of so
// many rows.
func (s *store) beginAt(day civil.Date, total int, answer *apiclient.TransactionPage) {
	count := int(answer.Summary.Count)
	*s = store{known: true, total: max(total, count), base: max(0, total-count), in: span{to: day}, top: day}
	s.append("", answer)
}

// inside reports whether the run starts below the head.
func (s *store) inside() bool { return !s.top.IsZero() && s.base > 0 }

// changed reports whether rows were put into the days of a page since it was read:
// the numbers of the rows around it are no longer known.
func (s *store) changed(in span, answer *apiclient.TransactionPage) bool {
	if in == (span{}) {
		return false
	}
	for i := range s.pages {
		if s.pages[i].in == in {
			return s.pages[i].count != int(answer.Summary.Count)
		}
	}
	return false
}

// append adds the page after the last one. It returns by how many rows the
// listing has grown since the run was read: they are newer than the run and stand
// before it, so the run's rows are further down by as many.
func (s *store) append(cursor string, answer *apiclient.TransactionPage) (grown int) {
	if s.in == (span{}) {
		grown = s.count(answer)
	}
	start := s.end() - s.base
	if n := len(answer.Data); n > 0 {
		s.pages = append(s.pages, newPage(s.in, cursor, start, answer))
		s.held++
	}
	s.next = answer.NextCursor
	if len(answer.Data) == 0 {
		s.next = "" // a page of nothing that leads on would be asked for for ever
	}
	s.settle()
	return grown
}

func newPage(in span, cursor string, start int, answer *apiclient.TransactionPage) page {
	p := page{in: in, count: int(answer.Summary.Count), cursor: cursor, start: start}
	return p.with(answer.Data)
}

// with returns the page with these rows.
func (p page) with(rows []apiclient.Transaction) page {
	p.rows, p.length = rows, len(rows)
	p.first, p.last = rows[0].ID, rows[len(rows)-1].ID
	return p
}

// count takes the server's count of the whole listing.
func (s *store) count(answer *apiclient.TransactionPage) (grown int) {
	total := int(answer.Summary.Count)
	if grown = total - s.total; grown < 0 {
		grown = max(grown, -s.base)
	}
	s.total = total
	s.base += grown
	return grown
}

// settle makes the total agree with what was read to the end.
func (s *store) settle() {
	s.total = max(s.total, s.end())
	if s.next == "" {
		s.total = s.end()
	}
}

// restore puts rows back into an evicted page. Rows that were added to its span
// meanwhile push its old end out of the page: what stands after that belongs to
// the next one already. A page that no longer has its end ends the run; restore
// returns false where the run cannot end there, because its days do.
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
		if !old.in.from.IsZero() {
			return false
		}
		s.truncate(i)
		s.in = old.in
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

// prepend puts pages before the run: all rows that are newer than its top and not
// newer than another day, which is the top now. None: they reach up to the head.
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

// truncate drops the pages from i on.
func (s *store) truncate(i int) {
	for _, p := range s.pages[i:] {
		if p.rows != nil {
			s.held--
		}
	}
	s.pages = s.pages[:i]
}

// join puts newer rows before the run: answer is the head of the listing. It
// reports false when the head does not reach down to the run, which must then be
// begun anew.
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
	// The first page is not fetched again by a cursor, so it must not grow for ever.
	if at < 0 || head.length+at > 5*seek.PageRows {
		return 0, false
	}
	known := answer.Data[at:]
	for n := range known {
		if n >= head.length {
			break
		}
		if known[n].ID != head.rows[n].ID {
			return 0, false // something came in between
		}
	}
	// What is known may have changed: a receipt was matched, a rate came.
	rows := make([]apiclient.Transaction, 0, at+head.length)
	rows = append(rows, answer.Data[:min(len(answer.Data), at+head.length)]...)
	rows = append(rows, head.rows[len(rows)-at:]...)
	*head = page{}.with(rows)
	for n := 1; n < len(s.pages); n++ {
		s.pages[n].start += at
	}
	s.base, s.total, s.top = 0, int(answer.Summary.Count), civil.Date{}
	s.settle()
	return at, true
}

// evict gives back the rows of the pages furthest from an absolute row. The first
// page stays: no cursor fetches it, only the moving head does.
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

// partial returns what the rows in memory lack.
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
