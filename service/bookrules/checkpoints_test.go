package bookrules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/bookrules"
)

func running(contents ...bookrules.Content) bookrules.Running {
	merged, _ := bookrules.Merge(nil, contents, nil)
	return bookrules.RunningBalance(merged, contents)
}

func TestRunningBalance(t *testing.T) {
	rent, fee := movement{day: 10, minor: -500}, movement{day: 12, minor: -5}
	closing := func(c bookrules.Content, day bookrules.Day, minor int64) bookrules.Content {
		c.Balances = append(c.Balances, bookrules.Balance{Day: day, Minor: minor})
		return c
	}
	type checkpoints = []bookrules.Checkpoint
	for name, test := range map[string]struct {
		contents []bookrules.Content
		opening  int64
		want     checkpoints
	}{
		"opening and closing": {
			[]bookrules.Content{balances(file("a", span(2, 30), rent, fee), 1000, 495)}, 1000,
			checkpoints{{1, 1000, 0, true}, {30, 495, 0, true}},
		},
		"a closing balance alone": {
			[]bookrules.Content{closing(file("a", span(2, 30), rent, fee), 30, 495)}, 1000, checkpoints{{30, 495, 0, true}},
		},
		"lines after the last balance": {
			[]bookrules.Content{closing(file("a", span(2, 30), rent, fee), 11, 500)}, 1000,
			checkpoints{{11, 500, 0, true}, {30, 495, 0, true}},
		},
		"a lost line": {
			[]bookrules.Content{balances(file("a", span(2, 30), rent), 1000, 495)}, 1000,
			checkpoints{{1, 1000, 0, true}, {30, 495, -5, true}},
		},
		"days without a statement": {
			[]bookrules.Content{
				balances(file("a", span(2, 5)), 1000, 1000), balances(file("b", span(12, 30), fee), 500, 495),
			}, 1000,
			checkpoints{{1, 1000, 0, true}, {5, 1000, 0, true}, {11, 500, -500, false}, {30, 495, 0, true}},
		},
		"a balance within a day": {
			[]bookrules.Content{
				closing(file("a", span(2, 12), rent), 12, 500), closing(file("b", span(12, 30), fee), 30, 495),
			}, 1000,
			checkpoints{{30, 495, 0, true}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := running(test.contents...)

			if !got.Known || got.Opening != test.opening || !slices.Equal(got.Checkpoints, test.want) {
				t.Errorf("the balance runs %+v, want %d, %+v", got, test.opening, test.want)
			}
		})
	}
	if got := running(file("a", span(1, 30), rent)); got.Known || got.Opening != 0 || got.Checkpoints != nil {
		t.Errorf("without a balance it runs %+v", got)
	}
}

// For any statements, the running balance equals each checkpoint at its day.
func TestAnyCheckpointFollowsFromTheLinesAndWhatIsMissing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		year := drawYear(t)
		var contents []bookrules.Content
		for first := bookrules.Day(2); first <= 60; {
			last := min(60, first+bookrules.Day(rapid.IntRange(0, 20).Draw(t, "days")))
			part := cut(year, span(first, last))
			for _, opening := range [...]bool{true, false} {
				day := map[bool]bookrules.Day{true: first, false: last}[opening]
				if rapid.Bool().Draw(t, "has a balance") {
					minor := rapid.Int64Range(-2, 2).Draw(t, "balance")
					part.Balances = append(part.Balances, bookrules.Balance{Day: day, Minor: minor, Opening: opening})
				}
			}
			contents = append(contents, part)
			first = last + bookrules.Day(rapid.IntRange(0, 9).Draw(t, "gap"))
			first = max(first, part.Covered[0].First+1)
		}
		merged, _ := bookrules.Merge(nil, contents, nil)

		got := bookrules.RunningBalance(merged, contents)

		balance, line, day := got.Opening, 0, bookrules.Day(0)
		for _, c := range got.Checkpoints {
			if c.Day <= day {
				t.Fatalf("checkpoints are not in order: %+v", got.Checkpoints)
			}
			day = c.Day
			for ; line < len(merged) && merged[line].Day <= c.Day; line++ {
				balance += merged[line].Minor
			}
			if balance += c.Missing; balance != c.Minor {
				t.Fatalf("the balance of %+v is %d", c, balance)
			}
		}
	})
}
