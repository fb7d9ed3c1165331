package transactions

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/client/seek"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// mostRequests is how many requests one seek may take.
const mostRequests = 12

// walk is how many rows are rather read on to than looked for by dates.
const walk = 6 * seek.PageRows

// target is where to go. With an id it is where the listing is already: the transaction with
// this id on the position's day, whose number is not known any more.
type target struct {
	position.Position
	id string
}

// words says where it is going.
func (to target) words() string {
	if to.id != "" {
		return "recounting"
	}
	return "to " + to.String()
}

// seekState is a seek under way. The head of the listing says how many rows there are; then days
// are asked about until the first page of one holds the row; where a day has many rows its pages
// are read on. The table keeps what it shows until then.
type seekState struct {
	to       target
	number   uint64
	fresh    bool         // rows that were read before do not count any more
	requests int          // so many were answered
	search   *seek.Search // nil until the head is there
	day      civil.Date   // that is asked about
	reading  bool         // the search is over
	run      store        // what is read on
	row      int          // where to
}

// seekTo begins to look for a place, or steps there when it was read already.
func (s *Screen) seekTo(to target) {
	if !s.store.known || s.store.total == 0 || s.seek != nil && s.seek.to == to {
		return
	}
	s.seek = nil
	if row, numbered := to.Of(s.store.total); numbered && row >= s.store.base && row < s.store.end() {
		s.table.SetCursor(row)
		return
	}
	s.beginSeek(seekState{to: to})
	s.request.urgent = true
}

func (s *Screen) beginSeek(k seekState) {
	s.seeks++
	k.number = s.seeks
	s.seek = &k
	s.window.upper = above{}
}

// recount finds the number of the row under the cursor again, after rows came in
// somewhere around it. It reports false, and leaves the numbers as they are, where
// that was done a moment ago: a ledger that changes all the time is read on.
func (s *Screen) recount() bool {
	now := s.env.Now()
	if s.seek != nil || now.Sub(s.window.counted) < time.Second {
		return false
	}
	s.window.counted = now
	to := target{Position: position.Position{Kind: position.Row, Row: s.table.Cursor()}}
	if t, ok := s.store.row(to.Row); ok {
		to = target{position.Position{Kind: position.Day, Day: t.Date}, t.ID}
	}
	s.beginSeek(seekState{to: to, fresh: true})
	return true
}

// want returns what to ask for next.
func (k *seekState) want() want {
	w := want{part: seeking, number: k.number}
	switch {
	case k.reading:
		w.in, w.cursor = k.run.in, k.run.next
	case k.search != nil:
		w.in = span{to: k.day}
	}
	return w
}

// seekLoaded takes an answer to a seek. One to a seek that was given up does not count.
func (s *Screen) seekLoaded(msg Loaded) {
	k := s.seek
	if k == nil || k.number != msg.want.number {
		return
	}
	k.requests++
	switch {
	case k.reading:
		k.run.append(msg.want.cursor, msg.page)
		s.readOn()
	case k.search != nil:
		k.search.Learn(k.day, msg.page)
		s.askDay()
	default:
		s.beginSearch(msg.page)
	}
}

// beginSearch begins to ask about days, now that the head is known.
func (s *Screen) beginSearch(head *apiclient.TransactionPage) {
	k := s.seek
	s.noteHead(head)
	if len(head.Data) == 0 {
		s.seek = nil
		s.store.begin(head)
		return
	}
	k.search = seek.New(k.to.Position, s.filter.period.From, head)
	if !k.fresh && s.window.head.rows == s.store.total {
		k.run = s.store
		k.run.pages = slices.Clone(s.store.pages)
	}
	if k.run.inside() && len(k.run.pages) > 0 {
		k.search.Know(k.run.top, k.run.base, k.run.pages[0].rows)
	}
	s.askDay()
}

// askDay asks about another day, or begins to read where that is enough.
func (s *Screen) askDay() {
	k := s.seek
	row, known := k.search.Row()
	if known && k.inReach(row) || k.requests >= mostRequests {
		s.arrive()
		return
	}
	day, more := k.search.Next()
	if k.day = day; !more {
		s.arrive()
	}
}

// inReach reports whether a row was read, or is little below what was.
func (k *seekState) inReach(row int) bool {
	return k.run.known && row >= k.run.base && row < k.run.end()+walk
}

// arrive begins to read at the day that was found, or where what was read before
// leads further.
func (s *Screen) arrive() {
	k, total := s.seek, s.window.head.rows
	k.row, _ = k.search.Row()
	k.reading = true
	if k.search.Missed() && k.to.id == "" {
		s.input.problem = "no transactions on or before " + k.to.Day.String() + ": this is the oldest row"
	}
	place := k.search.Place()
	if onward := k.run.known && k.run.base <= place.Above && place.Above <= k.run.end(); !onward && !k.inReach(k.row) {
		if place.Day.IsZero() {
			k.run.begin(place.Page)
		} else {
			k.run.beginAt(place.Day, total, place.Page)
		}
	}
	s.readOn()
}

// readOn lands when the place was read, or when no more may be asked for.
func (s *Screen) readOn() {
	k := s.seek
	there := k.row < k.run.end()
	if k.to.id != "" && !k.search.Missed() {
		k.row, there = k.run.find(k.to)
	}
	if !there && k.run.next != "" && k.requests < mostRequests {
		return
	}
	s.seek = nil
	if !there && k.run.next != "" && !k.fresh {
		s.input.problem = "row " + money.Count(int64(k.run.end())) + " reached after " + strconv.Itoa(mostRequests) + " requests; repeat the jump to get closer"
	}
	s.land(&k.run, max(k.run.base, min(k.row, k.run.end()-1)), k.fresh)
}

// find returns where the transaction of a target is; true also when it is known to
// be gone.
func (s *store) find(to target) (row int, there bool) {
	for i := s.base; i < s.end(); i++ {
		t, ok := s.row(i)
		switch {
		case !ok:
		case t.ID == to.id:
			return i, true
		case !t.Date.IsZero() && t.Date.Before(to.Day):
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

// seekRefused gives up a seek that the server refuses: asking the same again would be in vain.
func (s *Screen) seekRefused(err error) {
	if s.seek == nil || !errors.Is(err, apiclient.ErrInvalid) && !errors.Is(err, apiclient.ErrUnprocessable) {
		return
	}
	s.input.problem = "cannot jump " + s.seek.to.words() + ": the server refused the request"
	s.seek, s.request.renew = nil, true
}
