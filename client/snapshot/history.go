package snapshot

import (
	"context"
	"slices"
	"time"

	"tarmac/apiclient"
	"tarmac/client/history"
	"tarmac/client/resource"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// RecentInterval is the time after which the last two months of the history are read again while a
// page shows it.
const RecentInterval = 5 * time.Minute

// PastRows is the part History: the transactions of the last 40 months. It is read only after
// a page that needs it has been shown. Then it is read step by step, even while the page is hidden.
type PastRows struct {
	state    resource.Resource[*spending.Ledger]
	reader   *history.Reader
	wanted   bool                // a page that needs the history has been shown
	renew    bool                // all months must be read again
	outdated map[civil.Date]bool // months whose totals have changed since they were read
	rate     func() apiclient.Rate
}

func newPastRows(source Source) PastRows {
	h := PastRows{reader: history.NewReader(), renew: true, outdated: map[civil.Date]bool{}}
	h.rate = func() apiclient.Rate { return apiclient.Rate{} }
	if limited, ok := source.(interface{ Rate() apiclient.Rate }); ok {
		h.rate = limited.Rate
	}
	return h
}

// Ledger returns the transactions of the months read so far. It is nil before the first month has
// been read. A ledger never changes: when a month has been read, there is a new one.
func (h *PastRows) Ledger() *spending.Ledger { return h.reader.Ledger() }

// State returns the state of the history. It is Ready from the first month on.
func (h *PastRows) State() resource.State { return h.state.State() }

// Progress returns how much of the history has been read.
func (h *PastRows) Progress() history.Progress { return h.reader.Progress() }

// Differences returns the months whose rows do not add up to the server's totals, newest first.
func (h *PastRows) Differences() []history.Difference { return h.reader.Differences() }

// Question returns the question whether to read a large history. It returns false if there is none.
// ReadLarge or ReadNewest answers it; then Load returns the next request.
func (h *PastRows) Question() (history.Question, bool) { return h.reader.Question(h.rate()) }

// ReadLarge makes the next requests read all months, whatever their number of rows.
func (h *PastRows) ReadLarge() { h.reader.ReadLarge() }

// ReadNewest makes the next requests read only the newest months, as far as they have at most
// history.LargeHistory rows together.
func (h *PastRows) ReadNewest() { h.reader.ReadNewest() }

// AskAgain withdraws the answer ReadNewest: if months are left out, the question is asked again.
func (h *PastRows) AskAgain() { h.reader.AskAgain() }

// IsLimited reports whether older months are left out because the user chose so.
func (h *PastRows) IsLimited() bool { return h.reader.IsLimited() }

// RenewHistory makes the next requests read all months of the history again, as soon as a page
// shows them. Until then, and while they are read, the old rows are kept.
func (s *Snapshot) RenewHistory() { s.History.renew = true }

// HistoryIsDue reports whether a request for the part History has something to read, apart from
// what RecentInterval makes due: the next step of a reading, or months that have changed.
func (s *Snapshot) HistoryIsDue() bool {
	h := &s.History
	if _, open := h.Question(); !h.wanted || open {
		return false
	}
	changed := h.renew || len(h.outdated) > 0
	return h.reader.Next() != nil || changed && s.isShown(History)
}

// historyState returns the state of the part History. An error counts only as long as a request may
// still remove it: not while nothing is left to read, no page shows the history, and there is no
// outage.
func (s *Snapshot) historyState() resource.State {
	h := &s.History
	state := h.state.State()
	_, out := s.Outage()
	failed := state.Status == resource.Stale || state.Status == resource.Failed
	if failed && !out && h.Ledger() != nil && h.reader.Next() == nil && !s.isShown(History) {
		state.Status, state.Err = h.status(), nil
	}
	return state
}

func (s *Snapshot) isShown(part Part) bool { return slices.Contains(s.shown, part) }

// loadHistory returns the request for the next step of the history. If nothing is left to read, it
// begins to read the months that have changed and the last two months again. While no page shows
// the history, it returns nil then.
func (s *Snapshot) loadHistory() Request {
	h := &s.History
	if !h.wanted || h.state.Waiting() {
		return nil
	}
	if s.isShown(History) {
		h.begin(civil.Of(s.now()))
	}
	step := h.reader.Next()
	if step == nil {
		return nil
	}
	request := h.state.Begin()
	ctx, now, source := s.context(History), s.now, pagedSource{s.source, s.timeout}
	return func() Result {
		outcome := step(ctx, source)
		return Result{Part: History, apply: func(s *Snapshot) bool {
			h := &s.History
			h.reader.Apply(outcome)
			at := now()
			return h.state.Complete(request, h.Ledger(), h.status(), outcome.Err, at,
				resource.NextRetry(at, outcome.Err, h.state.Failures()))
		}}
	}
}

// begin starts to read what has changed, unless a reading is under way.
func (h *PastRows) begin(today civil.Date) {
	span := history.Span(today)
	if h.renew {
		h.renew = false
		clear(h.outdated)
		h.reader.ReadAll(span)
		return
	}
	if h.reader.Next() != nil {
		return
	}
	h.reader.ReadAgain(span, func(first civil.Date) bool {
		return !first.Before(span[1]) || h.outdated[first]
	})
	clear(h.outdated)
}

// status returns the status of the history after a successful step. While the question about
// a large history is open and no month has been read, it is Loading.
func (h *PastRows) status() resource.Status {
	switch ledger := h.Ledger(); {
	case ledger == nil:
		return resource.Loading
	case len(ledger.Rows) > 0:
		return resource.Ready
	case h.reader.Next() == nil:
		return resource.Empty
	}
	return resource.Loading
}

// compareHistory marks the months of the history whose totals differ from those that the part
// Months has just fetched. That part fetches only the last two months each time.
func (s *Snapshot) compareHistory() {
	months, _ := s.Months.Value()
	for i := max(0, len(months)-2); i < len(months); i++ {
		if first := months[i].First; s.History.reader.IsOutdated(first, months[i].Summary) {
			s.History.outdated[first] = true
		}
	}
}

// pagedSource fetches transactions, with a time limit for each page.
type pagedSource struct {
	source  Source
	timeout time.Duration
}

// TransactionPage returns a page of transactions.
func (p pagedSource) TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (
	*apiclient.TransactionPage, error,
) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	return p.source.TransactionPage(ctx, q)
}
