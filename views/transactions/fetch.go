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

// Source is what the screen asks of a server; *apiclient.Client is one.
type Source interface {
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
}

// part is which part of the listing a request is for.
type part int

const (
	head    part = iota // the newest page
	next                // the page after the last one read
	again               // a page whose rows were given back
	seeking             // a page on the way to a place
	upward              // a page above the run
)

// want is a request: the part, its days and its cursor; for again also the page of
// the run, for seeking the number of the seek.
type want struct {
	part   part
	in     span
	cursor string
	page   int
	number uint64
}

// whole reports whether the answer begins at the head of the listing.
func (w want) whole() bool { return w.in == (span{}) && w.cursor == "" }

// Loaded is the answer to a request for a page.
type Loaded struct {
	request uint64
	want    want
	page    *apiclient.TransactionPage
	err     error
}

var errLoop = errors.New("the server's next page repeats the same page")

// fetch returns the command for a request.
func (s *Screen) fetch(w want) tea.Cmd {
	request, query := s.state.Begin(), s.filter.query(w.in, w.cursor)
	ctx, cancel := context.WithTimeout(s.env.Context, s.env.Timeout)
	s.request.cancel()
	s.request.cancel, s.request.urgent = cancel, false
	source := s.source
	return func() tea.Msg {
		defer cancel()
		page, err := source.TransactionPage(ctx, query)
		if err == nil && page.NextCursor != "" && page.NextCursor == query.Cursor {
			err = errLoop
		}
		return Loaded{request: request, want: w, page: page, err: err}
	}
}

// advance returns the command for what is needed most now, or nil: nothing is
// needed, an answer is awaited, or the last attempt failed and it is too early. What
// a person has just asked for does not wait for the answer to something else.
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
		return s.wantAbove(), true
	case first < st.base:
		return want{part: head}, true
	case (cursor == 0 || st.inside()) && s.newer() && s.request.newest != s.newest():
		s.request.newest = s.newest()
		return want{part: head}, true
	}
	if w, ok := s.evicted(first, end); ok {
		return w, true
	}
	// Two screens ahead of the cursor, and never so late that a screen of a few
	// lines waits at every page.
	ahead := max(2*s.table.Height(), seek.PageRows/4)
	if st.next != "" && cursor+ahead >= st.end() {
		return want{part: next, in: st.in, cursor: st.next}, true
	}
	// Upwards only when somebody goes that way: most who jump read down.
	if s.window.scrollingUp && st.inside() && first-s.table.Height() < st.base {
		return s.wantAbove(), true
	}
	return s.evicted(cursor-ahead, cursor+ahead)
}

// follow keeps the listing in step with outages, and asks for its newest page when one is
// over: a listing that nobody moves in asks for nothing by itself.
func (s *Screen) follow() {
	if snapshot.Follow(s.data, &s.state) {
		s.request.renew = true
	}
}

// evicted returns the request for the first page between two rows that is not in
// memory.
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

// loaded takes an answer. One to a question of another filter does not count.
func (s *Screen) loaded(msg Loaded) {
	var summary apiclient.Summary
	condition := resource.Ready
	if msg.err == nil {
		// The sums of a few days are not those of the filter.
		if summary, _ = s.state.Value(); msg.want.in == (span{}) {
			summary = msg.page.Summary
		}
		if len(msg.page.Data) == 0 && msg.want.whole() {
			condition = resource.Empty
		}
	}
	now := s.env.Now()
	if !s.state.Complete(msg.request, summary, condition, msg.err, now, resource.RetryAt(now, msg.err, s.state.Failures())) {
		return
	}
	if msg.err != nil {
		s.refused(msg)
		return
	}
	s.place(msg)
	s.store.evict(s.table.Cursor())
	s.state.SetPartial(s.store.partial())
	s.table.SetRows(s.store.end(), s.store.total)
	s.table.Invalidate()
	s.detail.shown = ""
}

// refused begins the listing anew when the server no longer takes a cursor it
// gave: asking with it again would fail for ever.
func (s *Screen) refused(msg Loaded) {
	var api *apiclient.Error
	s.seekRefused(msg.err)
	if msg.want.cursor != "" && errors.As(msg.err, &api) && api.Status == 400 {
		s.restart()
	}
}

func (s *Screen) place(msg Loaded) {
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
		s.placeAbove(msg)
	case part != head && st.changed(msg.want.in, msg.page) && s.recount():
	case part == next:
		s.table.Shift(st.append(msg.want.cursor, msg.page))
	case part == again:
		if msg.want.in == (span{}) {
			// The count may have grown; the page's place among the others has not.
			s.table.Shift(st.count(msg.page))
		}
		if !st.restore(msg.want.page, msg.page) {
			s.recount()
		}
	case !st.known:
		st.begin(msg.page)
	default:
		s.placeHead(msg.page)
	}
}

// noteHead keeps what the head of the listing says of the whole.
func (s *Screen) noteHead(page *apiclient.TransactionPage) {
	s.window.head = headMark{rows: int(page.Summary.Count)}
	if len(page.Data) > 0 {
		s.window.head.date, s.window.head.id = seek.NewestDate(page.Data), page.Data[0].ID
	}
}

// placeHead takes the newest page when there is a run already: newer rows come in
// above without moving what is read. Who stands on the first row stays on it.
func (s *Screen) placeHead(page *apiclient.TransactionPage) {
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

// beginAgain replaces the run by its newest page, with the cursor on the same
// transaction where that is still there.
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

// newest returns the id of the newest transaction that the dashboard knows of and
// that this listing would show; "" when it cannot tell.
func (s *Screen) newest() string {
	latest, known := s.data.Latest.Value()
	// What a keyword finds only the server knows: it looks in fields that are not
	// sent.
	if !known || s.filter.keyword != "" {
		return ""
	}
	p := s.filter.period
	for i := range latest.Data {
		t := &latest.Data[i]
		switch {
		case t.Unreadable != nil: // which filters it passes only the server knows
		case s.filter.direction != "" && t.Direction != s.filter.direction:
		case !p.From.IsZero() && t.Date.Before(p.From):
		case !p.To.IsZero() && t.Date.After(p.To):
		default:
			return t.ID
		}
	}
	return ""
}

// newer reports whether there is a transaction above the first one listed.
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
