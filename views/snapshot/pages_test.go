package snapshot_test

import (
	"context"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/views/snapshot"
)

// clocked notes for each page what has become of the page before.
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

// A long gap is closed as long as every page of it comes in time.
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
