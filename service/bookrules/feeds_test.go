package bookrules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// read returns a booked line of a reading.
func read(date string, minor int64, id string) bookrules.Line {
	d, err := civil.Parse(date)
	if err != nil {
		panic(err)
	}
	return bookrules.Line{Line: bank.Line{Booked: d, Minor: minor, ID: id, Description: "Line " + id}}
}

func TestALineIsRemovedOnlyIfTheReadingHasNothingLikeIt(t *testing.T) {
	before := []bookrules.Line{
		read("2026-11-02", -100, "a"), read("2026-11-02", -100, "b"), read("2026-11-03", 500, "c"),
		read("2026-11-04", 700, "d"),
	}
	for name, c := range map[string]struct {
		after []bookrules.Line
		want  int
	}{
		"the same": {before, 0},
		"other ids": {
			[]bookrules.Line{read("2026-11-02", -100, "x"), read("2026-11-02", -100, "y"), before[2], before[3]}, 0,
		},
		"one of two is gone":  {before[1:], 1},
		"another amount":      {[]bookrules.Line{before[0], before[1], read("2026-11-03", 501, "c"), before[3]}, 0},
		"another day":         {[]bookrules.Line{before[0], before[1], before[2], read("2026-11-09", 700, "x")}, 0},
		"a day too far":       {[]bookrules.Line{before[0], before[1], before[2], read("2026-11-10", 700, "x")}, 1},
		"nothing":             {nil, 4},
		"the id goes further": {[]bookrules.Line{before[0], before[1], before[2], read("2026-11-30", 700, "d")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := bookrules.Removed(before, c.after); got != c.want {
				t.Errorf("%d are removed, want %d", got, c.want)
			}
		})
	}
}

func TestManyRemovedLinesAreMoreThanTenAndATenth(t *testing.T) {
	for _, c := range []struct {
		removed, booked int
		want            bool
	}{{10, 10, false}, {11, 11, true}, {11, 109, true}, {11, 110, false}, {12, 110, true}, {0, 0, false}} {
		if got := bookrules.ManyRemoved(c.removed, c.booked); got != c.want {
			t.Errorf("%d of %d: %t", c.removed, c.booked, got)
		}
	}
}

func TestOnlyDaysWithOtherLinesChange(t *testing.T) {
	lines := func(all ...bookrules.Line) bookrules.DayLines {
		var plain []bank.Line
		for _, l := range all {
			plain = append(plain, l.Line)
		}
		return bookrules.LinesByDay(plain)
	}
	first, second := read("2026-11-02", -100, "a"), read("2026-11-05", 500, "b")
	sameDay := read("2026-11-05", 600, "c")
	other := second
	other.Description = "Another"
	third := bookrules.DayOf(civil.New(2026, 11, 5))

	for name, after := range map[string]bookrules.DayLines{
		"another text": lines(first, other), "a line more": lines(first, second, sameDay), "a line less": lines(first),
	} {
		if got := bookrules.ChangedDays(lines(first, second), after); !slices.Equal(got, []bookrules.Day{third}) {
			t.Errorf("%s: %v changed", name, got)
		}
	}
	if got := bookrules.ChangedDays(lines(first, second), lines(first, second)); len(got) > 0 {
		t.Errorf("the same: %v changed", got)
	}
}

// A reading of the same account with lines in other places never has removed lines, whatever lines
// it adds; and as many are removed as are taken away, if no two have one amount.
func TestAsManyLinesAreRemovedAsAreTakenAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.SliceOfN(rapid.IntRange(0, 40), 0, 40).Draw(t, "days")
		var before []bookrules.Line
		for n, day := range days {
			before = append(before, read(civil.New(2026, 10, 1).AddDays(day).String(), int64(100+n), ""))
		}
		gone := rapid.IntRange(0, len(before)).Draw(t, "gone")
		after := slices.Clone(before[gone:])
		for n := range rapid.IntRange(0, 5).Draw(t, "new") {
			after = append(after, read("2026-10-20", int64(10_000+n), ""))
		}
		if len(after) > 1 {
			after = rapid.Permutation(after).Draw(t, "order")
		}

		if got := bookrules.Removed(before, after); got != gone {
			t.Fatalf("%d are removed, want %d", got, gone)
		}
	})
}

func TestEarlierBalancesFollowLinesThatAreListedLater(t *testing.T) {
	day := func(text string) bookrules.Day { return bookrules.DayOf(read(text, 0, "").Booked) }
	balance := func(date string, minor int64) bookrules.FeedBalance {
		return bookrules.FeedBalance{Day: day(date), Minor: minor}
	}
	covered := []bookrules.Span{{First: day("2026-11-01"), Last: day("2026-11-22")}}
	after := []bookrules.Line{read("2026-11-02", 100, "a"), read("2026-11-10", 30, "late"), read("2026-11-20", 7, "b")}
	change := bookrules.FeedChange{
		CoveredBefore: covered, Covered: covered, Before: slices.Delete(slices.Clone(after), 1, 2), After: after,
	}
	present := balance("2026-11-22", 137)
	for name, c := range map[string]struct {
		date         string
		before, want int64 // want is 0 if the balance is left out
	}{
		"before the line":            {"2026-11-05", 100, 100},
		"without the line":           {"2026-11-15", 100, 130},
		"with the line":              {"2026-11-15", 130, 130},
		"neither":                    {"2026-11-15", 120, 0},
		"of the present day":         {"2026-11-22", 107, 0},
		"wrong, but before the line": {"2026-11-05", 99, 99},
		"of days not covered":        {"2026-10-30", 5, 5},
	} {
		t.Run(name, func(t *testing.T) {
			got := bookrules.EarlierBalances([]bookrules.FeedBalance{balance(c.date, c.before)}, present, change)

			if c.want == 0 && len(got) > 0 ||
				c.want > 0 && (len(got) != 1 || got[0].Minor != c.want) {
				t.Errorf("balances are %v, want %d", got, c.want)
			}
		})
	}
}

func TestABalanceOfAConnectionThatItsNeighboursContradictIsNoEvidence(t *testing.T) {
	opening := bookrules.Balance{Day: 100, Minor: 1000, Opening: true}
	entries := []bookrules.Entry{{Line: 1, Day: 103, Minor: -50}}
	contents := func(read ...bookrules.Balance) []bookrules.Content {
		return []bookrules.Content{
			{Key: "a", Covered: []bookrules.Span{{First: 100, Last: 101}}, Balances: []bookrules.Balance{opening}},
			{Key: "b", Covered: []bookrules.Span{{First: 102, Last: 110}}, Balances: read, Entries: entries},
		}
	}
	wrong := bookrules.Balance{Day: 105, Minor: 1000, Read: true}
	newest := bookrules.Balance{Day: 110, Minor: 950, Read: true}
	merged := []bookrules.Merged{{Day: 103, Minor: -50, Ordinal: 1, Line: 1}}

	between := bookrules.Prove(merged, contents(wrong, newest))
	last := bookrules.Prove(merged, contents(wrong))

	if len(between.Gaps) > 0 {
		t.Errorf("with a newer balance there are gaps: %+v", between.Gaps)
	}
	if residual, contradiction := last.Residual(); residual != 50 || !contradiction {
		t.Errorf("without a newer balance there is no gap: %+v", last)
	}
}
