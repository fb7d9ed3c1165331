package chart_test

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/views/parts/chart"
)

func TestASparklineShowsEveryPositiveValue(t *testing.T) {
	for _, c := range []struct {
		values []int64
		width  int
		want   string
	}{
		{[]int64{1, 50, 100}, 3, "▁▄▇"},
		{[]int64{0, 100, -5}, 3, " ▇ "},
		{[]int64{1, 2, 4}, 11, "▂▂ ▄▄ ▇▇"},
		{[]int64{9, 1, 2}, 2, "▄▇"},
		{[]int64{0, 0}, 2, "  "},
		{nil, 5, ""},
		{[]int64{5}, 0, ""},
		{[]int64{math.MaxInt64, 1}, 2, "▇▁"},
	} {
		if got := chart.Spark(c.values, c.width); got != c.want {
			t.Errorf("%v in %d cells is %q, want %q", c.values, c.width, got, c.want)
		}
	}
}

func TestASignedBarHasOneAxis(t *testing.T) {
	for _, c := range []struct {
		value, largest int64
		want           string
	}{
		{-10, 10, "███│   "}, {10, 10, "   │███"}, {1, 1000, "   │█  "},
		{-5, 10, " ██│   "}, {0, 10, "   │   "}, {0, 0, "   │   "},
	} {
		if got := chart.Signed(c.value, c.largest, 7); got != c.want {
			t.Errorf("%d of %d is %q, want %q", c.value, c.largest, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 40).Draw(t, "width")
		bar := chart.Signed(rapid.Int64().Draw(t, "value"), rapid.Int64().Draw(t, "largest"), width)
		if ansi.StringWidth(bar) > width || strings.Count(bar, "│") > 1 {
			t.Fatalf("%q in %d cells", bar, width)
		}
	})
}
