package bookrules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/bookrules"
)

// prove merges contents and checks their balances.
func prove(contents ...bookrules.Content) bookrules.Proof {
	merged, _ := bookrules.Merge(nil, contents, nil)
	return bookrules.Prove(merged, contents)
}

func TestProve(t *testing.T) {
	rent, fee := movement{day: 10, minor: -500}, movement{day: 12, minor: -5}
	ledgerBalance := func(c bookrules.Content, day bookrules.Day, minor int64) bookrules.Content {
		c.Balances = append(c.Balances, bookrules.Balance{Day: day, Minor: minor})
		return c
	}
	for name, test := range map[string]struct {
		contents []bookrules.Content
		residual int64
		gaps     int
		proven   []bookrules.Span
	}{
		"opening, lines and closing": {
			contents: []bookrules.Content{balances(file("a", span(1, 30), rent, fee), 1000, 495)},
			proven:   []bookrules.Span{span(1, 30)},
		},
		"a lost line": {
			contents: []bookrules.Content{balances(file("a", span(1, 30), rent), 1000, 495)},
			residual: -5, gaps: 1,
		},
		"the next statement continues": {
			contents: []bookrules.Content{
				balances(file("a", span(1, 30), rent, fee), 1000, 495), balances(file("b", span(31, 60)), 495, 495),
			},
			proven: []bookrules.Span{span(1, 60)},
		},
		"the next statement begins with another balance": {
			contents: []bookrules.Content{
				balances(file("a", span(1, 30), rent, fee), 1000, 495), balances(file("b", span(31, 60)), 400, 400),
			},
			residual: -95, gaps: 1, proven: []bookrules.Span{span(1, 60)},
		},
		"closing balances alone": {
			contents: []bookrules.Content{
				ledgerBalance(file("a", span(1, 11), rent), 11, 500), ledgerBalance(file("b", span(12, 30), fee), 30, 495),
			},
			proven: []bookrules.Span{span(11, 30)},
		},
		"a balance that is later than its statement": {
			contents: []bookrules.Content{
				ledgerBalance(file("a", span(1, 9)), 10, 500), ledgerBalance(file("b", span(10, 30), rent, fee), 30, 495),
			},
			proven: []bookrules.Span{span(10, 30)},
		},
		"a balance taken within its day": {
			contents: []bookrules.Content{
				ledgerBalance(file("a", span(1, 12), rent), 12, 500), ledgerBalance(file("b", span(12, 30), fee), 30, 495),
			},
			proven: []bookrules.Span{span(12, 30)},
		},
		"two statements of a day with other lines": {
			contents: []bookrules.Content{
				ledgerBalance(file("a", span(1, 12), rent, fee), 12, 495),
				ledgerBalance(file("b", span(1, 12), rent, movement{day: 12, minor: -7}), 12, 493),
			},
			residual: 2, gaps: 1,
		},
		"a statement of a part of a day, and one of the day": {
			contents: []bookrules.Content{
				ledgerBalance(file("a", span(1, 12), rent, fee), 12, 495),
				ledgerBalance(file("b", span(1, 12), rent, fee, movement{day: 12, minor: -7}), 12, 488),
			},
			proven: []bookrules.Span{span(12, 12)},
		},
		"days without a statement": {
			contents: []bookrules.Content{
				balances(file("a", span(1, 5)), 1000, 1000), balances(file("b", span(12, 30), fee), 500, 495),
			},
			gaps: 1, proven: []bookrules.Span{span(1, 5), span(12, 30)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			proof := prove(test.contents...)

			residual, contradiction := proof.Residual()
			if residual != test.residual || contradiction != (test.residual != 0) || len(proof.Gaps) != test.gaps {
				t.Errorf("residual is %d (%v), gaps are %+v", residual, contradiction, proof.Gaps)
			}
			if !slices.Equal(proof.Proven, test.proven) {
				t.Errorf("proven are %v, want %v", proof.Proven, test.proven)
			}
		})
	}
}

func TestDaysWithoutAStatementAreNamed(t *testing.T) {
	proof := prove(balances(file("a", span(1, 5)), 1000, 1000), balances(file("b", span(12, 30)), 500, 500))

	if len(proof.Gaps) != 1 || !slices.Equal(proof.Gaps[0].Uncovered, []bookrules.Span{span(6, 11)}) {
		t.Errorf("gaps are %+v", proof.Gaps)
	}
}

// Statements of whole days prove all their days, and a line less is a contradiction.
func TestAnyStatementsProveTheirDaysAndALostLineShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		year := slices.DeleteFunc(drawYear(t), func(m movement) bool { return m.minor == 0 })
		var contents []bookrules.Content
		balance := int64(1000)
		for first := bookrules.Day(1); first <= 60; {
			last := min(60, first+bookrules.Day(rapid.IntRange(0, 20).Draw(t, "days")))
			part := cut(year, span(first, last))
			opening := balance
			for _, e := range part.Entries {
				balance += e.Minor
			}
			contents = append(contents, balances(part, opening, balance))
			first = last + 1
		}

		if proof := prove(contents...); len(proof.Gaps) > 0 {
			t.Fatalf("gaps are %+v", proof.Gaps)
		}
		for i := range contents {
			if n := len(contents[i].Entries); n > 0 {
				contents[i].Entries = contents[i].Entries[:n-1]
				proof := prove(contents...)
				if _, contradiction := proof.Residual(); !contradiction {
					t.Fatalf("a lost line of statement %d does not show", i)
				}
				return
			}
		}
	})
}
