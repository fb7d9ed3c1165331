package transactions

import (
	"tarmac/client/seek"
	"tarmac/internal/civil"
)

// newerRows loads rows newer than those in the store. The API's cursors lead only to older rows, so
// newerRows requests the days after the store's newest day. It estimates how many days fill one or
// two pages, reads all pages of these days, and then prepends them to the store.
type newerRows struct {
	span    span   // days that are requested
	next    string // cursor of the next page; "" for the first
	started bool   // the first page has arrived
	pages   []storedPage
	days    int // number of days in span
	rows    int // number of rows in pages
	doubled int // how often the estimate of days was doubled; negative if it was halved
}

// maxRowsAbove is the maximum number of rows to read for one estimate of days. If a single day has
// more rows, all of them are read.
const maxRowsAbove = 6 * seek.PageRows

// requestAbove returns the request for the next page of rows newer than those in the store.
func (s *Screen) requestAbove() pageRequest {
	a := &s.window.upper
	if !a.started {
		a.days = s.daysAbove()
		a.span = span{from: s.store.top.AddDays(1), to: s.store.top.AddDays(a.days)}
		if !a.span.to.Before(s.window.head.date) {
			a.span.to = civil.Date{} // without an end date, rows that have just arrived are included
		}
	}
	return pageRequest{kind: pageAbove, span: a.span, cursor: a.next}
}

// daysAbove estimates how many days fill one and a half pages. The estimate is based on the number
// of days that the store's first page covers.
func (s *Screen) daysAbove() int {
	days := 1
	if rows := s.store.pages[0].rows; len(rows) > 0 {
		days += rows[0].Date.DaysSince(rows[len(rows)-1].Date)
		days = days * (seek.PageRows + seek.PageRows/2) / len(rows)
	}
	if doubled := s.window.upper.doubled; doubled > 0 {
		days = max(1, days) << min(doubled, 20)
	} else {
		days >>= min(-doubled, 20)
	}
	return max(1, min(days, s.window.head.date.DaysSince(s.store.top)))
}

// mergeAbove handles the response to a request made by requestAbove.
func (s *Screen) mergeAbove(msg Loaded) {
	a, st := &s.window.upper, &s.store
	if msg.asked.span != a.span || msg.asked.cursor != a.next || !st.belowHead() {
		return // the store has changed since the request was sent
	}
	count, open := int(msg.page.Summary.Count), a.span.to.IsZero()
	switch {
	case a.started:
	case count > maxRowsAbove && a.days > 1:
		a.doubled--
		return
	case open:
		s.list.Table.Shift(count - st.base)
		st.total += count - st.base
		st.base = count
	case count > st.base && s.recount():
		return
	case count == 0:
		st.top = a.span.to
		a.doubled++
		return
	}
	a.add(msg, count)
	if msg.page.NextCursor != "" && len(msg.page.Data) > 0 {
		return
	}
	if a.rows != count && s.recount() {
		return
	}
	st.prepend(a.span.to, a.pages)
	s.window.upper = newerRows{}
}

// add appends a page. Only the last keptPages/2 pages, which are nearest to the visible rows, keep
// their rows. Of the others, only the cursors are kept.
func (a *newerRows) add(msg Loaded, count int) {
	a.started, a.next = true, msg.page.NextCursor
	if len(msg.page.Data) == 0 {
		return
	}
	p := newPage(a.span, msg.asked.cursor, 0, msg.page)
	p.count = count
	a.pages = append(a.pages, p)
	a.rows += p.length
	if far := len(a.pages) - 1 - keptPages/2; far >= 0 {
		a.pages[far].rows = nil
	}
}
