package store_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// seededLedger is a ledger made by `tarmac admin seed`.
type seededLedger struct {
	file          string
	store         *store.Store
	org           store.OrgKey
	oldest, today civil.Date
	middle, tail  ledger.Position
}

// seededLedgers opens the databases in TARMAC_BENCH_SEEDED, a path list: each with one seeded
// organization, the smallest first. It does not write to them.
func seededLedgers(b *testing.B) []*seededLedger {
	b.Helper()
	named := filepath.SplitList(os.Getenv("TARMAC_BENCH_SEEDED"))
	if len(named) == 0 {
		b.Skip("TARMAC_BENCH_SEEDED names no databases")
	}
	var all []*seededLedger
	for _, path := range named {
		s, err := store.Open(context.Background(), path, store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = s.Close() })
		orgs, err := s.Organizations(context.Background())
		if err != nil || len(orgs) != 1 {
			b.Fatalf("%s has %d organizations, %v; want one", path, len(orgs), err)
		}
		_, key, err := s.Organization(context.Background(), orgs[0].PublicID)
		if err != nil {
			b.Fatal(err)
		}
		l := &seededLedger{file: strings.TrimSuffix(filepath.Base(path), ".db"), store: s, org: key}
		l.measure(b)
		all = append(all, l)
	}
	return all
}

func (l *seededLedger) measure(b *testing.B) {
	b.Helper()
	l.read(b, func(snap *store.Snapshot) error {
		for _, source := range ledger.Sources {
			first, err := snap.FirstDay(l.org, source)
			if err != nil {
				return err
			}
			if l.oldest.IsZero() || first.Before(l.oldest) {
				l.oldest = first
			}
		}
		page, _, err := snap.Listing(l.org, ledger.Filter{}, nil, 1)
		if err != nil {
			return err
		}
		l.today = page.Rows[0].Date
		l.middle.Date, l.tail.Date = l.today.AddDays(-l.today.DaysSince(l.oldest)/2), l.oldest.AddDays(10)
		return nil
	})
}

func (l *seededLedger) read(b *testing.B, fn func(*store.Snapshot) error) {
	b.Helper()
	if err := l.store.Read(context.Background(), fn); err != nil {
		b.Fatal(err)
	}
}

// seededCase is a filter of a seeded ledger and the position that its page comes after.
type seededCase struct {
	name   string
	filter func(*seededLedger) ledger.Filter
	after  func(*seededLedger) *ledger.Position
}

func everything(*seededLedger) ledger.Filter    { return ledger.Filter{} }
func atHead(*seededLedger) *ledger.Position     { return nil }
func inMiddle(l *seededLedger) *ledger.Position { return &l.middle }
func atTail(l *seededLedger) *ledger.Position   { return &l.tail }
func keyword(word string) func(*seededLedger) ledger.Filter {
	return func(*seededLedger) ledger.Filter { return ledger.Filter{Keyword: word} }
}

// and narrows a filter to a direction.
func and(f func(*seededLedger) ledger.Filter, direction ledger.Direction) func(*seededLedger) ledger.Filter {
	return func(l *seededLedger) ledger.Filter {
		narrow := f(l)
		narrow.Direction = &direction
		return narrow
	}
}

func inMonth(f func(*seededLedger) ledger.Filter) func(*seededLedger) ledger.Filter {
	return func(l *seededLedger) ledger.Filter {
		narrow := f(l)
		narrow.From, narrow.To = l.middle.Date.FirstOfMonth(), l.middle.Date.LastOfMonth()
		return narrow
	}
}

// Words of seeded ledgers, with the share of rows that have them in a ledger of ten million.
var seededWords = []struct{ name, word string }{
	{"70%", "ing"}, {"49%", "usage_billing"}, {"8.5%", "coffee"}, {"1.5%", "ceramics"}, {"0.7%", "ub-34"},
	{"rare", "ub-3471043"}, {"absent", "gazorpazorp"},
}

func pageCases() []seededCase {
	all := []seededCase{
		{"head", everything, atHead}, {"middle", everything, inMiddle}, {"tail", everything, atTail},
		{"outflow/head", and(everything, ledger.Outflow), atHead},
		{"outflow/middle", and(everything, ledger.Outflow), inMiddle},
		{"outflow/tail", and(everything, ledger.Outflow), atTail},
		{"inflow/head", and(everything, ledger.Inflow), atHead}, {"month", inMonth(everything), atHead},
		{"month+outflow", inMonth(and(everything, ledger.Outflow)), atHead},
	}
	for _, w := range seededWords {
		f := keyword(w.word)
		all = append(all, seededCase{w.name, f, atHead}, seededCase{w.name + "/middle", f, inMiddle},
			seededCase{w.name + "+month", inMonth(f), atHead},
			seededCase{w.name + "+outflow", and(f, ledger.Outflow), atHead},
			seededCase{w.name + "+inflow", and(f, ledger.Inflow), atHead},
			seededCase{w.name + "+month+inflow", inMonth(and(f, ledger.Inflow)), atHead})
	}
	return all
}

// BenchmarkSeededPage measures pages of a hundred rows whose summaries are cached, in ledgers of
// several sizes in turn. It reports median, minimum and maximum, and the ratio of the last
// ledger to the first.
func BenchmarkSeededPage(b *testing.B) {
	ledgers := seededLedgers(b)
	for _, c := range pageCases() {
		b.Run(c.name, func(b *testing.B) {
			inTurn(b, ledgers, 5, func(l *seededLedger) {}, func(l *seededLedger) {
				l.read(b, func(snap *store.Snapshot) error {
					_, _, err := snap.Listing(l.org, c.filter(l), c.after(l), 100)
					return err
				})
			})
		})
	}
}

// BenchmarkSeededSummary measures summaries that are not cached.
func BenchmarkSeededSummary(b *testing.B) {
	ledgers := seededLedgers(b)
	cases := []seededCase{
		{name: "everything", filter: everything}, {name: "outflow", filter: and(everything, ledger.Outflow)},
		{name: "month", filter: inMonth(everything)},
		{name: "two-letters", filter: keyword("ub")}, {name: "two-letters-absent", filter: keyword("qz")},
	}
	for _, w := range seededWords {
		f := keyword(w.word)
		cases = append(cases, seededCase{name: w.name, filter: f}, seededCase{name: w.name + "+month", filter: inMonth(f)},
			seededCase{name: w.name + "+inflow", filter: and(f, ledger.Inflow)})
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			inTurn(b, ledgers, 1, func(l *seededLedger) { l.store.ForgetSummaries() }, func(l *seededLedger) {
				l.read(b, func(snap *store.Snapshot) error {
					_, err := snap.Summary(l.org, c.filter(l))
					return err
				})
			})
		})
	}
}

// inTurn measures fn on each ledger in turn, the given number of times in a row.
func inTurn(b *testing.B, ledgers []*seededLedger, times int, prepare, fn func(*seededLedger)) {
	durations := make([][]float64, len(ledgers))
	for _, l := range ledgers {
		fn(l)
	}
	for b.Loop() {
		for i, l := range ledgers {
			prepare(l)
			started := time.Now()
			for range times {
				fn(l)
			}
			durations[i] = append(durations[i], time.Since(started).Seconds()*1e3/float64(times))
		}
	}
	b.ReportMetric(0, "ns/op")
	middle := func(of []float64) float64 { return slices.Sorted(slices.Values(of))[len(of)/2] }
	for i, l := range ledgers {
		b.ReportMetric(middle(durations[i]), "ms-of-"+l.file)
		b.ReportMetric(slices.Min(durations[i]), "least-ms-of-"+l.file)
		b.ReportMetric(slices.Max(durations[i]), "most-ms-of-"+l.file)
	}
	last, first := durations[len(durations)-1], durations[0]
	b.ReportMetric(middle(last)/middle(first), "last/first")
	b.ReportMetric(slices.Min(last)/slices.Min(first), "least-last/first")
}
