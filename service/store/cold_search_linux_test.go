//go:build linux && (amd64 || arm64)

package store_test

import (
	"os"
	"testing"
	"time"

	"tarmac/internal/testsupport/slowdisk"
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
