package access

import (
	"strconv"
	"testing"
	"time"
)

// A million keys need no more memory than the limiter's bound. Meanwhile a key that exceeded its
// limit is still refused.
func TestALimiterForgetsRatherThanGrows(t *testing.T) {
	l := NewLimiter(30)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for range 30 {
		l.Take("greedy", now)
	}
	for i := range 3 * maxTracked {
		if !l.Take(strconv.Itoa(i), now).Allowed {
			t.Fatalf("sender %d had its first request refused", i)
		}
		if n := len(l.current) + len(l.previous); n > 2*maxTracked {
			t.Fatalf("%d senders are remembered", n)
		}
		if i == maxTracked && l.Take("greedy", now).Allowed {
			t.Fatal("another generation of senders freed one that went too far")
		}
	}
}
