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

// maxRequests is the maximum number of requests per seek.
const maxRequests = 12

// readOnRows is the maximum distance in rows that takes fewer requests when one page after another
// is read than when it is searched by date.
const readOnRows = 6 * seek.PageRows

// target is the row that a seek looks for: a position, or the transaction with the given id. If id
// is set, the position is the day of that transaction.
type target struct {
	position.Position
	id string
}

// words describes the target for messages on the screen.
func (to target) words() string {
	if to.id != "" {
		return "recounting"
	}
	return "to " + to.String()
}

// seekState is a running seek, the search for a distant row of the listing. It first requests the
// newest page, which has the number of rows. Then it searches by date for the day of the target
// row, and reads the pages of that day down to the row. The table keeps its old rows until the seek
// ends.
type seekState struct {
	to       target
	number   uint64
	recount  bool         // started by the method recount; ignores the rows in the store
	requests int          // number of responses received so far
	search   *seek.Search // nil until the newest page has arrived
	day      civil.Date   // the day that the search requested last
	reading  bool         // the search has ended, and pages are being read
	loaded   store        // pages read so far; they replace the screen's store when the seek ends
	row      int          // number of the target row
}

// seekTo starts a seek. If the target's row number is known and that row is in the store, it only
// moves the cursor.
func (s *Screen) seekTo(to target) {
	if !s.store.known || s.store.total == 0 || s.seek != nil && s.seek.to == to {
		return
	}
	s.seek = nil
	if row, numbered := to.RowIn(s.store.total); numbered && row >= s.store.base && row < s.store.end() {
		s.list.Table.SetCursor(row)
		return
	}
	s.beginSeek(seekState{to: to})
	s.request.urgent = true
}

// seekRow starts a seek for the transaction of a day with an id.
func (s *Screen) seekRow(day civil.Date, id string) {
	s.beginSeek(seekState{to: target{position.Position{Kind: position.Day, Day: day}, id}})
}

func (s *Screen) beginSeek(k seekState) {
	s.seeks++
	k.number = s.seeks
	s.seek = &k
	s.window.upper = newerRows{}
}

// recount starts a seek for the transaction under the cursor, because inserted rows may have
// changed its row number. It returns false if a seek is running or the last recount was less than a
// second ago. Without this limit, frequent new transactions would cause one recount after another.
func (s *Screen) recount() bool {
	now := s.Now()
	if s.seek != nil || now.Sub(s.window.counted) < time.Second {
		return false
	}
	s.window.counted = now
	to := target{Position: position.Position{Kind: position.Row, Row: s.list.Table.Cursor()}}
	if t, ok := s.store.row(to.Row); ok {
		to = target{position.Position{Kind: position.Day, Day: t.Date}, t.ID}
	}
	s.beginSeek(seekState{to: to, recount: true})
	return true
}

// request returns the next request of the seek.
func (k *seekState) request() pageRequest {
	w := pageRequest{kind: seekPage, number: k.number}
	switch {
	case k.reading:
		w.span, w.cursor = k.loaded.span, k.loaded.next
	case k.search != nil:
		w.span = span{to: k.day}
	}
	return w
}

// seekLoaded handles a response to a request of a seek. It ignores responses to a cancelled seek.
func (s *Screen) seekLoaded(msg Loaded) {
	k := s.seek
	if k == nil || k.number != msg.asked.number {
		return
	}
	k.requests++
	switch {
	case k.reading:
		k.loaded.append(msg.asked.cursor, msg.page)
		s.endIfDone()
	case k.search != nil:
		k.search.AddPage(k.day, msg.page)
		s.probeDay()
	default:
		s.beginSearch(msg.page)
	}
}

// beginSearch starts the search by date. It gets the newest page, which has the number of rows.
func (s *Screen) beginSearch(head *apiclient.TransactionPage) {
	k := s.seek
	s.noteHead(head)
	if len(head.Data) == 0 {
		s.seek = nil
		s.store.begin(head)
		return
	}
	k.search = seek.New(k.to.Position, s.filter.period.From, head)
	if !k.recount && s.window.head.rows == s.store.total {
		k.loaded = s.store
		k.loaded.pages = slices.Clone(s.store.pages)
	}
	if k.loaded.belowHead() && len(k.loaded.pages) > 0 {
		k.search.AddRows(k.loaded.top, k.loaded.base, k.loaded.pages[0].rows)
	}
	s.probeDay()
}

// probeDay chooses the next day to request, or starts reading if the search has ended.
func (s *Screen) probeDay() {
	k := s.seek
	row, known := k.search.Row()
	if known && k.inReach(row) || k.requests >= maxRequests {
		s.beginReading()
		return
	}
	day, more := k.search.Next()
	if k.day = day; !more {
		s.beginReading()
	}
}

// inReach reports whether a row is among the loaded rows, or below them by at most readOnRows.
func (k *seekState) inReach(row int) bool {
	return k.loaded.known && row >= k.loaded.base && row < k.loaded.end()+readOnRows
}

// beginReading starts to read at the day that the search has found. If the target is among the
// loaded rows or a short way below them, it continues reading these instead.
func (s *Screen) beginReading() {
	k, total := s.seek, s.window.head.rows
	k.row, _ = k.search.Row()
	k.reading = true
	if k.search.IsBeforeOldest() && k.to.id == "" {
		s.input.problem = "no transactions on or before " + k.to.Day.String() + ": this is the oldest row"
	}
	place := k.search.Start()
	adjoins := k.loaded.known && k.loaded.base <= place.NewerRows && place.NewerRows <= k.loaded.end()
	if !adjoins && !k.inReach(k.row) {
		if place.Day.IsZero() {
			k.loaded.begin(place.Page)
		} else {
			k.loaded.beginAt(place.Day, total, place.Page)
		}
	}
	s.endIfDone()
}

// endIfDone ends the seek if the target row has been read, the listing has ended, or the seek has
// made maxRequests requests.
func (s *Screen) endIfDone() {
	k := s.seek
	there := k.row < k.loaded.end()
	if k.to.id != "" && !k.search.IsBeforeOldest() {
		k.row, there = k.loaded.find(k.to)
	}
	if !there && k.loaded.next != "" && k.requests < maxRequests {
		return
	}
	s.seek = nil
	if !there && k.loaded.next != "" && !k.recount {
		s.input.problem = "row " + money.Count(int64(k.loaded.end())) + " reached after " + strconv.Itoa(maxRequests) +
			" requests; repeat the jump to get closer"
	}
	s.showLoaded(&k.loaded, max(k.loaded.base, min(k.row, k.loaded.end()-1)), k.recount)
}

// find returns the row number of the transaction with the target's id. If rows of an earlier day
// have been read, the transaction no longer exists; find then returns the first of these rows and
// true.
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

// showLoaded replaces the store with loaded and moves the cursor to a row. The row appears on the
// first line of the table or, if keepLine is set, on the line on which the cursor was.
func (s *Screen) showLoaded(loaded *store, row int, keepLine bool) {
	line := 0
	if first, _ := s.list.Table.Visible(); keepLine {
		line = s.list.Table.Cursor() - first
	}
	s.store = *loaded
	s.list.Table.SetRows(s.store.end(), s.store.total)
	s.list.Table.SetCursor(row)
	first, _ := s.list.Table.Visible()
	s.list.Table.Scroll(row - line - first)
}

// seekRefused cancels the running seek if the server rejected its request as invalid, because a
// retry would be rejected too.
func (s *Screen) seekRefused(err error) {
	if s.seek == nil || !errors.Is(err, apiclient.ErrInvalid) && !errors.Is(err, apiclient.ErrUnprocessable) {
		return
	}
	s.input.problem = "cannot jump " + s.seek.to.words() + ": the request was refused"
	s.seek, s.request.renew = nil, true
}
