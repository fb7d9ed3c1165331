//go:build long

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

// The first search reads the pages of a slow disk many at a time. The simulated clock counts the
// waits for the disk and the program's own delays, but no computation. TARMAC_BENCH_COLD names
// another database to search.
func TestAColdSearchReadsManyPagesAtATime(t *testing.T) {
	testdb.SQLiteOnly(t)
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
