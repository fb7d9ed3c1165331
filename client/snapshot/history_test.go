package snapshot_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
)

// ledgerSource is a server with one transaction in each month, and settable totals.
type ledgerSource struct {
	*source
	now      time.Time
	count    int64 // transactions in all months; 0 means 40
	extra    map[civil.Date]bool
	mu       sync.Mutex
	priority []bool // whether each request for rows has low priority; guarded by mu
}

func (s *ledgerSource) TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (
	*apiclient.TransactionPage, error,
) {
	answered, err := s.source.TransactionPage(ctx, q)
	if err != nil {
		return nil, err
	}
	currency := answered.Summary.Currency
	page := &apiclient.TransactionPage{Summary: apiclient.Summary{Currency: currency, Count: max(40, s.count)}}
	if q.To != q.From.LastOfMonth() {
		return page, nil
	}
	s.mu.Lock()
	s.priority = append(s.priority, apiclient.IsLowPriority(ctx))
	s.mu.Unlock()
	page.Summary = apiclient.Summary{Currency: currency, Count: 1, InflowMinor: 5, NetMinor: 5}
	page.Data = []apiclient.Transaction{{
		ID: q.From.String(), Date: q.From, Direction: apiclient.Inflow, Reporting: apiclient.NewAmount(5, currency),
	}}
	if s.extra[q.From] {
		page.Data = append(page.Data, page.Data[0])
		page.Summary = apiclient.Summary{Currency: currency, Count: 2, InflowMinor: 10, NetMinor: 10}
	}
	return page, nil
}

// dashboard is a snapshot of a ledgerSource.
type dashboard struct {
	*snapshot.Snapshot
	*ledgerSource
	t *testing.T
}

func newDashboard(t *testing.T) dashboard {
	src := &ledgerSource{source: &source{}, now: noon, extra: map[civil.Date]bool{}}
	s := snapshot.New(t.Context(), src, snapshot.Options{Now: func() time.Time { return src.now }, Timeout: time.Minute})
	return dashboard{s, src, t}
}

// read reads the history as far as it is due, and returns the number of requests.
func (d dashboard) read() int {
	d.t.Helper()
	before := len(d.queries)
	for d.HistoryIsDue() {
		run(d.t, d.Snapshot, d.Load(snapshot.History))
		if d.State(snapshot.History).Err != nil {
			break
		}
	}
	return len(d.queries) - before
}

func TestTheHistoryIsReadOnlyAfterAPageNeedsIt(t *testing.T) {
	d := newDashboard(t)
	d.Show(snapshot.Cash)
	if d.HistoryIsDue() || d.Load(snapshot.History) != nil {
		t.Error("the history is read")
	}
	d.Show(snapshot.History)
	if n := d.read(); n != 3+40 || len(d.History.Ledger().Rows) != 40 || !d.History.Progress().Complete {
		t.Errorf("%d requests, %+v", n, d.History.Progress())
	}
	if s := d.State(snapshot.History); s.Status != resource.Ready || s.Err != nil {
		t.Errorf("%+v", s)
	}
}

func TestTheHistoryCanBeUsedFromTheFirstMonthOn(t *testing.T) {
	d := newDashboard(t)
	d.Show(snapshot.History)
	for range 3 {
		run(t, d.Snapshot, d.Load(snapshot.History))
		if s := d.State(snapshot.History); s.Status != resource.Loading || d.History.Ledger() != nil {
			t.Errorf("%+v", s)
		}
	}
	run(t, d.Snapshot, d.Load(snapshot.History))
	if s := d.State(snapshot.History); s.Status != resource.Ready || len(d.History.Ledger().Rows) != 1 {
		t.Errorf("%+v", s)
	}
}

func TestAReadingGoesOnBehindAnotherPageWithLowPriority(t *testing.T) {
	d := newDashboard(t)
	d.Show(snapshot.History)
	for range 5 {
		run(t, d.Snapshot, d.Load(snapshot.History))
	}
	d.Show(snapshot.Cash)
	if d.read(); !d.History.Progress().Complete {
		t.Errorf("%+v", d.History.Progress())
	}
	if d.priority[0] || !d.priority[10] {
		t.Errorf("low priority: %v", d.priority)
	}
}

func TestWhenTheHistoryIsReadAgain(t *testing.T) {
	recent := 2 + 2
	for name, c := range map[string]struct {
		change func(dashboard)
		want   int // requests
	}{
		"nothing happened":    {func(dashboard) {}, 0},
		"everything is asked": {func(d dashboard) { d.RenewHistory() }, 3 + 40},
		"nobody looks":        {func(d dashboard) { d.RenewHistory(); d.Show(snapshot.Cash) }, 0},
		"somebody looks again": {func(d dashboard) {
			d.RenewHistory()
			d.Show(snapshot.Cash)
			d.Show(snapshot.History)
		}, 3 + 40},
		"the last two months are due": {func(d dashboard) { d.Update(d.Load(snapshot.History)()) }, recent - 1},
		"the month before has other totals": {func(d dashboard) {
			d.extra[civil.New(2026, 2, 1)] = true
			d.Update(d.Load(snapshot.Months)())
		}, recent},
		"an old month has other totals": {func(d dashboard) {
			d.extra[civil.New(2025, 10, 1)] = true
			d.Update(d.Load(snapshot.Months)())
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDashboard(t)
			d.Show(snapshot.History)
			d.read()
			c.change(d)
			if n := d.read(); n != c.want || !d.History.Progress().Complete {
				t.Errorf("%d requests, want %d; %+v", n, c.want, d.History.Progress())
			}
			if n := d.read(); n != 0 {
				t.Errorf("then again %d requests", n)
			}
		})
	}
}

func TestAHistoryContinuesAfterAFailure(t *testing.T) {
	d := newDashboard(t)
	d.Show(snapshot.History)
	for range 10 {
		run(t, d.Snapshot, d.Load(snapshot.History))
	}
	d.fail = &apiclient.Error{Status: 429, RetryAfter: 7 * time.Second}
	d.read()
	s := d.State(snapshot.History)
	retryAt := noon.Add(7 * time.Second)
	if s.Status != resource.Stale || !errors.Is(s.Err, apiclient.ErrRateLimited) || !s.RetryAt.Equal(retryAt) {
		t.Fatalf("%+v", s)
	}
	if len(d.History.Ledger().Rows) != 13 {
		t.Errorf("%d rows are kept", len(d.History.Ledger().Rows))
	}
	d.fail = nil
	if n := d.read(); n != 27 || !d.History.Progress().Complete || d.State(snapshot.History).Err != nil {
		t.Errorf("%d requests, %+v", n, d.History.Progress())
	}
}

func TestALargeHistoryWaitsForAnAnswer(t *testing.T) {
	d := newDashboard(t)
	d.count = 60_000
	d.Show(snapshot.History)
	if n := d.read(); n != 1 || d.State(snapshot.History).Status != resource.Loading {
		t.Errorf("%d requests, %+v", n, d.State(snapshot.History))
	}
	if q, open := d.History.Question(); !open || q.Rows != 60_000 {
		t.Errorf("%t, %+v", open, q)
	}
	d.History.ReadLarge()
	if n := d.read(); n != 2+40 || len(d.History.Ledger().Rows) != 40 {
		t.Errorf("%d requests", n)
	}
}

func TestTheHistoryMovesToANewMonth(t *testing.T) {
	d := newDashboard(t)
	d.Show(snapshot.History)
	d.read()
	d.now = noon.AddDate(0, 1, 0)
	run(t, d.Snapshot, d.Load(snapshot.History))
	d.read()
	if rows := d.History.Ledger().Rows; len(rows) != 40 || rows[0].Date != civil.New(2026, 4, 1) {
		t.Errorf("%d rows, the first one of %s", len(rows), rows[0].Date)
	}
}

// Nothing is left to read of a history that was read before an outage, so it is not stale after it.
func TestAHiddenHistoryIsCurrentAfterAnOutage(t *testing.T) {
	d := newDashboard(t)
	d.Show(snapshot.History)
	d.read()
	d.Show(snapshot.Cash)
	d.fail = fmt.Errorf("dialing: %w", apiclient.ErrNetwork)
	run(t, d.Snapshot, d.Load(snapshot.Events))
	during := d.State(snapshot.History)

	d.fail = nil
	run(t, d.Snapshot, d.Load(snapshot.Events))
	hidden := d.State(snapshot.History)
	d.Show(snapshot.History)
	shown := d.State(snapshot.History)

	if during.Status != resource.Stale || hidden.Status != resource.Ready || hidden.Err != nil {
		t.Errorf("during the outage %+v, after it %+v", during, hidden)
	}
	if !resource.Due(shown, d.now, resource.Policy{}) {
		t.Errorf("the last months are not due when a page shows them again: %+v", shown)
	}
}
