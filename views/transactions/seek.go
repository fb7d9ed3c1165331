package transactions

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// mostAsked is how many requests one way to a place may take.
const mostAsked = 12

// walk is how many rows are rather read on to than looked for by dates.
const walk = 6 * pageRows

// seek is a way to a place. The head of the listing says how many rows there are;
// then days are asked about until the first page of one holds the place; where a
// day has many rows its pages are read on. What is shown stays until then.
type seek struct {
	to     place
	number uint64
	fresh  bool // what was read before does not count any more
	asked  int
	phase  phase
	search search
	day    civil.Date                 // that is asked about
	hiDay  civil.Date                 // that led to the search's hi; none: the head did
	page   *apiclient.TransactionPage // of the search's hi
	run    store                      // what is read on
	row    int                        // where to
}

type phase int

const (
	counting phase = iota
	searching
	reading
)

// travel sets out for a place, or steps there when it was read already.
func (s *Screen) travel(to place) {
	if !s.store.known || s.store.total == 0 || s.seek != nil && s.seek.to == to {
		return
	}
	s.seek = nil
	if row, numbered := to.index(s.store.total); numbered && row >= s.store.base && row < s.store.end() {
		s.table.SetCursor(row)
		return
	}
	s.setOut(seek{to: to})
	s.urgent = true
}

func (s *Screen) setOut(k seek) {
	s.ways++
	k.number = s.ways
	s.seek = &k
	s.upper = above{}
}

// recount finds the number of the row under the cursor again, after rows came in
// somewhere around it. It reports false, and leaves the numbers as they are, where
// that was done a moment ago: a ledger that changes all the time is read on.
func (s *Screen) recount() bool {
	now := s.now()
	if s.seek != nil || now.Sub(s.counted) < time.Second {
		return false
	}
	s.counted = now
	to := place{kind: atRow, row: s.table.Cursor()}
	if t, ok := s.store.row(to.row); ok {
		to = place{kind: atSame, date: t.Date, id: t.ID}
	}
	s.setOut(seek{to: to, fresh: true})
	return true
}

// want returns what to ask for next.
func (k *seek) want() want {
	w := want{part: way, number: k.number}
	switch k.phase {
	case searching:
		w.in = span{to: k.day}
	case reading:
		w.in, w.cursor = k.run.in, k.run.next
	}
	return w
}

// underWay takes an answer on the way. One on a way that was given up does not
// count.
func (s *Screen) underWay(msg Loaded) {
	k := s.seek
	if k == nil || k.number != msg.want.number {
		return
	}
	k.asked++
	switch k.phase {
	case counting:
		s.counting(msg.page)
	case searching:
		hit := k.search.learn(k.day, msg.page)
		if hit {
			k.hiDay, k.page = k.day, msg.page
		}
		switch {
		case k.to.kind != atDate && k.to.kind != atSame:
			s.closer()
		case hit:
			k.search.need = k.search.hi.rows
			s.arrive()
		default:
			s.beforeAll()
		}
	case reading:
		k.run.append(msg.want.cursor, msg.page)
		s.readOn()
	}
}

// counting chooses the way, now that the head is known.
func (s *Screen) counting(head *apiclient.TransactionPage) {
	k := s.seek
	s.noteHead(head)
	if len(head.Data) == 0 {
		s.seek = nil
		s.store.begin(head)
		return
	}
	total := s.head.rows
	k.page, k.search = head, search{need: 1}
	k.search.from(s.head.mark, head.Data)
	if from := s.filter.period.From; !from.IsZero() {
		k.search.lo.date = from.AddDays(-1)
	}
	if !k.fresh && total == s.store.total {
		k.run = s.store
		k.run.pages = slices.Clone(s.store.pages)
	}
	if row, numbered := k.to.index(total); numbered {
		k.search.need = total - row
		k.fromRun(total)
		s.closer()
		return
	}
	switch day, first := k.to.date, k.search.lo.date; {
	case !day.Before(s.head.date):
		k.search.need = total
		s.arrive()
	case !first.IsZero() && !day.After(first):
		s.beforeAll()
	default:
		k.day, k.phase = day, searching
	}
}

// fromRun narrows the search by what was read before: where the run begins.
func (k *seek) fromRun(total int) {
	begins := mark{k.run.top, total - k.run.base}
	switch {
	case !k.run.inside():
	case begins.rows < k.search.need:
		k.search.lo = begins
	case k.run.pages[0].rows != nil:
		rows := k.run.pages[0].rows
		k.hiDay, k.page = k.run.top, nil // arrive goes on in the run
		k.search.from(mark{rows[0].Date, begins.rows}, rows)
	}
}

// beforeAll goes to the oldest row instead of a day before all rows.
func (s *Screen) beforeAll() {
	k := s.seek
	if k.to.kind == atDate {
		s.problem = "nothing is dated " + k.to.date.String() + " or before: this is the oldest row"
	}
	k.to, k.search.need = place{kind: atEnd}, 1
	s.closer()
}

// closer asks about another day, or begins to read where that is enough.
func (s *Screen) closer() {
	k := s.seek
	if k.search.near() || k.inReach(s.head.rows-k.search.need) || k.asked >= mostAsked {
		s.arrive()
		return
	}
	day, more := k.search.next()
	if !more {
		s.arrive()
		return
	}
	k.day, k.phase = day, searching
}

// inReach reports whether a row was read, or is little below what was.
func (k *seek) inReach(row int) bool {
	return k.run.known && row >= k.run.base && row < k.run.end()+walk
}

// arrive begins to read at the day that was found, or where what was read before
// leads further.
func (s *Screen) arrive() {
	k, total := s.seek, s.head.rows
	k.row, k.phase = total-k.search.need, reading
	first := total - k.search.hi.rows
	if onward := k.run.known && k.run.base <= first && first <= k.run.end(); !onward && !k.inReach(k.row) {
		if k.hiDay.IsZero() {
			k.run.begin(k.page)
		} else {
			k.run.beginAt(k.hiDay, total, k.page)
		}
	}
	s.readOn()
}

// readOn lands when the place was read, or when no more may be asked for.
func (s *Screen) readOn() {
	k := s.seek
	there := k.row < k.run.end()
	if k.to.kind == atSame {
		k.row, there = k.run.find(k.to)
	}
	if !there && k.run.next != "" && k.asked < mostAsked {
		return
	}
	s.seek = nil
	if !there && k.run.next != "" && !k.fresh {
		s.problem = "row " + money.Count(int64(k.run.end())) + " is as near as " + strconv.Itoa(mostAsked) + " requests lead; the same again goes on"
	}
	s.land(&k.run, max(k.run.base, min(k.row, k.run.end()-1)), k.fresh)
}

// find returns where the transaction of a place is; true also when it is known to
// be gone.
func (s *store) find(to place) (row int, there bool) {
	for i := s.base; i < s.end(); i++ {
		t, ok := s.row(i)
		switch {
		case !ok:
		case t.ID == to.id:
			return i, true
		case !t.Date.IsZero() && t.Date.Before(to.date):
			return i, true
		}
	}
	return s.end() - 1, false
}

// land shows a run with the cursor on one of its rows: on the line where it stood
// when the row is the same, else on the first one.
func (s *Screen) land(run *store, row int, same bool) {
	line := 0
	if first, _ := s.table.Visible(); same {
		line = s.table.Cursor() - first
	}
	s.store = *run
	s.table.SetRows(s.store.end(), s.store.total)
	s.table.SetCursor(row)
	first, _ := s.table.Visible()
	s.table.Scroll(row - line - first)
}

// refusedWay gives up a way that the server does not let through: asking the same
// again would be in vain.
func (s *Screen) refusedWay(err error) {
	if s.seek == nil || !errors.Is(err, apiclient.ErrInvalid) && !errors.Is(err, apiclient.ErrUnprocessable) {
		return
	}
	s.problem = "cannot go " + s.seek.to.words() + ": the server does not take it"
	s.seek, s.renew = nil, true
}
