package main

import (
	"math/rand/v2"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

// The simulated shared count matches the database's, even with clocks that differ.
func TestTheDatabaseCountsAsSimulated(t *testing.T) {
	s, err := store.Open(t.Context(), testdb.Start(t).Database(t), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	const period, window = 200 * time.Millisecond, 12 * time.Second
	random, now := rand.New(rand.NewPCG(1, 0)), time.Duration(0)
	var count allowance
	for i := range 600 {
		now += time.Duration(random.IntN(100_000)) * time.Microsecond
		at := now
		switch random.IntN(12) {
		case 0:
			at += 30 * time.Second
		case 1:
			if i > 300 {
				at += 5 * time.Minute
			}
		}
		want := count.take(at, period, window)
		got, err := s.TakeAllowance(t.Context(), "token", epoch.Add(at), period, window)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("count %d, at %s: the database says %s, simulated is %s", i, at, got, want)
		}
	}
}
