package bookrules_test

import (
	"slices"
	"testing"

	"tarmac/service/bookrules"
)

func TestALineThatTheBankCorrectsHasTheLaterAmount(t *testing.T) {
	month := span(1, 30)
	m := func(day bookrules.Day, minor int64, id uint64) movement {
		return movement{day: day, minor: minor, id: id}
	}
	imported := func(at int64, c bookrules.Content) bookrules.Content { c.Imported = at; return c }
	for name, test := range map[string]struct {
		older, newer bookrules.Content
		want         []string
	}{
		"another amount": {
			imported(1, file("a", month, m(5, -100, 1), m(9, -49, 2))),
			imported(2, file("b", month, m(5, -120, 1), m(9, -49, 2))),
			[]string{"5: -120 #1", "9: -49 #1"},
		},
		"the file of the later days counts, whenever it was imported": {
			imported(2, file("a", month, m(5, -100, 1), m(9, -49, 2))),
			imported(1, file("b", span(3, 40), m(5, -120, 1), m(9, -49, 2))),
			[]string{"5: -120 #1", "9: -49 #1"},
		},
		"an old balance that counted the old amount": {
			imported(1, balances(file("a", month, m(5, -100, 1), m(9, -49, 2)), 1000, 851)),
			imported(2, balances(file("b", month, m(5, -120, 1), m(9, -49, 2)), 1000, 831)),
			[]string{"5: -120 #1", "9: -49 #1"},
		},
		"ids that count the lines of a day": {
			imported(1, file("a", month, m(5, -100, 50), m(5, -49, 51))),
			imported(2, file("b", month, m(5, -20, 50), m(5, -100, 51), m(5, -49, 52))),
			[]string{"5: -100 #1", "5: -49 #1", "5: -20 #1"},
		},
		"ids that start anew": {
			imported(1, file("a", month, m(5, -100, 1), m(9, -49, 2))),
			imported(2, file("b", month, m(5, -120, 1), m(9, -50, 2))),
			[]string{"5: -120 #1", "5: -100 #1", "9: -50 #1", "9: -49 #1"},
		},
		"another day": {
			imported(1, file("a", month, m(5, -100, 1), m(9, -49, 2))),
			imported(2, file("b", month, m(6, -120, 1), m(9, -49, 2))),
			[]string{"5: -100 #1", "6: -120 #1", "9: -49 #1"},
		},
		"another layout": {
			imported(1, file("a", month, m(5, -100, 1), m(9, -49, 2))),
			imported(2, csv(file("b", month, m(5, -120, 1), m(9, -49, 2)))),
			[]string{"5: -120 #1", "5: -100 #1", "9: -49 #1"},
		},
		"no ids": {
			imported(1, file("a", month, m(5, -100, 0), m(9, -49, 0))),
			imported(2, file("b", month, m(5, -120, 0), m(9, -49, 0))),
			[]string{"5: -120 #1", "5: -100 #1", "9: -49 #1"},
		},
	} {
		contents := []bookrules.Content{test.older, test.newer}
		for range 2 {
			corrected := bookrules.Correct(contents)
			merged, _ := bookrules.Merge(nil, corrected, nil)
			proof := bookrules.Prove(merged, corrected)

			if got := lines(merged); !slices.Equal(got, test.want) {
				t.Errorf("%s: the books have %q, want %q", name, got, test.want)
			}
			if _, contradiction := proof.Residual(); contradiction {
				t.Errorf("%s: the books do not add up: %+v", name, proof.Gaps)
			}
			slices.Reverse(contents)
		}
		if older := test.older.Entries[0].Minor; older == -120 {
			t.Errorf("%s: the argument has changed", name)
		}
	}
}

// A file by value dates has a tenth of its lines more or less than one by booking dates.
func TestFilesOfOtherDatesThatNearlyAgreeAreOfTheSameLines(t *testing.T) {
	var booked, valued []movement
	for n := range 20 {
		m := movement{day: bookrules.Day(3 + 4*n), minor: int64(-100 - 7*n)}
		booked = append(booked, m)
		m.day += bookrules.Day(1 + n%2)
		valued = append(valued, m)
	}
	month := span(1, 90)
	extra := movement{day: 50, minor: 999}
	sum := func(all []movement) (minor int64) {
		for _, m := range all {
			minor += m.minor
		}
		return minor
	}
	for name, test := range map[string]struct {
		a, b []movement
		want int
	}{
		"all":               {booked, valued, 20},
		"one is missing":    {booked, valued[:19], 20},
		"one more":          {booked, append(slices.Clone(valued), extra), 21},
		"one in each":       {booked[1:], valued[:19], 20},
		"a tenth":           {booked, valued[:18], 20},
		"more than a tenth": {booked, valued[:16], 36},
		"a few lines":       {booked[:5], valued[:4], 9},
	} {
		a, b := file("a", month, test.a...), csv(file("b", month, test.b...))
		for _, contents := range [][]bookrules.Content{{a, b}, {b, a}} {
			merged, _ := bookrules.Merge(nil, contents, nil)
			if len(merged) != test.want {
				t.Errorf("%s: %d lines, want %d", name, len(merged), test.want)
			}
		}
	}

	// The balances say that all lines are different ones.
	total := sum(booked) + sum(valued[:19])
	a, b := file("a", month, booked...), balances(csv(file("b", month, valued[:19]...)), 0, total)
	if merged, _ := bookrules.Merge(nil, []bookrules.Content{a, b}, nil); len(merged) != 39 {
		t.Errorf("against the balances: %d lines", len(merged))
	}
}

func TestEqualLinesOfEachDayAreNewWhereTheOtherFileEnds(t *testing.T) {
	daily := func(first, last bookrules.Day) (all []movement) {
		for day := first; day <= last; day++ {
			all = append(all, movement{day: day, minor: -5000})
		}
		return all
	}
	a := file("a", span(1, 10), daily(1, 10)...)
	for name, b := range map[string]bookrules.Content{
		"one layout":     file("b", span(6, 15), daily(6, 15)...),
		"another layout": csv(file("b", span(6, 15), daily(6, 15)...)),
	} {
		for _, contents := range [][]bookrules.Content{{a, b}, {b, a}} {
			if merged, doubts := bookrules.Merge(nil, contents, nil); len(merged) != 15 || len(doubts) > 0 {
				t.Errorf("%s: %d lines, doubts %v", name, len(merged), doubts)
			}
		}
	}
}

// Half of the lines of a file by value dates are those of another file, the others are not: only a
// person or balances know whether they are the same.
func TestLinesByOtherDatesOfWhichHalfPairAreADoubt(t *testing.T) {
	month := span(1, 30)
	var booked, valued []movement
	for n := range bookrules.Day(10) {
		booked = append(booked, movement{day: 3 + 2*n, minor: -1000 - int64(n)})
		valued = append(valued, movement{day: 4 + 2*n, minor: -1000 - int64(n)})
	}
	for n := range 4 {
		valued[n].minor -= 500
	}
	total := func(movements []movement) (sum int64) {
		for _, m := range movements {
			sum += m.minor
		}
		return sum
	}
	a, b := file("a", month, booked...), csv(file("b", month, valued...))
	asked := []bookrules.Doubt{{Day: 12, Minor: -1004, Other: 11, Before: 6, After: 10, Making: "csv"}}
	for name, c := range map[string]struct {
		contents []bookrules.Content
		decided  []bookrules.Decision
		lines    int
		doubts   []bookrules.Doubt
	}{
		"unknown":  {[]bookrules.Content{a, b}, nil, 20, asked},
		"the same": {[]bookrules.Content{a, b}, []bookrules.Decision{{Making: "csv"}}, 14, nil},
		"balances say the same": {
			[]bookrules.Content{balances(a, 0, total(booked)+total(valued[:4])), b}, nil, 14, nil,
		},
		"balances say different": {
			[]bookrules.Content{balances(a, 0, total(booked)+total(valued)), b}, nil, 20, nil,
		},
		"one layout": {[]bookrules.Content{a, file("c", month, valued...)}, nil, 20, nil},
		"fewer than half": {
			[]bookrules.Content{a, csv(file("b", month, append(valued[:8:8], movement{day: 20, minor: -1})...))}, nil, 19, nil,
		},
	} {
		merged, doubts := bookrules.Merge(nil, c.contents, c.decided)
		if len(merged) != c.lines || !slices.Equal(doubts, c.doubts) {
			t.Errorf("%s: %d lines, doubts %+v; want %d, %+v", name, len(merged), doubts, c.lines, c.doubts)
		}
	}
}
