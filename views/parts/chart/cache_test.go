package chart_test

import (
	"testing"
	"time"

	"tarmac/views/parts/chart"
)

func TestAChartIsDrawnAgainWhenItsFiguresOrItsRoomChange(t *testing.T) {
	var cache chart.Cache
	drawn := 0
	draw := func() []string { drawn++; return []string{} }
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		key  chart.CacheKey
		want int
	}{
		{chart.CacheKey{Width: 80}, 1}, {chart.CacheKey{Width: 80}, 1}, {chart.CacheKey{Width: 81}, 2},
		{chart.CacheKey{Width: 81, Loaded: [2]time.Time{noon}}, 3},
		{chart.CacheKey{Width: 81, Loaded: [2]time.Time{noon, noon}}, 4},
		{chart.CacheKey{Width: 81, Loaded: [2]time.Time{noon, noon}}, 4},
	} {
		if cache.Lines(c.key, draw); drawn != c.want {
			t.Errorf("%+v: drawn %d times, want %d", c.key, drawn, c.want)
		}
	}
}
