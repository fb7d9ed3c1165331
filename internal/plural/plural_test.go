package plural_test

import (
	"testing"

	"tarmac/internal/plural"
)

func TestCountsAgreeWithTheirNouns(t *testing.T) {
	for want, c := range map[string]struct {
		n    int
		noun string
	}{
		"0 days": {0, "day"}, "1 day": {1, "day"}, "2 days": {2, "day"}, "1,200 transactions": {1200, "transaction"},
		"1 delivery": {1, "delivery"}, "2 deliveries": {2, "delivery"},
	} {
		if got := plural.Count(c.n, c.noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := plural.Count(int64(c.n), c.noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
