//go:build linux && (amd64 || arm64)

package store_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/slowdisk"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// BenchmarkColdSearch measures the first page of a word in the database TARMAC_BENCH_COLD, which
// `tarmac admin seed` has made, with nothing in the file cache and a disk that takes 5 ms for a
// read. It reports the time of a page, the waiting without any computation, and the number of
// blocks read.
func BenchmarkColdSearch(b *testing.B) {
	path := os.Getenv("TARMAC_BENCH_COLD")
	if path == "" {
		b.Skip("TARMAC_BENCH_COLD names no database")
	}
	for _, word := range []string{"usage", "coffee", "ceramics"} {
		b.Run(word, func(b *testing.B) {
			var took time.Duration
			var reads int
			for b.Loop() {
				t, r := coldSearch(b, path, word)
				took, reads = took+t, reads+r
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(took.Seconds()*1e3/float64(b.N), "ms")
			b.ReportMetric(float64(reads)/float64(b.N), "reads")
		})
	}
}

func coldSearch(tb testing.TB, path, word string) (took time.Duration, reads int) {
	disk := slowdisk.Under(tb, path)
	s, err := store.Open(tb.Context(), path, store.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	orgs, err := s.Organizations(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	_, org, err := s.Organization(tb.Context(), orgs[0].PublicID)
	if err != nil {
		tb.Fatal(err)
	}
	before := disk.Reads()
	begun := time.Now()
	_, _, err = s.Listing(tb.Context(), org, ledger.Filter{Keyword: word}, nil, 100)
	if err != nil {
		tb.Error(err)
	}
	return time.Since(begun), disk.Reads() - before
}

// The first search reads the pages of a slow disk many at a time. The simulated clock counts the
// waits for the disk and the program's own delays, but no computation. TARMAC_BENCH_COLD names
// another database to search.
func TestAColdSearchReadsManyPagesAtATime(t *testing.T) {
	testdb.SQLiteOnly(t)
	if testing.Short() {
		t.Skip("writes 200,000 rows")
	}
	path, words := os.Getenv("TARMAC_BENCH_COLD"), []string{"usage", "coffee", "ceramics"}
	if path == "" {
		path, words = coldLedger(t, 200_000), []string{"cumulus"}
	}
	for _, word := range words {
		synctest.Test(t, func(t *testing.T) {
			took, reads := coldSearch(t, path, word)
			oneByOne := time.Duration(reads) * slowdisk.ReadTime
			t.Logf("%s: %v for %d reads, %v one by one", word, took, reads, oneByOne)
			if reads < 200 || took > oneByOne/5 {
				t.Errorf("%s: the disk was waited for %v, for %d reads", word, took, reads)
			}
		})
	}
}

// coldLedger returns a database of one organization with a number of transactions in two years.
func coldLedger(t *testing.T, total int) string {
	path := testdb.New(t)
	s, err := store.Open(t.Context(), path, store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	org := organization(t, s, "cold")
	source, random := newIDs(), rand.New(rand.NewPCG(1, 2))
	all := make([]ledger.Transaction, total)
	for n := range all {
		all[n] = benchRow(t, source, random, civil.New(2024, 1, 1+n*731/total))
	}
	write(t, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, all) })
	if err := errors.Join(s.Optimize(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}
