package store_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
)

// A token gets what its rate limit allows, however many processes and concurrent requests it
// uses. If the processes' clocks differ, it gets at most as much more as the limit allows in
// that difference.
func TestAllowancesHoldForAllProcesses(t *testing.T) {
	if !testdb.Postgres() {
		t.Skip("several machines share a PostgreSQL database alone")
	}
	const period, burst, ahead = 200 * time.Millisecond, 60, 10
	stores, _ := openShared(t, 3)
	for name, c := range map[string]struct {
		skew time.Duration
		most int64
	}{"one clock": {0, burst}, "one is ahead": {ahead * period, burst + ahead}} {
		var allowed, refused atomic.Int64
		var wg sync.WaitGroup
		for i := range 150 {
			wg.Go(func() {
				now := created
				if i%3 == 2 {
					now = now.Add(c.skew)
				}
				debt, err := stores[i%3].TakeAllowance(context.Background(), name, now, period, burst*period)
				if err != nil {
					t.Error(err)
				}
				if debt <= burst*period {
					allowed.Add(1)
				} else {
					refused.Add(1)
				}
			})
		}
		wg.Wait()
		if n := allowed.Load(); n < burst || n > c.most || n+refused.Load() != 150 {
			t.Errorf("%s: %d were allowed, want %d to %d", name, n, burst, c.most)
		}
		debt, err := stores[1].TakeAllowance(context.Background(), name, created.Add((ahead+1)*period), period, burst*period)
		if err != nil || debt > burst*period {
			t.Errorf("%s: afterwards it owes %s, %v", name, debt, err)
		}
	}
}

// A debt written by a clock that was years ahead blocks nobody.
func TestAnAllowanceForgetsAClockThatWasAhead(t *testing.T) {
	if !testdb.Postgres() {
		t.Skip("several machines share a PostgreSQL database alone")
	}
	const period, window = 200 * time.Millisecond, 12 * time.Second
	s := open(t)
	ask := func(now time.Time) time.Duration {
		debt, err := s.TakeAllowance(t.Context(), "token", now, period, window)
		if err != nil {
			t.Fatal(err)
		}
		return debt
	}
	ask(created.AddDate(10, 0, 0))
	for want := period; want <= window; want += period {
		if debt := ask(created); debt != want {
			t.Fatalf("it owes %s, want %s", debt, want)
		}
	}
	if debt := ask(created); debt <= window {
		t.Errorf("no limit: it owes %s", debt)
	}
}
