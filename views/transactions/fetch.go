package transactions

import (
	"cmp"
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/client/seek"
	"tarmac/client/snapshot"
)

// Source lists the API requests of the screen. *apiclient.Client implements it.
type Source interface {
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
}

// requestKind says why a page is requested.
type requestKind int

const (
	newestPage  requestKind = iota // show rows that have arrived since the last request
	nextPage                       // extend the loaded rows towards older ones
	evictedPage                    // reload a page whose rows were evicted from memory
	seekPage                       // continue a seek
	pageAbove                      // extend the loaded rows towards newer ones
	sortPage                       // read all rows in order to sort them
)

// pageRequest describes a request for a page.
type pageRequest struct {
	kind   requestKind
	span   span   // days of the listing
	cursor string // cursor of the page; "" for the first page of the span
	page   int    // for evictedPage: index of the page in the store
	number uint64 // for seekPage: number of the seek
}

// newest reports whether the request is for the first page of the unrestricted listing.
func (r pageRequest) newest() bool { return r.span == (span{}) && r.cursor == "" }

// Loaded is the message with the response to a pageRequest.
type Loaded struct {
	request uint64
	asked   pageRequest
	page    *apiclient.TransactionPage
	err     error
}

// fetch returns the command that sends a request. It cancels the request that is still running.
func (s *Screen) fetch(r pageRequest) tea.Cmd {
	request, query := s.state.Begin(), s.filter.query(r.span, r.cursor)
	ctx, cancel := context.WithTimeout(s.Context, s.Timeout)
	s.request.cancel()
	s.request.cancel, s.request.urgent = cancel, false
	source := s.source
	return func() tea.Msg {
		defer cancel()
		page, err := source.TransactionPage(ctx, query)
		if err == nil {
			_, _, err = page.Next(query)
		}
		return Loaded{request: request, asked: r, page: page, err: err}
	}
}

// advance returns the command that sends the most urgent request. It returns nil if no page is
// needed, a retry is not due, or another request is running. A running request is replaced only if
// the user has jumped to another row.
func (s *Screen) advance() tea.Cmd {
	state := s.state.State()
	state.Waiting = state.Waiting && !s.request.urgent
	if !resource.Due(state, s.Now(), resource.Policy{Changed: true}) {
		return nil
	}
	w, needed := s.nextRequest()
	if !needed {
		return nil
	}
	return s.fetch(w)
}

// nextRequest returns the most urgent request. If no page is needed, ok is false.
func (s *Screen) nextRequest() (r pageRequest, ok bool) {
	st, cursor := &s.store, s.list.Table.Cursor()
	first, end := s.list.Table.Visible()
	switch {
	case !st.known:
		return pageRequest{kind: newestPage}, true
	case s.sorting.reading:
		return pageRequest{kind: sortPage, cursor: s.sorting.cursor}, true
	case s.sorting.order != byDate || s.sorting.whole:
		return pageRequest{}, false
	case s.request.renew:
		return pageRequest{kind: newestPage}, true
	case !s.isListing():
		return pageRequest{}, false
	case s.seek != nil:
		return s.seek.request(), true
	case first < st.base && st.belowHead():
		return s.requestAbove(), true
	case first < st.base:
		return pageRequest{kind: newestPage}, true
	case (cursor == 0 || st.belowHead()) && s.newer() && s.request.newest != s.newest():
		s.request.newest = s.newest()
		return pageRequest{kind: newestPage}, true
	}
	if w, ok := s.evicted(first, end); ok {
		return w, true
	}
	// Fetch two screens of rows ahead of the cursor, but at least a quarter of a page. Otherwise,
	// scrolling on a small screen would have to wait for requests.
	ahead := max(2*s.list.Table.Height(), seek.PageRows/4)
	if st.next != "" && cursor+ahead >= st.end() {
		return pageRequest{kind: nextPage, span: st.span, cursor: st.next}, true
	}
	// Fetch newer rows only while the cursor moves up, because most users read down after a jump.
	if s.window.scrollingUp && st.belowHead() && first-s.list.Table.Height() < st.base {
		return s.requestAbove(), true
	}
	return s.evicted(cursor-ahead, cursor+ahead)
}

// followOutage marks the rows as stale while the server is unreachable, and requests the newest
// page when it answers again.
func (s *Screen) followOutage() {
	if snapshot.ApplyOutage(s.Snapshot, &s.state) {
		s.request.renew = true
		if s.sorting.order != byDate || s.sorting.whole {
			s.readAll(s.sorting.order)
		}
	}
}

// followCurrency reads the list again when the other figures have changed to a currency that its
// amounts aren't in.
func (s *Screen) followCurrency() {
	currency := s.Snapshot.Currency()
	changed := currency != "" && currency != s.reports
	if s.reports = cmp.Or(currency, s.reports); changed && s.isInOther(currency) {
		s.restart()
	}
}

// isInOther reports whether the rows have amounts in another currency of the totals than the given
// one: somebody has changed the currency of the books since they were read.
func (s *Screen) isInOther(currency string) bool {
	shown, known := s.state.Value()
	return known && currency != "" && shown.Currency != currency
}

// evicted returns the request for the first evicted page that holds any of the rows in [firstRow,
// endRow). If none of them is evicted, ok is false.
func (s *Screen) evicted(firstRow, endRow int) (r pageRequest, ok bool) {
	firstRow = max(firstRow, s.store.base)
	endRow = min(endRow, s.store.end())
	for i := firstRow; i < endRow; {
		p := s.store.pageOf(i)
		if p < 0 {
			break
		}
		page := s.store.pages[p]
		if page.rows == nil {
			return pageRequest{kind: evictedPage, span: page.span, cursor: page.cursor, page: p}, true
		}
		i = s.store.base + page.start + page.length
	}
	return pageRequest{}, false
}

// loaded handles the response to a request. It ignores responses to requests that have been
// replaced.
func (s *Screen) loaded(msg Loaded) {
	var summary apiclient.Summary
	condition := resource.Ready
	if msg.err == nil {
		if s.isInOther(msg.page.Summary.Currency) {
			s.restart()
			return
		}
		// A request for a few days has a summary of these days only, not of all rows that match the
		// filter.
		if summary, _ = s.state.Value(); msg.asked.span == (span{}) {
			summary = msg.page.Summary
		}
		if len(msg.page.Data) == 0 && msg.asked.newest() {
			condition = resource.Empty
		}
	}
	now := s.Now()
	retryAt := resource.NextRetry(now, msg.err, s.state.Failures())
	if !s.state.Complete(msg.request, summary, condition, msg.err, now, retryAt) {
		return
	}
	if msg.err != nil {
		s.requestFailed(msg)
		return
	}
	s.showTotals(msg.page.Data)
	s.showAnnotated(msg.page.Data)
	s.widenColumns(msg.page.Data)
	s.merge(msg)
	if s.isListing() {
		s.store.evict(s.list.Table.Cursor(), cmp.Or(s.KeptPages, keptPages))
	}
	if !s.filter.local.Empty() && !s.sorting.reading {
		s.searchMemory()
		return
	}
	s.showRows()
}

// showTotals shows the column of amounts in the currency of the totals if one of the rows needs it.
// The column then stays until the filter changes, so that columns do not move while the list
// scrolls.
func (s *Screen) showTotals(rows []apiclient.Transaction) {
	if len(rows) > 0 {
		o := record.TransactionIn(rows[0].Reporting.Currency())
		of := o.Get(o.TotalsField())
		s.list.Table.Rename(totalsColumn, of.Name, of.Label)
	}
	for i := range rows {
		if rows[i].Unreadable == nil && totalDiffers(&rows[i]) {
			s.list.Table.Hide(totalsColumn, false)
			return
		}
	}
}

// requestFailed restarts the listing if the server rejects a cursor that the listing itself
// returned, because a retry would fail in the same way.
func (s *Screen) requestFailed(msg Loaded) {
	var api *apiclient.Error
	s.seekRefused(msg.err)
	if msg.asked.cursor != "" && errors.As(msg.err, &api) && api.Status == 400 {
		s.restart()
	}
}

func (s *Screen) merge(msg Loaded) {
	st := &s.store
	if msg.asked.kind == newestPage {
		s.request.renew = false
	}
	if msg.asked.newest() && msg.asked.kind == newestPage {
		s.noteHead(msg.page)
	}
	switch kind := msg.asked.kind; {
	case kind == seekPage:
		s.seekLoaded(msg)
	case kind == pageAbove:
		s.mergeAbove(msg)
	case kind == sortPage:
		s.sortPageLoaded(msg.page)
	case kind != newestPage && st.changed(msg.asked.span, msg.page) && s.recount():
	case kind == nextPage:
		s.list.Table.Shift(st.append(msg.asked.cursor, msg.page))
	case kind == evictedPage:
		if msg.asked.span == (span{}) {
			// If newer rows have arrived, all row numbers in the store grow by the same amount.
			s.list.Table.Shift(st.count(msg.page))
		}
		if !st.restore(msg.asked.page, msg.page) {
			s.recount()
		}
	case !st.known:
		st.begin(msg.page)
	default:
		s.mergeHead(msg.page)
	}
}

// noteHead stores how many rows the whole listing has and which one is the newest.
func (s *Screen) noteHead(page *apiclient.TransactionPage) {
	s.window.head = headMark{rows: int(page.Summary.Count)}
	if len(page.Data) > 0 {
		s.window.head.date, s.window.head.id = seek.NewestDate(page.Data), page.Data[0].ID
	}
}

// mergeHead merges the newest page into the store. Newer rows are added above without moving the
// visible rows. If the cursor is on the first row, it stays on the first row.
func (s *Screen) mergeHead(page *apiclient.TransactionPage) {
	st := &s.store
	before, cursor := st.base, s.list.Table.Cursor()
	following := cursor == 0
	if added, joined := st.join(page); joined {
		s.list.Table.Shift(added - before)
	} else if st.belowHead() {
		if s.window.head.rows != st.total {
			s.recount()
		}
		return
	} else if first, _ := s.list.Table.Visible(); following || len(st.pages) == 0 || first < st.base+st.pages[0].length {
		s.beginAgain(page, cursor)
	} else {
		s.list.Table.Shift(st.count(page))
		return
	}
	if following {
		s.list.Table.SetCursor(0)
	}
}

// beginAgain replaces the store with the newest page. The cursor stays on its transaction if the
// page contains it. Otherwise it moves to the first row.
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
	s.list.Table.SetRows(s.store.end(), s.store.total)
	s.list.Table.SetCursor(at)
}

// newest returns the ID of the newest transaction in the snapshot that matches the filters. It
// returns "" if that is unknown.
func (s *Screen) newest() string {
	latest, known := s.Snapshot.Latest.Value()
	// Only the server can match a keyword, because it also searches fields that it does not send.
	if !known || s.filter.keyword != "" {
		return ""
	}
	p := s.filter.period
	for i := range latest.Data {
		t := &latest.Data[i]
		switch {
		case t.Unreadable != nil: // only the server knows whether it matches the filters
		case s.filter.direction != "" && t.Direction != s.filter.direction:
		case !p.From.IsZero() && t.Date.Before(p.From):
		case !p.To.IsZero() && t.Date.After(p.To):
		default:
			return t.ID
		}
	}
	return ""
}

// newer reports whether there are known to be transactions newer than the first one in the store.
func (s *Screen) newer() bool {
	if !s.store.known {
		return false
	}
	id := s.newest()
	if s.store.belowHead() {
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
