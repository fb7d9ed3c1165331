package apiclient

import (
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// In any order of requests and responses no read is sent before a refusal's time has
// passed, and in the end all reads are sent.
func TestNoReadLeavesBeforeItsTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			l         limiter
			now       = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
			heldUntil time.Time
			out       []permit
		)
		t.Repeat(map[string]func(*rapid.T){
			"send": func(t *rapid.T) {
				isWrite := rapid.Bool().Draw(t, "changes")
				p, wait, refused := l.acquire(now, isWrite, rapid.Bool().Draw(t, "gives way"))
				switch {
				case wait > 0 && isWrite:
					t.Fatal("a write was held back")
				case wait > 0 && refused != now.Before(heldUntil):
					t.Fatalf("held for %s, refused %t, until %s", wait, refused, heldUntil.Sub(now))
				case wait > 0:
				case !isWrite && now.Before(heldUntil):
					t.Fatalf("a read left %s too early", heldUntil.Sub(now))
				default:
					out = append(out, p)
				}
			},
			"answer": func(t *rapid.T) {
				if len(out) == 0 {
					t.Skip("nothing is under way")
				}
				i := rapid.IntRange(0, len(out)-1).Draw(t, "which")
				p := out[i]
				out = append(out[:i], out[i+1:]...)
				l.answer(t, p, now, &heldUntil)
			},
			"wait": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(1, 40_000).Draw(t, "milliseconds")) * time.Millisecond)
			},
			"": func(t *rapid.T) {
				if l.inFlight != len(out) {
					t.Fatalf("%d under way, counted %d", len(out), l.inFlight)
				}
			},
		})
		for range out {
			l.release()
		}
		for _, givesWay := range []bool{true, false} {
			now = now.Add(2 * maxHold)
			if _, wait, _ := l.acquire(now, false, givesWay); wait > 0 {
				t.Fatalf("days later a read is held for %s", wait)
			}
		}
	})
}

func (l *limiter) answer(t *rapid.T, p permit, now time.Time, heldUntil *time.Time) {
	defer l.release()
	if rapid.Bool().Draw(t, "good") {
		r := Rate{
			Limit: rapid.IntRange(0, 300).Draw(t, "limit"), Window: time.Minute,
			Remaining: rapid.IntRange(0, 300).
				Draw(t, "left"),
			ResetIn: time.Duration(rapid.IntRange(0, 60).Draw(t, "reset")) * time.Second, At: now,
		}
		l.observe(p, http.StatusOK, r, 0, now)
		return
	}
	retryAfter := time.Duration(rapid.IntRange(0, 90).Draw(t, "retry after")) * time.Second
	l.observe(p, http.StatusTooManyRequests, Rate{}, retryAfter, now)
	wait := l.waitFor(now)
	if wait < retryAfter || wait <= 0 || retryAfter == 0 && wait > max(longestHold, heldUntil.Sub(now)) {
		t.Fatalf("asked for %s, held for %s", retryAfter, wait)
	}
	*heldUntil = now.Add(wait)
}

func TestWithoutATimeThePauseGrowsWithRefusalsInARow(t *testing.T) {
	var l limiter
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for i, want := range []time.Duration{2, 4, 8, 16, 32, 60, 60} {
		p, wait, _ := l.acquire(now, false, false)
		late, _, _ := l.acquire(now, true, false)
		if wait > 0 {
			t.Fatalf("refusal %d: held for %s", i, wait)
		}
		l.observe(p, http.StatusTooManyRequests, Rate{}, 0, now)
		l.observe(late, http.StatusTooManyRequests, Rate{}, maxHold, now)
		if got := l.waitFor(now); got != want*time.Second {
			t.Errorf("refusal %d: %s, want %ds", i, got, want)
		}
		now = now.Add(l.waitFor(now))
	}
	p, _, _ := l.acquire(now, false, false)
	l.observe(p, http.StatusOK, Rate{}, 0, now)
	if l.refusals != 0 {
		t.Error("an answer did not end the row")
	}
}
