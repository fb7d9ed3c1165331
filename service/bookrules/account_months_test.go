package bookrules_test

import (
	"slices"
	"testing"

	"tarmac/service/bookrules"
)

// Day 30 is 31 January 1900.
func TestTheMonthsOfAnAccountSayWhatIsProven(t *testing.T) {
	rent, sale := movement{day: 10, minor: -500}, movement{day: 35, minor: 70}
	january := bookrules.AccountMonth{First: 0, Last: 30, Covered: 29, Lines: 1, Out: 500}
	february := bookrules.AccountMonth{First: 31, Last: 40, Covered: 10, Lines: 1, In: 70}
	closing := func(m bookrules.AccountMonth, minor int64) bookrules.AccountMonth {
		m.Closing, m.ClosingKnown = minor, true
		return m
	}
	after := february
	after.Covered = 6
	before := january
	before.Covered = 19
	huge := movement{day: 36, minor: 1<<63 - 1}
	for name, test := range map[string]struct {
		contents []bookrules.Content
		want     []bookrules.AccountMonth
	}{
		"adds up": {
			[]bookrules.Content{balances(file("a", span(2, 40), rent, sale), 1000, 570)},
			[]bookrules.AccountMonth{closing(february, 570), closing(january, 500)},
		},
		"a lost line": {
			[]bookrules.Content{balances(file("a", span(2, 40), rent, sale), 1000, 565)},
			[]bookrules.AccountMonth{closing(february, 565), january},
		},
		"days without a statement at the end of a month": {
			[]bookrules.Content{
				balances(file("a", span(2, 20), rent), 1000, 500), balances(file("b", span(35, 40), sale), 600, 670),
			},
			[]bookrules.AccountMonth{closing(after, 670), before},
		},
		"no balance": {
			[]bookrules.Content{file("a", span(2, 40), rent, sale)}, []bookrules.AccountMonth{february, january},
		},
		"sums that do not fit": {
			[]bookrules.Content{file("a", span(31, 40), sale, huge)},
			[]bookrules.AccountMonth{{First: 31, Last: 40, Covered: 10, Lines: 2, Overflows: true}},
		},
		"nothing": {},
	} {
		t.Run(name, func(t *testing.T) {
			merged, _ := bookrules.Merge(nil, test.contents, nil)
			if got := bookrules.AccountMonths(merged, test.contents); !slices.Equal(got, test.want) {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}
