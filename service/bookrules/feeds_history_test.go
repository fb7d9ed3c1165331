package bookrules_test

import (
	"slices"
	"testing"

	"tarmac/service/bookrules"
)

func TestAReadingOfTheHistoryReachesUpToTheNextDaysThatAreCovered(t *testing.T) {
	type spans = []bookrules.Span
	for name, test := range map[string]struct{ covered, later, want spans }{
		"nothing later":     {spans{{10, 20}}, nil, spans{{10, 20}}},
		"a gap":             {spans{{10, 20}}, spans{{25, 40}, {50, 60}}, spans{{10, 24}}},
		"no gap":            {spans{{10, 20}}, spans{{21, 40}}, spans{{10, 20}}},
		"an overlap":        {spans{{10, 20}}, spans{{15, 30}, {40, 50}}, spans{{10, 20}}},
		"only earlier days": {spans{{10, 20}}, spans{{1, 5}}, spans{{10, 20}}},
		"two spans":         {spans{{1, 5}, {10, 20}}, spans{{7, 8}, {30, 40}}, spans{{1, 5}, {10, 29}}},
	} {
		got := bookrules.ExtendHistory(slices.Clone(test.covered), test.later)

		if !slices.Equal(got, test.want) {
			t.Errorf("%s: covered are %v, want %v", name, got, test.want)
		}
	}
}
