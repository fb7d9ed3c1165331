package snapshot_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/extension"
)

// source is a server in memory with a growing feed and settable errors.
type source struct {
	mu      sync.Mutex
	fail    error
	feed    []apiclient.Event // oldest first
	queries []apiclient.TransactionQuery
	account apiclient.Account
	// currencyOf returns the currency of the figures; nil means USD. It is called with the number
	// of pages of transactions requested so far.
	currencyOf func(pages int) string
}

// currency returns the currency of the figures. The caller holds mu.
func (s *source) currency() string {
	if s.currencyOf == nil {
		return "USD"
	}
	return s.currencyOf(len(s.queries))
}

func (s *source) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fail
}

func (s *source) Ping(context.Context) (*apiclient.Ping, error) {
	return &apiclient.Ping{OrgID: "org_1"}, s.failure()
}

func (s *source) Account(context.Context) (*apiclient.Account, error) {
	a := s.account
	a.Currency = s.currency()
	return &a, s.failure()
}

func (s *source) CashPosition(context.Context) (*apiclient.CashPosition, error) {
	return &apiclient.CashPosition{Currency: s.currency(), Status: apiclient.AccountOpen}, s.failure()
}

func (s *source) ReceivablesAging(context.Context) (*apiclient.ReceivablesAging, error) {
	return &apiclient.ReceivablesAging{Currency: s.currency()}, s.failure()
}

func (s *source) TransactionPage(_ context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queries = append(s.queries, q)
	if s.fail != nil {
		return nil, s.fail
	}
	// The count identifies the month.
	return &apiclient.TransactionPage{
		Summary: apiclient.Summary{Currency: s.currency(), Count: int64(q.From.Year()*100 + int(q.From.Month()))},
	}, nil
}

func (*source) BooksRevision(context.Context) (string, error) { return "", nil }

func (s *source) EventPage(_ context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return nil, s.fail
	}
	limit := q.Limit
	if limit == 0 {
		limit = 50
	}
	end := len(s.feed)
	for i, e := range s.feed {
		if e.ID == q.StartingAfter {
			end = i
		}
	}
	page := &apiclient.EventPage{}
	for i := end - 1; i >= 0 && len(page.Data) < limit; i-- {
		page.Data = append(page.Data, s.feed[i])
	}
	if n := len(page.Data); n > 0 && end-n > 0 {
		page.NextCursor = page.Data[n-1].ID
	}
	return page, nil
}

func (s *source) grow(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		s.feed = append(s.feed, apiclient.Event{ID: fmt.Sprintf("evt_%06d", len(s.feed)), Type: apiclient.EventInvoicePaid})
	}
}

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

func newSnapshot(t *testing.T, s *source) *snapshot.Snapshot {
	t.Helper()
	return snapshot.New(t.Context(), s, snapshot.Options{Now: func() time.Time { return noon }, Timeout: time.Minute})
}

// run carries out a request and passes its answer to the snapshot.
func run(t *testing.T, s *snapshot.Snapshot, request snapshot.Request) bool {
	t.Helper()
	if request == nil {
		t.Fatal("there was no request to run")
	}
	return s.Update(request())
}

func TestMonthsEndWithTheCurrentOneAndAskOnlyForOpenOnesAgain(t *testing.T) {
	src := &source{}
	s := newSnapshot(t, src)
	run(t, s, s.Load(snapshot.Months))
	months, ok := s.Months.Value()
	if !ok || len(months) != snapshot.MonthsBack {
		t.Fatalf("%d months, %v", len(months), ok)
	}
	for i, m := range months {
		want := civil.New(2026, 3, 1).AddMonths(i - snapshot.MonthsBack + 1)
		if m.First != want || m.Summary.Count != int64(want.Year()*100+int(want.Month())) {
			t.Errorf("month %d is %v with count %d", i, m.First, m.Summary.Count)
		}
	}
	for _, q := range src.queries {
		if q.From != q.From.FirstOfMonth() || q.To != q.From.LastOfMonth() {
			t.Errorf("asked for %v to %v", q.From, q.To)
		}
	}

	count := func() int {
		n := len(src.queries)
		src.queries = nil
		return n
	}
	if n := count(); n != snapshot.MonthsBack {
		t.Errorf("the first load asked for %d months", n)
	}
	run(t, s, s.Load(snapshot.Months))
	if n := count(); n != 2 {
		t.Errorf("the second load asked for %d months, want the last two", n)
	}
	s.RefreshMonths()
	run(t, s, s.Load(snapshot.Months))
	if n := count(); n != snapshot.MonthsBack {
		t.Errorf("after RefreshMonths %d months were asked for", n)
	}
}

// After a 429 response the months read before are not read again.
func TestMonthsGoOnAfterAPause(t *testing.T) {
	src := &paused{source: &source{}, every: 5}
	s := snapshot.New(t.Context(), src, snapshot.Options{Now: func() time.Time { return noon }, Timeout: time.Minute})
	read := func() (n int) {
		for tries := 0; s.Months.LoadedAt().IsZero() || s.Months.Err() != nil; tries++ {
			if tries > snapshot.MonthsBack {
				t.Fatal("the months never come")
			}
			run(t, s, s.Load(snapshot.Months))
		}
		n, src.queries = len(src.queries), nil
		return n
	}
	if n := read(); n != snapshot.MonthsBack {
		t.Errorf("%d months were read", n)
	}
	s.RefreshMonths()
	run(t, s, s.Load(snapshot.Months))
	if n := read(); n != snapshot.MonthsBack {
		t.Errorf("renewed: %d months were read", n)
	}
	for i, m := range months(t, s) {
		if want := civil.New(2026, 3, 1).AddMonths(i - snapshot.MonthsBack + 1); m.First != want || m.Summary.Count == 0 {
			t.Errorf("month %d is %v with count %d", i, m.First, m.Summary.Count)
		}
	}
}

func months(t *testing.T, s *snapshot.Snapshot) []figures.Month {
	t.Helper()
	all, known := s.Months.Value()
	if !known {
		t.Fatal("no months are known")
	}
	return all
}

// paused is a source that returns 429 to each nth request.
type paused struct {
	*source
	every int
	asked atomic.Int64
}

func (p *paused) TransactionPage(
	ctx context.Context,
	q apiclient.TransactionQuery,
) (*apiclient.TransactionPage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // nothing is sent for a load that has ended
	}
	if p.asked.Add(1)%int64(p.every) == 0 {
		return nil, &apiclient.Error{Status: 429, RetryAfter: time.Second}
	}
	return p.source.TransactionPage(ctx, q)
}

// Requests for hidden parts have low priority.
func TestWhatIsNotShownGivesWay(t *testing.T) {
	spare := &giving{source: &source{}}
	s := snapshot.New(t.Context(), spare, snapshot.Options{Now: func() time.Time { return noon }, Timeout: time.Minute})
	s.Show(snapshot.Account)
	for _, part := range []snapshot.Part{snapshot.Account, snapshot.Ping} {
		run(t, s, s.Load(part))
	}
	s.Show(snapshot.Ping)
	for _, part := range []snapshot.Part{snapshot.Account, snapshot.Ping} {
		run(t, s, s.Load(part))
	}
	if got := fmt.Sprint(spare.gave); got != "[false true true false]" {
		t.Errorf("gave way: %s", got)
	}
}

type giving struct {
	*source
	gave []bool
}

func (g *giving) Account(ctx context.Context) (*apiclient.Account, error) {
	g.gave = append(g.gave, apiclient.IsLowPriority(ctx))
	return g.source.Account(ctx)
}

func (g *giving) Ping(ctx context.Context) (*apiclient.Ping, error) {
	g.gave = append(g.gave, apiclient.IsLowPriority(ctx))
	return g.source.Ping(ctx)
}

func TestAFailedLoadKeepsFiguresAndSaysWhenItTriesAgain(t *testing.T) {
	src := &source{
		account: apiclient.Account{Currency: "USD",
			Status: apiclient.AccountOpen, Balance: &apiclient.Balance{AvailableCents: 5}},
	}
	s := newSnapshot(t, src)
	run(t, s, s.Load(snapshot.Account))
	src.fail = &apiclient.Error{Status: 503, RetryAfter: 30 * time.Second}
	run(t, s, s.Load(snapshot.Account))
	state := s.State(snapshot.Account)
	if state.Status != resource.Stale || state.Waiting || !state.RetryAt.Equal(noon.Add(30*time.Second)) {
		t.Errorf("state %+v", state)
	}
	if a, ok := s.Account.Value(); !ok || a.Balance.AvailableCents != 5 {
		t.Error("the figures are gone")
	}
}

// Months that no statement covers are no zeros, also where a balance is not known.
func TestWithoutABalanceTheDaysThatStatementsCoverAreKnown(t *testing.T) {
	src := &source{}
	s := newSnapshot(t, src)
	run(t, s, s.Load(snapshot.Months))
	src.fail = &apiclient.Error{
		Status: 503, Message: "the balance of …1234 is not known",
		Extension: extension.Covering("2026-03-14", "2024-02-01..2026-01-31"),
	}
	run(t, s, s.Load(snapshot.Cash))

	months := s.MonthFigures()

	if m := months[len(months)-3]; !m.Missing.Any() || m.First != civil.New(2026, 1, 1) {
		t.Errorf("the month %s is covered", m.First)
	}
}

func TestConditions(t *testing.T) {
	src := &source{account: apiclient.Account{Currency: "USD", Status: apiclient.AccountNotOpen}}
	s := newSnapshot(t, src)
	for _, part := range snapshot.Parts {
		run(t, s, s.Load(part))
	}
	for part, want := range map[snapshot.Part]resource.Status{
		snapshot.Account: resource.NotOpen, snapshot.Cash: resource.Ready, snapshot.Aging: resource.Empty,
		snapshot.Latest: resource.Empty, snapshot.Months: resource.Ready, snapshot.Events: resource.Empty,
		snapshot.Ping: resource.Ready,
	} {
		if state := s.State(part); state.Status != want {
			t.Errorf("part %d: status %d, want %d", part, state.Status, want)
		}
	}
}

func TestRetryAt(t *testing.T) {
	network := &apiclient.NetworkError{Err: errors.New("refused")}
	for _, c := range []struct {
		err    error
		before int
		want   time.Duration
	}{
		{network, 0, 2 * time.Second}, {network, 1, 4 * time.Second}, {network, 3, 16 * time.Second},
		{network, 90, 30 * time.Second},
		{&apiclient.Error{Status: 429, RetryAfter: 7 * time.Second}, 5, 7 * time.Second},
		{&apiclient.Error{Status: 401}, 0, time.Minute}, {&apiclient.Error{Status: 403}, 0, time.Minute},
	} {
		if got := resource.NextRetry(noon, c.err, c.before).Sub(noon); got != c.want {
			t.Errorf("after %v and %d failures: %v, want %v", c.err, c.before, got, c.want)
		}
	}
	if !resource.NextRetry(noon, nil, 0).IsZero() {
		t.Error("a retry after success")
	}
}

func TestWhileTheServerIsAwayNothingIsFresh(t *testing.T) {
	src := &source{account: apiclient.Account{Currency: "USD",
		Status: apiclient.AccountOpen, Balance: &apiclient.Balance{}}}
	s := newSnapshot(t, src)
	src.grow(1)
	for _, part := range snapshot.Parts {
		run(t, s, s.Load(part))
	}
	src.fail = &apiclient.Error{Status: 403}
	run(t, s, s.Load(snapshot.Cash))
	src.fail = &apiclient.NetworkError{Err: errors.New("refused")}
	inFlight := s.Load(snapshot.Months)
	run(t, s, s.Load(snapshot.Events))
	for part, want := range map[snapshot.Part]resource.Status{
		snapshot.Account: resource.Stale, snapshot.Ping: resource.Stale, snapshot.Events: resource.Stale,
		snapshot.Cash: resource.NotAllowed, snapshot.Months: resource.Ready,
	} {
		state := s.State(part)
		if state.Status != want {
			t.Errorf("part %d: status %d, want %d", part, state.Status, want)
		}
		if feed := s.State(snapshot.Events); state.Status == resource.Stale && !state.RetryAt.Equal(feed.RetryAt) {
			t.Errorf("part %d tries again at %v", part, state.RetryAt)
		}
	}
	src.fail = nil
	if !run(t, s, inFlight) {
		t.Error("the answer to a request from before counts no more")
	}
	run(t, s, s.Load(snapshot.Account))
	if state := s.State(snapshot.Account); state.Status != resource.Ready {
		t.Errorf("after the server returned: status %d", state.Status)
	}
}
