package snapshot_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"tarmac/client/resource"
	"tarmac/client/snapshot"
)

var partsWithFigures = []snapshot.Part{snapshot.Account, snapshot.Cash, snapshot.Aging, snapshot.Months,
	snapshot.Latest, snapshot.History}

// currencies returns the currencies of all figures, in order and each once.
func (d dashboard) currencies() []string {
	var all []string
	if a, known := d.Account.Value(); known {
		all = append(all, a.Currency)
	}
	if c, known := d.Cash.Value(); known {
		all = append(all, c.Currency)
	}
	if a, known := d.Aging.Value(); known {
		all = append(all, a.Currency)
	}
	if p, known := d.Latest.Value(); known {
		all = append(all, p.Summary.Currency)
	}
	months, _ := d.Months.Value()
	for _, m := range months {
		all = append(all, m.Summary.Currency)
	}
	if ledger := d.History.Ledger(); ledger != nil {
		all = append(all, ledger.Currency)
		for i := range ledger.Rows {
			all = append(all, ledger.Rows[i].Reporting.Currency())
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// inDollars returns a dashboard that has read everything in US dollars, from a server that now
// answers in euros.
func inDollars(t *testing.T) dashboard {
	t.Helper()
	d := newDashboard(t)
	d.Show(snapshot.History)
	for _, part := range snapshot.Parts {
		run(t, d.Snapshot, d.Load(part))
	}
	d.read()
	if got := d.currencies(); fmt.Sprint(got) != "[USD]" || !d.History.Progress().Complete {
		t.Fatalf("figures in %v, %+v", got, d.History.Progress())
	}
	d.currencyOf = func(int) string { return "EUR" }
	return d
}

// loads carries out a request as run does. It fails if figures are in several currencies then.
func (d dashboard) loads(part snapshot.Part) {
	d.t.Helper()
	run(d.t, d.Snapshot, d.Load(part))
	if got := d.currencies(); len(got) > 1 {
		d.t.Fatalf("after part %d, figures are in %v", part, got)
	}
}

func TestFiguresInTwoCurrenciesNeverStandSideBySide(t *testing.T) {
	for _, first := range partsWithFigures {
		t.Run(fmt.Sprint("first part ", first), func(t *testing.T) {
			d := inDollars(t)

			for d.loads(first); d.Currency() != "EUR"; d.loads(first) { // the history is read in steps
			}

			for _, part := range partsWithFigures {
				if state := d.State(part); part != first && !resource.Due(state, d.now, resource.Policy{}) {
					t.Errorf("part %d is not fetched again: %+v", part, state)
				}
			}
			for _, part := range snapshot.Parts {
				d.loads(part)
			}
			for d.HistoryIsDue() {
				d.loads(snapshot.History)
			}
			if got := d.currencies(); fmt.Sprint(got) != "[EUR]" || len(d.History.Ledger().Rows) != 40 {
				t.Errorf("figures in %v, %d rows", got, len(d.History.Ledger().Rows))
			}
			if len(months(t, d.Snapshot)) != snapshot.MonthsBack || len(d.History.Differences()) != 0 {
				t.Errorf("%d months, %v", len(months(t, d.Snapshot)), d.History.Differences())
			}
		})
	}
}

func TestAnswersFromBeforeTheChangeOfCurrencyDoNotCount(t *testing.T) {
	for _, part := range partsWithFigures {
		d := inDollars(t)
		d.currencyOf = nil
		d.RenewHistory()
		for range 4 { // the rows of a month are next
			run(t, d.Snapshot, d.Load(snapshot.History))
		}
		late := d.Load(part)()
		d.currencyOf = func(int) string { return "EUR" }
		other := snapshot.Account
		if part == other {
			other = snapshot.Cash
		}
		d.loads(other)
		for range 4 {
			run(t, d.Snapshot, d.Load(snapshot.History))
		}

		counts := d.Update(late)

		if got := d.currencies(); counts || fmt.Sprint(got) != "[EUR]" {
			t.Errorf("part %d counts: %t, figures in %v", part, counts, got)
		}
	}
}

func TestAHistoryIsReadAnewIfItsCurrencyChangesMeanwhile(t *testing.T) {
	d := newDashboard(t)
	d.currencyOf = func(pages int) string {
		if pages > 3+10 {
			return "EUR"
		}
		return "USD"
	}
	d.Show(snapshot.History)

	for d.HistoryIsDue() {
		d.loads(snapshot.History)
	}

	if got := d.currencies(); fmt.Sprint(got) != "[EUR]" || len(d.History.Ledger().Rows) != 40 {
		t.Errorf("figures in %v, %d rows", got, len(d.History.Ledger().Rows))
	}
}

func TestMonthsFetchedInPartDoNotMixCurrencies(t *testing.T) {
	after := func(n int) func(int) string {
		return func(pages int) string {
			if pages > n {
				return "EUR"
			}
			return "USD"
		}
	}
	all := snapshot.MonthsBack
	for name, c := range map[string]struct {
		known      bool // the months have been fetched in US dollars
		paused     int  // each nth request gets a 429 response; 0 means none
		currencyOf func(int) string
		requests   int // at most
		fails      bool
	}{
		"only the newest are fetched":        {known: true, currencyOf: after(0), requests: 2 + all},
		"the change comes while they arrive": {currencyOf: after(5), requests: 2 * all},
		"it comes between the two newest":    {known: true, currencyOf: after(1), requests: 2 + all},
		"a 429 response interrupts all":      {currencyOf: after(4), paused: 6, requests: 3 * all},
		"a 429 response interrupts the rest": {known: true, currencyOf: after(0), paused: 6, requests: 3 * all},
		"the currency changes back and forth": {fails: true,
			currencyOf: func(n int) string { return [...]string{"EUR", "USD"}[n%2] }},
	} {
		t.Run(name, func(t *testing.T) {
			src := &paused{source: &source{}, every: 1 << 30}
			s := snapshot.New(t.Context(), src, snapshot.Options{Now: func() time.Time { return noon }, Timeout: time.Minute})
			if c.known {
				run(t, s, s.Load(snapshot.Months))
			}
			src.queries, src.currencyOf = nil, c.currencyOf
			if c.paused > 0 {
				src.every = c.paused
			}

			run(t, s, s.Load(snapshot.Months))
			for tries := 0; s.Months.Err() != nil && !c.fails && tries < all; tries++ {
				run(t, s, s.Load(snapshot.Months))
			}

			read, known := s.Months.Value()
			if (s.Months.Err() != nil) != c.fails || known == c.fails {
				t.Fatalf("%t, %v", known, s.Months.Err())
			}
			for _, m := range read {
				if m.Summary.Currency != "EUR" {
					t.Errorf("%s is in %s", m.First, m.Summary.Currency)
				}
			}
			if !c.fails && len(src.queries) > c.requests {
				t.Errorf("%d requests, want at most %d", len(src.queries), c.requests)
			}
		})
	}
}
