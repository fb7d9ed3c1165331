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

// span is the range of days that a page was requested for, both included; a zero end is open. A
// cursor is valid only for its own span (docs/api.md, Keyset cursor).
type span struct{ from, to civil.Date }

// store is the part of a listing that was read: a run of consecutive pages, the first of them
// at an absolute row. A run below the head starts at the newest row of a day, because the
// server can count the rows newer than a day.
type store struct {
	base  int        // absolute index of the run's first row
	pages []page     // in order; evicted pages keep their length but no rows
	next  string     // cursor of the page after the last one; "" if there is none
	in    span       // the span of next
	top   civil.Date // rows above the run are newer than this day; zero if it starts at the head
	total int        // rows in the whole listing, as counted by the server
	known bool       // the run has at least one answer
	held  int        // number of pages with rows in memory
}

type page struct {
	in          span   // the span it was requested for
	count       int    // rows in that span at the time
	cursor      string // cursor that fetches it
	start       int    // index of its first row within the run
	length      int
	first, last string // IDs of its first and last row
	rows        []apiclient.Transaction
}

// end returns the absolute index after the last row of the run.
func (s *store) end() int {
	if len(s.pages) == 0 {
		return s.base
	}
	last := s.pages[len(s.pages)-1]
	return s.base + last.start + last.length
}

// row returns the row with an absolute index; false if it is not in memory.
func (s *store) row(i int) (*apiclient.Transaction, bool) {
	p := s.pageOf(i)
	if p < 0 || s.pages[p].rows == nil {
		return nil, false
	}
	return &s.pages[p].rows[i-s.base-s.pages[p].start], true
}

// pageOf returns the index of the page that holds an absolute row, or -1.
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

// beginAt starts the run at the newest row of a day, in a listing of total rows.
func (s *store) beginAt(day civil.Date, total int, answer *apiclient.TransactionPage) {
	count := int(answer.Summary.Count)
	*s = store{known: true, total: max(total, count), base: max(0, total-count), in: span{to: day}, top: day}
	s.append("", answer)
}

// inside reports whether the run starts below the head.
func (s *store) inside() bool { return !s.top.IsZero() && s.base > 0 }

// changed reports whether the span of a page has gained or lost rows since it was read. The row
// numbers around it are then unknown.
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

// append adds the next page to the run. It returns by how many rows the listing has grown; new
// rows are above the run, so its row numbers shift by that many.
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
		s.next = "" // following the cursor of an empty page could loop forever
	}
	s.fixTotal()
	return grown
}

func newPage(in span, cursor string, start int, answer *apiclient.TransactionPage) page {
	p := page{in: in, count: int(answer.Summary.Count), cursor: cursor, start: start}
	return p.with(answer.Data)
}

// with returns the page with the given rows.
func (p page) with(rows []apiclient.Transaction) page {
	p.rows, p.length = rows, len(rows)
	p.first, p.last = rows[0].ID, rows[len(rows)-1].ID
	return p
}

// count updates the total from an answer and returns by how many rows it has grown.
func (s *store) count(answer *apiclient.TransactionPage) (grown int) {
	total := int(answer.Summary.Count)
	if grown = total - s.total; grown < 0 {
		grown = max(grown, -s.base)
	}
	s.total = total
	s.base += grown
	return grown
}

// fixTotal corrects the total if the run is longer than it, or has reached the end of the
// listing.
func (s *store) fixTotal() {
	s.total = max(s.total, s.end())
	if s.next == "" {
		s.total = s.end()
	}
}

// restore puts rows back into an evicted page. If rows were inserted into its span, it keeps
// only those up to the page's old end. If the old end is missing, the run ends at this page. It
// returns false if the run must not end there.
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

// prepend puts pages above the run. They hold the rows newer than the old top, up to the new
// top; a zero top means up to the head.
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

// truncate drops the pages from index i on.
func (s *store) truncate(i int) {
	for _, p := range s.pages[i:] {
		if p.rows != nil {
			s.held--
		}
	}
	s.pages = s.pages[:i]
}

// join puts newer rows from the head of the listing above the run. It reports false if the head
// does not overlap the run, which must then be restarted.
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
			return 0, false // a row was inserted in between
		}
	}
	// Known rows may have changed, for example by a matched receipt or a new rate.
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

// evict drops the rows of the pages furthest from an absolute row. The first page stays,
// because it has no cursor to fetch it again.
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

// partial returns how many rows in memory could not be read completely, and why.
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
