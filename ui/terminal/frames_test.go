package terminal

import (
	"strconv"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

// In any sequence of messages a frame draws at most its maximum of views, a single message is drawn
// at once, and the last state is shown in time.
func TestFramesShowTheLastStateAndDrawFewOfABurst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
		var wakes time.Time
		f := frames{now: func() time.Time { return now }}
		f.sendRedraw = func(wait time.Duration) {
			if wait <= 0 || wait > frameTime || !wakes.IsZero() {
				t.Fatalf("asked for a frame in %v, one is on its way at %v", wait, wakes)
			}
			wakes = now.Add(wait)
		}
		state, shown, drawn := 0, "", []time.Time{}
		look := func() {
			shown = f.view(func() tea.View {
				drawn = append(drawn, now)
				return tea.NewView(strconv.Itoa(state))
			}).Content
		}
		wake := func() {
			now, wakes = wakes, time.Time{}
			f.redrawing = false
			look()
		}
		for _, gap := range rapid.SliceOfN(rapid.IntRange(0, 20_000), 1, 60).Draw(t, "microseconds between messages") {
			next := now.Add(time.Duration(gap) * time.Microsecond)
			for !wakes.IsZero() && !wakes.After(next) {
				wake()
			}
			alone := next.Sub(now) >= frameTime && wakes.IsZero()
			now = next
			state++
			look()
			if alone && shown != strconv.Itoa(state) {
				t.Fatalf("a message that came alone was put off: %s shown of %d", shown, state)
			}
		}
		if !wakes.IsZero() {
			wake()
		}
		if shown != strconv.Itoa(state) {
			t.Fatalf("%s is shown in the end, not %d", shown, state)
		}
		for i := viewsPerFrame * 2; i < len(drawn); i++ {
			if drawn[i].Sub(drawn[i-viewsPerFrame*2]) < frameTime {
				t.Fatalf("%d views were drawn in less than a frame", viewsPerFrame*2+1)
			}
		}
	})
}
