package chart_test

import (
	"testing"
	"time"

	"tarmac/views/parts/chart"
)

func TestAChartIsDrawnAgainWhenItsFiguresOrItsRoomChange(t *testing.T) {
	var kept chart.Kept
	drawn := 0
	draw := func() []string { drawn++; return []string{} }
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		of   chart.Of
		want int
	}{
		{chart.Of{Width: 80}, 1}, {chart.Of{Width: 80}, 1}, {chart.Of{Width: 81}, 2},
		{chart.Of{Width: 81, Loaded: [2]time.Time{noon}}, 3}, {chart.Of{Width: 81, Loaded: [2]time.Time{noon, noon}}, 4},
		{chart.Of{Width: 81, Loaded: [2]time.Time{noon, noon}}, 4},
	} {
		if kept.Lines(c.of, draw); drawn != c.want {
			t.Errorf("%+v: drawn %d times, want %d", c.of, drawn, c.want)
		}
	}
}
