package apiclient

import (
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// In any interleaving of requests and answers no read leaves before the time that a
// refusal named, and in the end every read does.
func TestNoReadLeavesBeforeItsTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			g     gate
			now   = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
			until time.Time
			out   []pass
		)
		t.Repeat(map[string]func(*rapid.T){
			"send": func(t *rapid.T) {
				changes := rapid.Bool().Draw(t, "changes")
				p, wait, refused := g.enter(now, changes, rapid.Bool().Draw(t, "gives way"))
				switch {
				case wait > 0 && changes:
					t.Fatal("a write was held back")
				case wait > 0 && refused != now.Before(until):
					t.Fatalf("held for %s, refused %t, until %s", wait, refused, until.Sub(now))
				case wait > 0:
				case !changes && now.Before(until):
					t.Fatalf("a read left %s too early", until.Sub(now))
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
				g.answer(t, p, now, &until)
			},
			"wait": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(1, 40_000).Draw(t, "milliseconds")) * time.Millisecond)
			},
			"": func(t *rapid.T) {
				if g.inFlight != len(out) {
					t.Fatalf("%d under way, counted %d", len(out), g.inFlight)
				}
			},
		})
		for range out {
			g.leave()
		}
		for _, givesWay := range []bool{true, false} {
			now = now.Add(2 * absurdHold)
			if _, wait, _ := g.enter(now, false, givesWay); wait > 0 {
				t.Fatalf("days later a read is held for %s", wait)
			}
		}
	})
}

func (g *gate) answer(t *rapid.T, p pass, now time.Time, until *time.Time) {
	defer g.leave()
	if rapid.Bool().Draw(t, "good") {
		r := Rate{
			Limit: rapid.IntRange(0, 300).Draw(t, "limit"), Window: time.Minute,
			Remaining: rapid.IntRange(0, 300).
				Draw(t, "left"),
			ResetIn: time.Duration(rapid.IntRange(0, 60).Draw(t, "reset")) * time.Second, At: now,
		}
		g.heard(p, http.StatusOK, r, 0, now)
		return
	}
	asked := time.Duration(rapid.IntRange(0, 90).Draw(t, "retry after")) * time.Second
	g.heard(p, http.StatusTooManyRequests, Rate{}, asked, now)
	wait := g.shut(now)
	if wait < asked || wait <= 0 || asked == 0 && wait > max(longestHold, until.Sub(now)) {
		t.Fatalf("asked for %s, held for %s", asked, wait)
	}
	*until = now.Add(wait)
}

func TestWithoutATimeThePauseGrowsWithRefusalsInARow(t *testing.T) {
	var g gate
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for i, want := range []time.Duration{2, 4, 8, 16, 32, 60, 60} {
		p, wait, _ := g.enter(now, false, false)
		late, _, _ := g.enter(now, true, false)
		if wait > 0 {
			t.Fatalf("refusal %d: held for %s", i, wait)
		}
		g.heard(p, http.StatusTooManyRequests, Rate{}, 0, now)
		g.heard(late, http.StatusTooManyRequests, Rate{}, absurdHold, now)
		if got := g.shut(now); got != want*time.Second {
			t.Errorf("refusal %d: %s, want %ds", i, got, want)
		}
		now = now.Add(g.shut(now))
	}
	p, _, _ := g.enter(now, false, false)
	g.heard(p, http.StatusOK, Rate{}, 0, now)
	if g.refusals != 0 {
		t.Error("an answer did not end the row")
	}
}
