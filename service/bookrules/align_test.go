package bookrules_test

import (
	"slices"
	"testing"

	"tarmac/service/bookrules"
)

func TestAFormatWithLaterDatesMayHaveALineOfTheDayBeforeTheOther(t *testing.T) {
	rent, fee := movement{day: 10, minor: -500}, movement{day: 20, minor: -5}
	later := func(m movement) movement { m.day++; return m }
	month := file("file", span(5, 30), rent, fee)
	for name, test := range map[string]struct {
		other bookrules.Content
		want  []string
	}{
		"at the beginning": {
			csv(file("read", span(1, 40), movement{day: 5, minor: 70}, later(rent), later(fee))),
			[]string{"5: 70 #1", "10: -500 #1", "20: -5 #1"},
		},
		"later than by the other dates": {
			csv(file("read", span(1, 40), movement{day: 6, minor: 70}, later(rent), later(fee))),
			[]string{"6: 70 #1", "10: -500 #1", "11: -500 #1", "20: -5 #1", "21: -5 #1"},
		},
		"at the wrong end": {
			csv(file("read", span(1, 40), later(rent), later(fee), movement{day: 30, minor: 70})),
			[]string{"10: -500 #1", "11: -500 #1", "20: -5 #1", "21: -5 #1", "30: 70 #1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			merged, _ := bookrules.Merge(nil, []bookrules.Content{month, test.other}, nil)

			if got := lines(merged); !slices.Equal(got, test.want) {
				t.Errorf("the books have %q, want %q", got, test.want)
			}
		})
	}
}
