package transactions

import (
	"tarmac/client/seek"
	"tarmac/internal/civil"
)

// above is the reading of rows above a run that begins inside the listing. A cursor
// leads down only, so the days above the run are asked for, as many as make a page
// or two by how densely rows lie at its top, read to their end and put before it.
type above struct {
	in     span
	next   string // the cursor of the page after the last one read
	under  bool   // reading them has begun
	pages  []page
	days   int // how many days are asked for
	rows   int
	spread int // how often the number of days was doubled; negative: halved
}

// mostAbove is how many rows are read at once above a run, where a day has not
// more.
const mostAbove = 6 * seek.PageRows

// wantAbove returns the request for rows above the run.
func (s *Screen) wantAbove() want {
	a := &s.window.upper
	if !a.under {
		a.days = s.daysAbove()
		a.in = span{from: s.store.top.AddDays(1), to: s.store.top.AddDays(a.days)}
		if !a.in.to.Before(s.window.head.date) {
			a.in.to = civil.Date{} // up to the head, whatever came in meanwhile
		}
	}
	return want{part: upward, in: a.in, cursor: a.next}
}

// daysAbove returns how many days to ask for.
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

// placeAbove takes a page from above the run.
func (s *Screen) placeAbove(msg Loaded) {
	a, st := &s.window.upper, &s.store
	if msg.want.in != a.in || msg.want.cursor != a.next || !st.inside() {
		return // the run is another one by now
	}
	count, open := int(msg.page.Summary.Count), a.in.to.IsZero()
	switch {
	case a.under:
	case count > mostAbove && a.days > 1:
		a.spread--
		return
	case open:
		// All that is newer than the run is above it.
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

// add keeps a page. Of those read first, which are furthest from the run, only the
// cursors stay.
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
