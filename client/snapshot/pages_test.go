package snapshot_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
)

// clocked records, for each page, the state of the page before.
type clocked struct {
	*source
	before context.Context
	gaps   []int
	gap    func() int
	t      *testing.T
}

func (c *clocked) EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	if _, bounded := ctx.Deadline(); !bounded || ctx.Err() != nil {
		c.t.Error("a page has no time of its own")
	}
	if c.before != nil && c.before.Err() == nil {
		c.t.Error("the time of the page before still runs")
	}
	c.before = ctx
	c.gaps = append(c.gaps, c.gap())
	return c.source.EventPage(ctx, q)
}

// A long gap is closed as long as each page arrives within the timeout.
func TestEachPageOfAGapHasItsOwnTimeAndCounts(t *testing.T) {
	src := &clocked{source: &source{}, t: t}
	s := snapshot.New(t.Context(), src, snapshot.Options{Now: func() time.Time { return noon }, Timeout: time.Minute})
	src.gap = s.Feed.Gap
	for i, want := range [][]int{{0}, {0, 100, 200, 300}, {0}, {0, 100}} {
		src.gaps = nil
		src.grow([]int{30, 350, 5, 120}[i])
		run(t, s, s.Load(snapshot.Events))
		if len(src.gaps) != len(want) || src.gaps[len(want)-1] != want[len(want)-1] || src.gaps[0] != 0 || s.Feed.Gap() != 0 {
			t.Errorf("poll %d: %v, want %v; then %d", i, src.gaps, want, s.Feed.Gap())
		}
	}
	if n := len(s.Feed.Events()); n != 505 {
		t.Errorf("%d events of 505", n)
	}
}

// A 429 response in the middle of a gap loses no page read before.
func TestAGapIsClosedThroughPauses(t *testing.T) {
	src := &clocked{source: &source{}, t: t}
	s := snapshot.New(t.Context(), src, snapshot.Options{Now: func() time.Time { return noon }, Timeout: time.Minute})
	asked := 0
	src.gap = func() int {
		asked++
		src.fail = nil
		if asked == 4 || asked == 6 { // after the first poll: the third and the fourth page of the gap
			src.fail = &apiclient.Error{Status: 429, RetryAfter: 7 * time.Second}
		}
		return s.Feed.Gap()
	}
	src.grow(1)
	run(t, s, s.Load(snapshot.Events))
	src.grow(350)
	for range 3 {
		run(t, s, s.Load(snapshot.Events))
	}
	if n := len(s.Feed.Events()); n != 351 || fmt.Sprint(src.gaps) != "[0 0 100 200 200 300 300]" {
		t.Errorf("%d events of 351, read before each page: %v", n, src.gaps)
	}
}
