package bookrules_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/bookrules"
)

// movement is a line of the bank's own ledger.
type movement struct {
	day   bookrules.Day
	value bookrules.Day
	minor int64
	id    uint64
}

// file returns the content of a statement that lists movements over a period.
func file(name string, period bookrules.Span, movements ...movement) bookrules.Content {
	c := bookrules.Content{Key: name, Making: "ofx", Covered: []bookrules.Span{period}}
	for _, m := range movements {
		line := nextLine()
		c.Entries = append(c.Entries, bookrules.Entry{Line: line, Minor: m.minor, ID: m.id, Day: m.day, Value: m.value})
	}
	sortEntries(c.Entries)
	return c
}

// csv returns the content as a format with fewer texts would have it.
func csv(c bookrules.Content) bookrules.Content {
	c.Making, c.Rank = "csv", 1
	return c
}

func balances(c bookrules.Content, opening, closing int64) bookrules.Content {
	c.Balances = []bookrules.Balance{
		{Day: c.Covered[0].First, Minor: opening, Opening: true},
		{Day: c.Covered[len(c.Covered)-1].Last, Minor: closing},
	}
	return c
}

func span(first, last bookrules.Day) bookrules.Span { return bookrules.Span{First: first, Last: last} }

// lines returns days and amounts of merged lines.
func lines(merged []bookrules.Merged) []string {
	var all []string
	for _, m := range merged {
		all = append(all, fmt.Sprintf("%d: %d #%d", m.Day, m.Minor, m.Ordinal))
	}
	return all
}

func TestMerge(t *testing.T) {
	rent, fee := movement{day: 10, minor: -500, id: 1}, movement{day: 12, minor: -5, id: 2}
	late := movement{day: 11, minor: -70, id: 3}
	again := func(m movement, id uint64) movement { m.id = id; return m }
	on := func(m movement, day bookrules.Day) movement { m.day = day; return m }
	month := span(1, 30)
	for name, test := range map[string]struct {
		contents []bookrules.Content
		want     []string
		doubts   int
	}{
		"the same file twice": {
			contents: []bookrules.Content{file("a", month, rent, fee), file("b", month, rent, fee)},
			want:     []string{"10: -500 #1", "12: -5 #1"},
		},
		"overlapping periods": {
			contents: []bookrules.Content{file("a", span(1, 11), rent), file("b", span(5, 30), rent, fee)},
			want:     []string{"10: -500 #1", "12: -5 #1"},
		},
		"a late line in an old period": {
			contents: []bookrules.Content{file("a", month, rent, fee), file("b", month, rent, late, fee)},
			want:     []string{"10: -500 #1", "11: -70 #1", "12: -5 #1"},
		},
		"equal lines on one day": {
			contents: []bookrules.Content{file("a", month, fee, again(fee, 9)), file("b", month, fee, again(fee, 9))},
			want:     []string{"12: -5 #1", "12: -5 #2"},
		},
		"a third equal line that came later": {
			contents: []bookrules.Content{file("a", month, fee, fee), file("b", month, fee, fee, fee)},
			want:     []string{"12: -5 #1", "12: -5 #2", "12: -5 #3"},
		},
		"ids that restart with each file": {
			contents: []bookrules.Content{file("a", span(1, 11), again(rent, 1)), file("b", span(12, 30), again(fee, 1))},
			want:     []string{"10: -500 #1", "12: -5 #1"},
		},
		"all ids changed": {
			contents: []bookrules.Content{file("a", month, rent, fee), file("b", month, again(rent, 71), again(fee, 72))},
			want:     []string{"10: -500 #1", "12: -5 #1"},
		},
		"another format dates by value": {
			contents: []bookrules.Content{
				file("a", month, rent, fee), csv(file("b", month, on(rent, 12), on(fee, 14))),
			},
			want: []string{"10: -500 #1", "12: -5 #1"},
		},
		"another format dates by value and covers its own lines only": {
			contents: []bookrules.Content{
				file("a", month, rent, fee), csv(file("b", span(11, 13), on(rent, 11), on(fee, 13))),
			},
			want: []string{"10: -500 #1", "12: -5 #1"},
		},
		"an equal line just before the overlap, with no line in it that is shifted": {
			contents: []bookrules.Content{
				file("a", span(1, 30), rent), csv(file("b", span(11, 40), on(rent, 13))),
			},
			want: []string{"10: -500 #1", "13: -500 #1"},
		},
		"another format has a line more: dates decide": {
			contents: []bookrules.Content{
				file("a", month, rent), csv(file("b", month, on(rent, 12), fee)),
			},
			want: []string{"10: -500 #1", "12: -500 #1", "12: -5 #1"},
		},
		"a value date beyond the end of the month": {
			contents: []bookrules.Content{
				file("a", span(1, 30), movement{day: 30, value: 32, minor: 90}), file("b", span(31, 60), on(rent, 40)),
				csv(file("c", span(1, 30))), csv(file("d", span(31, 60), movement{day: 32, minor: 90}, on(rent, 40))),
			},
			want: []string{"30: 90 #1", "40: -500 #1"},
		},
		"a fee and an interest of the same amount, valued on the day of the fee": {
			contents: []bookrules.Content{
				file("september", span(1, 30), movement{day: 30, value: 30, minor: 5}),
				file("october", span(31, 60), movement{day: 32, value: 30, minor: 5}),
			},
			want: []string{"30: 5 #1", "32: 5 #1"},
		},
		"a line that the bank dated anew": {
			contents: []bookrules.Content{
				file("a", span(1, 12), rent, fee), file("b", span(1, 30), rent, on(fee, 13), on(late, 20)),
			},
			want: []string{"10: -500 #1", "13: -5 #1", "20: -70 #1"},
		},
		"equal lines where two files part within a day": {
			contents: []bookrules.Content{file("a", span(1, 12), again(fee, 0)), file("b", span(12, 30), again(fee, 0))},
			want:     []string{"12: -5 #1"},
			doubts:   1,
		},
		"files that part within a day by their balances": {
			contents: []bookrules.Content{
				balances(file("a", span(1, 12), fee), 100, 95), balances(file("b", span(12, 30), fee), 95, 90),
			},
			want: []string{"12: -5 #1", "12: -5 #2"},
		},
		"files that repeat a day by their balances": {
			contents: []bookrules.Content{
				balances(file("a", span(1, 12), fee), 100, 95), balances(file("b", span(12, 30), fee), 100, 95),
			},
			want: []string{"12: -5 #1"},
		},
		"two files of one day by their balances": {
			contents: []bookrules.Content{
				balances(file("a", span(12, 12), fee), 100, 95), balances(file("b", span(12, 12), fee), 95, 90),
			},
			want: []string{"12: -5 #1", "12: -5 #2"},
		},
		"files that part within a day by confirmed ids": {
			contents: []bookrules.Content{
				file("a", span(1, 12), fee, on(late, 12)), file("b", span(12, 30), again(fee, 9), on(late, 12)),
			},
			want: []string{"12: -70 #1", "12: -5 #1", "12: -5 #2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				merged, doubts := bookrules.Merge(nil, test.contents, nil)

				if got := lines(merged); !slices.Equal(got, test.want) {
					t.Errorf("the books have %q, want %q", got, test.want)
				}
				if len(doubts) != test.doubts {
					t.Errorf("doubts are %v", doubts)
				}
				slices.Reverse(test.contents)
			}
		})
	}
}

func TestAPersonSettlesADoubt(t *testing.T) {
	fee := movement{day: 12, minor: -5}
	contents := []bookrules.Content{file("a", span(1, 12), fee), file("b", span(12, 30), fee)}

	merged, doubts := bookrules.Merge(nil, contents, []bookrules.Decision{{Day: 12, Minor: -5}})

	if got := lines(merged); !slices.Equal(got, []string{"12: -5 #1", "12: -5 #2"}) || len(doubts) > 0 {
		t.Errorf("the books have %q, doubts are %v", got, doubts)
	}
}

// The books do not depend on how a year is cut into files, as long as every file has whole days.
func TestAnySplitAtDaysGivesTheSameBooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		year := drawYear(t)
		whole := file("whole", span(1, 60), year...)
		want, _ := bookrules.Merge(nil, []bookrules.Content{whole}, nil)

		contents := []bookrules.Content{}
		for first := bookrules.Day(1); first <= 60; {
			last := min(60, first+bookrules.Day(rapid.IntRange(0, 20).Draw(t, "days")))
			contents = append(contents, cut(year, span(first, last)))
			first = last + 1
		}
		for range rapid.IntRange(0, 4).Draw(t, "overlapping files") {
			first := bookrules.Day(rapid.IntRange(1, 60).Draw(t, "first"))
			last := bookrules.Day(rapid.IntRange(int(first), 60).Draw(t, "last"))
			contents = append(contents, cut(year, span(first, last)))
		}
		for i := range contents {
			if rapid.Bool().Draw(t, "is csv") {
				contents[i] = csv(contents[i])
			}
		}
		contents = rapid.Permutation(contents).Draw(t, "order")
		got, _ := bookrules.Merge(nil, contents, nil)

		if !slices.Equal(lines(got), lines(want)) {
			t.Fatalf("the books have %q, want %q", lines(got), lines(want))
		}
	})
}

// If files begin or end within a day, their balances tell which lines are the same.
func TestAnySplitWithBalancesGivesTheSameBooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		year := slices.DeleteFunc(drawYear(t), func(m movement) bool { return m.minor == 0 })
		for i := range year {
			year[i].minor = max(year[i].minor, -year[i].minor) // days never sum up to nothing
		}
		if len(year) == 0 {
			return
		}
		want, _ := bookrules.Merge(nil, []bookrules.Content{file("whole", span(1, 60), year...)}, nil)

		var contents []bookrules.Content
		balance := int64(1000)
		for rest := year; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "lines")
			opening := balance
			for _, m := range rest[:n] {
				balance += m.minor
			}
			part := file(fmt.Sprint(len(rest)), span(rest[0].day, rest[n-1].day), rest[:n]...)
			contents = append(contents, balances(part, opening, balance))
			rest = rest[n:]
		}
		if slices.ContainsFunc(contents, func(c bookrules.Content) bool { return c.Covered[0].First == c.Covered[0].Last }) {
			return // three files of one day need more than two balances to be told apart
		}
		contents = rapid.Permutation(contents).Draw(t, "order")
		got, _ := bookrules.Merge(nil, contents, nil)

		if !slices.Equal(lines(got), lines(want)) {
			t.Fatalf("the books have %q, want %q", lines(got), lines(want))
		}
	})
}

// drawYear draws movements with many equal ones.
func drawYear(t *rapid.T) []movement {
	year := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) movement {
		return movement{
			day:   bookrules.Day(rapid.IntRange(1, 60).Draw(t, "day")),
			minor: rapid.SampledFrom([]int64{-500, -5, 5, 0, 700}).Draw(t, "amount"),
		}
	}), 0, 60).Draw(t, "year")
	slices.SortStableFunc(year, func(a, b movement) int { return int(a.day - b.day) })
	for i := range year {
		year[i].id = uint64(i + 1)
	}
	return year
}

// cut returns the content of a file with the movements of a period.
func cut(year []movement, period bookrules.Span) bookrules.Content {
	var some []movement
	for _, m := range year {
		if period.Contains(m.day) {
			some = append(some, m)
		}
	}
	return file(fmt.Sprintf("%d to %d", period.First, period.Last), period, some...)
}
