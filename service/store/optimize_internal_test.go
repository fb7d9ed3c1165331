package store

import (
	"testing"
	"time"
)

// A merge of the search index adapts the pages of its next step to the time of the last one, by a
// factor of two at most.
func TestAStepOfAMergeTakesAsLongAsOthersMayWait(t *testing.T) {
	for _, test := range []struct {
		name  string
		pages int
		took  time.Duration
		want  int
	}{
		{"as long as it should", 100, mergeTime, 100},
		{"too long", 100, 2 * mergeTime, 50},
		{"far too long", 100, 100 * mergeTime, 50},
		{"short", 100, 3 * mergeTime / 4, 133},
		{"very short", 100, 0, 200},
		{"too long at the least", leastMergePages, time.Second, leastMergePages},
		{"short at the most", mostMergePages, time.Millisecond, mostMergePages},
	} {
		if got := nextMergePages(test.pages, test.took); got != test.want {
			t.Errorf("%s: %d pages in %v are followed by %d, want %d", test.name, test.pages, test.took, got, test.want)
		}
	}
}
