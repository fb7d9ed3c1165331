package ui

import (
	"slices"
	"testing"

	"tarmac/client/history"
)

func TestMemoryIsGivenBackWhenALargeHistoryIsFoundAndAfterItHasBeenRead(t *testing.T) {
	for name, test := range map[string]struct {
		rows   int64
		unread int // ticks before the history has been read
		want   []int
	}{
		"large":       {50_000, 5, []int{0, 7}},
		"small":       {largeRows - 1, 0, nil},
		"being read":  {50_000, 20, []int{0}},
		"read before": {largeRows, 0, []int{0, 3}},
	} {
		var due trimming
		var trimmed []int

		for i := range 20 {
			if due.tick(history.Progress{AllRows: test.rows}, i >= test.unread) {
				trimmed = append(trimmed, i)
			}
		}

		if !slices.Equal(trimmed, test.want) {
			t.Errorf("%s: memory was given back at %v", name, trimmed)
		}
	}
}
