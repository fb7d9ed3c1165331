package transactions

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/seek"
	"tarmac/client/snapshot"
)

// Source is the part of *apiclient.Client that the screen uses.
type Source interface {
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
}

// part is the kind of page that a request fetches.
type part int

const (
	head    part = iota // the newest page
	next                // the page after the last one read
	again               // a page that was evicted from memory
	seeking             // a page needed by a seek
	upward              // a page above the run
)

// want describes a request for a page. The field page is the index in the run, for the part
// again; number is the seek, for the part seeking.
type want struct {
	part   part
	in     span
	cursor string
	page   int
	number uint64
}

// whole reports whether the request starts at the head of the unrestricted listing.
func (w want) whole() bool { return w.in == (span{}) && w.cursor == "" }

// Loaded is the answer to a request for a page.
type Loaded struct {
	request uint64
	want    want
	page    *apiclient.TransactionPage
	err     error
}

// fetch returns the command that sends a request, and cancels the previous one.
func (s *Screen) fetch(w want) tea.Cmd {
	request, query := s.state.Begin(), s.filter.query(w.in, w.cursor)
	ctx, cancel := context.WithTimeout(s.env.Context, s.env.Timeout)
	s.request.cancel()
	s.request.cancel, s.request.urgent = cancel, false
	source := s.source
	return func() tea.Msg {
		defer cancel()
		page, err := source.TransactionPage(ctx, query)
		if err == nil {
			_, _, err = page.Next(query)
		}
		return Loaded{request: request, want: w, page: page, err: err}
	}
}

// advance returns the command for the most urgent request. It returns nil if nothing is needed,
// a request is running or a retry is not due. User requests do not wait for a running request.
func (s *Screen) advance() tea.Cmd {
	state := s.state.State()
	state.Waiting = state.Waiting && !s.request.urgent
	if !resource.Due(state, s.env.Now(), resource.Policy{Changed: true}) {
		return nil
	}
	w, needed := s.need()
	if !needed {
		return nil
	}
	return s.fetch(w)
}

func (s *Screen) need() (want, bool) {
	st, cursor := &s.store, s.table.Cursor()
	first, end := s.table.Visible()
	switch {
	case !st.known, s.request.renew:
		return want{part: head}, true
	case s.seek != nil:
		return s.seek.want(), true
	case first < st.base && st.inside():
		return s.requestAbove(), true
	case first < st.base:
		return want{part: head}, true
	case (cursor == 0 || st.inside()) && s.newer() && s.request.newest != s.newest():
		s.request.newest = s.newest()
		return want{part: head}, true
	}
	if w, ok := s.evicted(first, end); ok {
		return w, true
	}
	// Fetch two screens ahead of the cursor, and at least a quarter page, so that small screens
	// do not wait at every page.
	ahead := max(2*s.table.Height(), seek.PageRows/4)
	if st.next != "" && cursor+ahead >= st.end() {
		return want{part: next, in: st.in, cursor: st.next}, true
	}
	// Fetch upwards only while the cursor moves up: most users read down after a jump.
	if s.window.scrollingUp && st.inside() && first-s.table.Height() < st.base {
		return s.requestAbove(), true
	}
	return s.evicted(cursor-ahead, cursor+ahead)
}

// follow tracks outages and requests the newest page when one ends. An idle listing requests
// nothing else by itself.
func (s *Screen) follow() {
	if snapshot.ApplyOutage(s.data, &s.state) {
		s.request.renew = true
	}
}

// evicted returns the request for the first page between two rows that was evicted from memory.
func (s *Screen) evicted(from, to int) (want, bool) {
	from = max(from, s.store.base)
	to = min(to, s.store.end())
	for i := from; i < to; {
		p := s.store.pageOf(i)
		if p < 0 {
			break
		}
		page := s.store.pages[p]
		if page.rows == nil {
			return want{part: again, in: page.in, cursor: page.cursor, page: p}, true
		}
		i = s.store.base + page.start + page.length
	}
	return want{}, false
}

// loaded handles an answer. It ignores answers to requests for an earlier filter.
func (s *Screen) loaded(msg Loaded) {
	var summary apiclient.Summary
	condition := resource.Ready
	if msg.err == nil {
		// An answer for a few days has no totals for the whole filter.
		if summary, _ = s.state.Value(); msg.want.in == (span{}) {
			summary = msg.page.Summary
		}
		if len(msg.page.Data) == 0 && msg.want.whole() {
			condition = resource.Empty
		}
	}
	now := s.env.Now()
	retryAt := resource.NextRetry(now, msg.err, s.state.Failures())
	if !s.state.Complete(msg.request, summary, condition, msg.err, now, retryAt) {
		return
	}
	if msg.err != nil {
		s.refused(msg)
		return
	}
	s.merge(msg)
	s.store.evict(s.table.Cursor())
	s.state.SetPartial(s.store.partial())
	s.table.SetRows(s.store.end(), s.store.total)
	s.table.Invalidate()
	s.detail.shown = ""
}

// refused restarts the listing if the server rejects one of its own cursors, because a retry
// would fail again.
func (s *Screen) refused(msg Loaded) {
	var api *apiclient.Error
	s.seekRefused(msg.err)
	if msg.want.cursor != "" && errors.As(msg.err, &api) && api.Status == 400 {
		s.restart()
	}
}

func (s *Screen) merge(msg Loaded) {
	st := &s.store
	if msg.want.part == head {
		s.request.renew = false
	}
	if msg.want.whole() && msg.want.part == head {
		s.noteHead(msg.page)
	}
	switch part := msg.want.part; {
	case part == seeking:
		s.seekLoaded(msg)
	case part == upward:
		s.mergeAbove(msg)
	case part != head && st.changed(msg.want.in, msg.page) && s.recount():
	case part == next:
		s.table.Shift(st.append(msg.want.cursor, msg.page))
	case part == again:
		if msg.want.in == (span{}) {
			// Newer rows may have arrived. They move the whole run, not this page within it.
			s.table.Shift(st.count(msg.page))
		}
		if !st.restore(msg.want.page, msg.page) {
			s.recount()
		}
	case !st.known:
		st.begin(msg.page)
	default:
		s.mergeHead(msg.page)
	}
}

// noteHead stores the size and the newest row of the listing.
func (s *Screen) noteHead(page *apiclient.TransactionPage) {
	s.window.head = headMark{rows: int(page.Summary.Count)}
	if len(page.Data) > 0 {
		s.window.head.date, s.window.head.id = seek.NewestDate(page.Data), page.Data[0].ID
	}
}

// mergeHead merges the newest page into an existing run. Newer rows appear above without moving
// the visible rows. A cursor on the first row stays on the first row.
func (s *Screen) mergeHead(page *apiclient.TransactionPage) {
	st := &s.store
	before, cursor := st.base, s.table.Cursor()
	following := cursor == 0
	if added, joined := st.join(page); joined {
		s.table.Shift(added - before)
	} else if st.inside() {
		if s.window.head.rows != st.total {
			s.recount()
		}
		return
	} else if first, _ := s.table.Visible(); following || len(st.pages) == 0 || first < st.base+st.pages[0].length {
		s.beginAgain(page, cursor)
	} else {
		s.table.Shift(st.count(page))
		return
	}
	if following {
		s.table.SetCursor(0)
	}
}

// beginAgain restarts the run with the newest page. The cursor stays on its transaction if the
// page contains it, and moves to the first row otherwise.
func (s *Screen) beginAgain(page *apiclient.TransactionPage, cursor int) {
	id := ""
	if t, ok := s.store.row(cursor); ok {
		id = t.ID
	}
	s.store.begin(page)
	at := 0
	for i := range page.Data {
		if page.Data[i].ID == id {
			at = i
		}
	}
	s.table.SetRows(s.store.end(), s.store.total)
	s.table.SetCursor(at)
}

// newest returns the ID of the newest known transaction that matches the filter. It returns ""
// if that is unknown.
func (s *Screen) newest() string {
	latest, known := s.data.Latest.Value()
	// Only the server can match a keyword: it also searches fields that it does not send.
	if !known || s.filter.keyword != "" {
		return ""
	}
	p := s.filter.period
	for i := range latest.Data {
		t := &latest.Data[i]
		switch {
		case t.Unreadable != nil: // only the server knows whether it matches the filter
		case s.filter.direction != "" && t.Direction != s.filter.direction:
		case !p.From.IsZero() && t.Date.Before(p.From):
		case !p.To.IsZero() && t.Date.After(p.To):
		default:
			return t.ID
		}
	}
	return ""
}

// newer reports whether transactions exist above the first listed one.
func (s *Screen) newer() bool {
	if !s.store.known {
		return false
	}
	id := s.newest()
	if s.store.inside() {
		return id != "" && id != s.window.head.id
	}
	if s.store.base > 0 {
		return true
	}
	if id == "" {
		return false
	}
	if len(s.store.pages) == 0 {
		return true
	}
	for i := range s.store.pages[0].rows {
		if s.store.pages[0].rows[i].ID == id {
			return false
		}
	}
	return true
}
