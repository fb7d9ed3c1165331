package transactions

import (
	"tarmac/client/seek"
	"tarmac/internal/civil"
)

// above loads the rows above a run that starts inside the listing. Cursors only lead down, so
// it requests the days just above the run. It estimates how many days fill one or two pages,
// reads them completely and prepends them to the run.
type above struct {
	in     span
	next   string // cursor of the next page to read
	under  bool   // the first page of these days was read
	pages  []page
	days   int // number of days requested
	rows   int
	spread int // times the number of days was doubled; negative if halved
}

// mostAbove is the maximum number of rows read above a run in one go. A single day may exceed
// it.
const mostAbove = 6 * seek.PageRows

// requestAbove returns the request for the next page above the run.
func (s *Screen) requestAbove() want {
	a := &s.window.upper
	if !a.under {
		a.days = s.daysAbove()
		a.in = span{from: s.store.top.AddDays(1), to: s.store.top.AddDays(a.days)}
		if !a.in.to.Before(s.window.head.date) {
			a.in.to = civil.Date{} // open end: includes rows that arrived since
		}
	}
	return want{part: upward, in: a.in, cursor: a.next}
}

// daysAbove estimates how many days to request.
func (s *Screen) daysAbove() int {
	days := 1
	if rows := s.store.pages[0].rows; len(rows) > 0 {
		days += rows[0].Date.DaysSince(rows[len(rows)-1].Date)
		days = days * (seek.PageRows + seek.PageRows/2) / len(rows)
	}
	if spread := s.window.upper.spread; spread > 0 {
		days = max(1, days) << min(spread, 20)
	} else {
		days >>= min(-spread, 20)
	}
	return max(1, min(days, s.window.head.date.DaysSince(s.store.top)))
}

// mergeAbove handles a page of rows above the run.
func (s *Screen) mergeAbove(msg Loaded) {
	a, st := &s.window.upper, &s.store
	if msg.want.in != a.in || msg.want.cursor != a.next || !st.inside() {
		return // the run has changed since the request
	}
	count, open := int(msg.page.Summary.Count), a.in.to.IsZero()
	switch {
	case a.under:
	case count > mostAbove && a.days > 1:
		a.spread--
		return
	case open:
		s.table.Shift(count - st.base)
		st.total += count - st.base
		st.base = count
	case count > st.base && s.recount():
		return
	case count == 0:
		st.top = a.in.to
		a.spread++
		return
	}
	a.add(msg, count)
	if msg.page.NextCursor != "" && len(msg.page.Data) > 0 {
		return
	}
	if a.rows != count && s.recount() {
		return
	}
	st.prepend(a.in.to, a.pages)
	s.window.upper = above{}
}

// add appends a page. Pages far from the run keep only their cursors, to bound memory.
func (a *above) add(msg Loaded, count int) {
	a.under, a.next = true, msg.page.NextCursor
	if len(msg.page.Data) == 0 {
		return
	}
	p := newPage(a.in, msg.want.cursor, 0, msg.page)
	p.count = count
	a.pages = append(a.pages, p)
	a.rows += p.length
	if far := len(a.pages) - 1 - keptPages/2; far >= 0 {
		a.pages[far].rows = nil
	}
}
