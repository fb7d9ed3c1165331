package plural_test

import (
	"testing"
	"time"

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

func TestAListHasAConjunctionBeforeItsLastWord(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := plural.List(words, "or"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestASpanIsInItsLargestUnit(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0 seconds": -time.Hour, "59 seconds": time.Minute - 1, "1 minute": 119 * time.Second,
		"47 hours": 48*time.Hour - 1, "2 days": 71 * time.Hour,
	} {
		if got := plural.Count(plural.Span(d)); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}
