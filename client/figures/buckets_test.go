package figures_test

import (
	"testing"

	"tarmac/client/figures"
)

func TestBucketOfDaysPastDue(t *testing.T) {
	for days, want := range map[int]int{
		-4000: 0, -1: 0, 0: 0, 1: 1, 30: 1, 31: 2, 60: 2, 61: 3, 90: 3, 91: 4, 100_000: 4,
	} {
		if got := figures.BucketOf(days); got != want {
			t.Errorf("%d days past due are in bucket %d, want %d", days, got, want)
		}
	}
}
