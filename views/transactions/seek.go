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

// mostRequests is the maximum number of requests per seek.
const mostRequests = 12

// walk is the distance in rows up to which reading on is cheaper than searching by date.
const walk = 6 * seek.PageRows

// target is where a seek leads. If id is set, it is the transaction under the cursor, whose row
// number must be found again; its date is the position's day.
type target struct {
	position.Position
	id string
}

// words describes the target for the screen.
func (to target) words() string {
	if to.id != "" {
		return "recounting"
	}
	return "to " + to.String()
}

// seekState is a running seek. It reads the total from the head of the listing, then searches
// by date for the day that holds the row, then reads that day's pages up to the row. The table
// keeps its rows until the seek ends.
type seekState struct {
	to       target
	number   uint64
	fresh    bool         // ignores rows that were read before
	requests int          // number of answered requests
	search   *seek.Search // nil until the head has arrived
	day      civil.Date   // the day being probed
	reading  bool         // the search is done, pages are being read
	run      store        // the pages read for the target
	row      int          // the target row
}

// seekTo starts a seek, or moves the cursor if the row is already in the run.
func (s *Screen) seekTo(to target) {
	if !s.store.known || s.store.total == 0 || s.seek != nil && s.seek.to == to {
		return
	}
	s.seek = nil
	if row, numbered := to.RowIn(s.store.total); numbered && row >= s.store.base && row < s.store.end() {
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

// recount finds the row number of the cursor again after rows were inserted elsewhere. It
// reports false and changes nothing if the last recount was less than a second ago, so that a
// busy ledger stays readable.
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

// want returns the next request of the seek.
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

// seekLoaded handles an answer to a seek. It ignores answers to a seek that was cancelled.
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
		k.search.AddPage(k.day, msg.page)
		s.probeDay()
	default:
		s.beginSearch(msg.page)
	}
}

// beginSearch starts the search by date once the head is known.
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
		k.search.AddRows(k.run.top, k.run.base, k.run.pages[0].rows)
	}
	s.probeDay()
}

// probeDay probes the next day, or starts reading if the search is done.
func (s *Screen) probeDay() {
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

// inReach reports whether a row is in the run or close below it.
func (k *seekState) inReach(row int) bool {
	return k.run.known && row >= k.run.base && row < k.run.end()+walk
}

// arrive starts reading at the day found, or continues the earlier run if that is closer to the
// target.
func (s *Screen) arrive() {
	k, total := s.seek, s.window.head.rows
	k.row, _ = k.search.Row()
	k.reading = true
	if k.search.IsBeforeOldest() && k.to.id == "" {
		s.input.problem = "no transactions on or before " + k.to.Day.String() + ": this is the oldest row"
	}
	place := k.search.Start()
	onward := k.run.known && k.run.base <= place.NewerRows && place.NewerRows <= k.run.end()
	if !onward && !k.inReach(k.row) {
		if place.Day.IsZero() {
			k.run.begin(place.Page)
		} else {
			k.run.beginAt(place.Day, total, place.Page)
		}
	}
	s.readOn()
}

// readOn ends the seek if the row was read or the limit of requests is reached.
func (s *Screen) readOn() {
	k := s.seek
	there := k.row < k.run.end()
	if k.to.id != "" && !k.search.IsBeforeOldest() {
		k.row, there = k.run.find(k.to)
	}
	if !there && k.run.next != "" && k.requests < mostRequests {
		return
	}
	s.seek = nil
	if !there && k.run.next != "" && !k.fresh {
		s.input.problem = "row " + money.Count(int64(k.run.end())) + " reached after " + strconv.Itoa(mostRequests) +
			" requests; repeat the jump to get closer"
	}
	s.land(&k.run, max(k.run.base, min(k.row, k.run.end()-1)), k.fresh)
}

// find returns the row of a target's transaction. It also reports true if the transaction no
// longer exists.
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

// land shows a run with the cursor on a row. If same is set, the cursor keeps its line on the
// screen; otherwise the row becomes the first line.
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

// seekRefused cancels a seek that the server rejects, because a retry would fail again.
func (s *Screen) seekRefused(err error) {
	if s.seek == nil || !errors.Is(err, apiclient.ErrInvalid) && !errors.Is(err, apiclient.ErrUnprocessable) {
		return
	}
	s.input.problem = "cannot jump " + s.seek.to.words() + ": the server refused the request"
	s.seek, s.request.renew = nil, true
}
