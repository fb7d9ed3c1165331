package store_test

import (
	"context"
	entropy "crypto/rand"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// benchLedger returns a ledger of five years with TARMAC_BENCH_ROWS transactions (100,000 unless
// set). If TARMAC_BENCH_DB names a file, the ledger is stored there and reused.
func benchLedger(b *testing.B) (*store.Store, store.OrgKey) {
	b.Helper()
	total := 100_000
	if text := os.Getenv("TARMAC_BENCH_ROWS"); text != "" {
		var err error
		if total, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	path := os.Getenv("TARMAC_BENCH_DB")
	if path == "" {
		path = filepath.Join(b.TempDir(), "bench.db")
	}
	s, err := store.Open(context.Background(), path, store.Options{Ephemeral: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	if _, org, err := s.Organization(context.Background(), "org_bench"); err == nil {
		return s, org
	}
	org := organization(b, s, "bench")
	source, random := newIDs(), rand.New(rand.NewPCG(1, 2))
	const batch, span = 10_000, 1826
	for done := 0; done < total; {
		rows := make([]ledger.Transaction, 0, batch)
		for len(rows) < batch && done < total {
			rows = append(rows, benchRow(b, source, random, civil.New(2021, 11, 21+done*span/total)))
			done++
		}
		if done == total {
			rows[len(rows)-1].Memo = "zephyrine"
		}
		write(b, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, rows) })
	}
	if err := s.Optimize(context.Background()); err != nil {
		b.Fatal(err)
	}
	return s, org
}

// BenchmarkPage measures pages whose summaries are cached.
func BenchmarkPage(b *testing.B) {
	s, org := benchLedger(b)
	outflow := ledger.Outflow
	at := func(date string) *ledger.Position { return &ledger.Position{Date: civil.MustParse(date)} }
	month := ledger.Filter{From: civil.MustParse("2024-03-01"), To: civil.MustParse("2024-03-31")}
	for _, c := range []struct {
		name   string
		filter ledger.Filter
		after  *ledger.Position
	}{
		{"head", ledger.Filter{}, nil},
		{"middle", ledger.Filter{}, at("2024-05-21")},
		{"tail", ledger.Filter{}, at("2021-11-22")},
		{"outflow", ledger.Filter{Direction: &outflow}, at("2024-05-21")},
		{"month", month, nil},
		{"keyword-eighth", ledger.Filter{Keyword: "cumulus"}, nil},
		{"keyword-eighth-middle", ledger.Filter{Keyword: "cumulus"}, at("2024-05-21")},
		{"keyword-rare", ledger.Filter{Keyword: "zephyrine"}, nil},
		{"keyword-absent", ledger.Filter{Keyword: "gazorpazorp"}, nil},
		{"keyword-short", ledger.Filter{Keyword: "cu"}, nil},
		{"keyword-short-absent", ledger.Filter{Keyword: "qq"}, nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchSummary(b, s, org, c.filter)
			for b.Loop() {
				err := s.Read(context.Background(), func(snap *store.Snapshot) error {
					_, _, err := snap.Listing(org, c.filter, c.after, 100)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSummary(b *testing.B) {
	s, org := benchLedger(b)
	outflow := ledger.Outflow
	source, random := ids.NewSource(entropy.Reader), rand.New(rand.NewPCG(3, 4)) // for the rows that are written meanwhile
	for _, c := range []struct {
		name   string
		filter ledger.Filter
	}{
		{"all", ledger.Filter{}},
		{"outflow", ledger.Filter{Direction: &outflow}},
		{"year", ledger.Filter{From: civil.MustParse("2024-01-01"), To: civil.MustParse("2024-12-31")}},
		{"keyword-eighth", ledger.Filter{Keyword: "cumulus"}},
		{"keyword-rare", ledger.Filter{Keyword: "zephyrine"}},
		{"keyword-absent", ledger.Filter{Keyword: "gazorpazorp"}},
		{"keyword-short", ledger.Filter{Keyword: "cu"}},
	} {
		b.Run(c.name+"/computed", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s.ForgetSummaries()
				b.StartTimer()
				benchSummary(b, s, org, c.filter)
			}
		})
		b.Run(c.name+"/again", func(b *testing.B) {
			for b.Loop() {
				benchSummary(b, s, org, c.filter)
			}
		})
		b.Run(c.name+"/after-a-write", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				row := benchRow(b, source, random, civil.New(2025, 6, 1))
				write(b, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, []ledger.Transaction{row}) })
				b.StartTimer()
				benchSummary(b, s, org, c.filter)
			}
		})
	}
}

func benchSummary(b *testing.B, s *store.Store, org store.OrgKey, f ledger.Filter) {
	err := s.Read(context.Background(), func(snap *store.Snapshot) error {
		_, err := snap.Summary(org, f)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}
