package bookrules_test

import (
	"slices"
	"testing"

	"tarmac/service/bookrules"
)

// ends returns the content with balances at both ends of its statement.
func ends(c bookrules.Content, opening, closing int64) bookrules.Content {
	c = balances(c, opening, closing)
	c.Ends = []bookrules.Ends{{Span: c.Covered[0], Opening: opening, Closing: closing}}
	return c
}

func TestDaysBetweenStatementsWhoseBalancesChainAreCovered(t *testing.T) {
	for name, test := range map[string]struct {
		contents []bookrules.Content
		want     []bookrules.Span
	}{
		"a chain": {
			[]bookrules.Content{ends(file("a", span(3, 12)), 900, 500), ends(file("b", span(33, 42)), 500, 100),
				ends(file("c", span(63, 72)), 100, 50)},
			[]bookrules.Span{span(3, 72)},
		},
		"in any order": {
			[]bookrules.Content{ends(file("c", span(63, 72)), 100, 50), ends(file("a", span(3, 12)), 900, 500),
				ends(file("b", span(33, 42)), 500, 100)},
			[]bookrules.Span{span(3, 72)},
		},
		"another balance": {
			[]bookrules.Content{ends(file("a", span(3, 12)), 900, 500), ends(file("b", span(33, 42)), 501, 100)},
			[]bookrules.Span{span(3, 12), span(33, 42)},
		},
		"a balance of an earlier statement": {
			[]bookrules.Content{ends(file("a", span(3, 12)), 900, 500), ends(file("b", span(20, 22)), 500, 400),
				ends(file("c", span(33, 42)), 500, 100)},
			[]bookrules.Span{span(3, 22), span(33, 42)},
		},
		"an empty account": {
			[]bookrules.Content{ends(file("a", span(3, 12)), 900, 0), ends(file("b", span(33, 42)), 0, 0)},
			[]bookrules.Span{span(3, 12), span(33, 42)},
		},
		"unknown balances": {
			[]bookrules.Content{file("a", span(3, 12)), file("b", span(33, 42))}, []bookrules.Span{span(3, 12), span(33, 42)},
		},
	} {
		if got := bookrules.Covered(test.contents); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestDaysBetweenChainedStatementsAreProven(t *testing.T) {
	fee := movement{day: 40, minor: -5}

	proof := prove(ends(file("a", span(1, 12)), 500, 500), ends(file("b", span(33, 42), fee), 500, 495))

	if want := []bookrules.Span{span(1, 42)}; !slices.Equal(proof.Proven, want) || len(proof.Gaps) > 0 {
		t.Errorf("proven %v, gaps %v", proof.Proven, proof.Gaps)
	}
}

func TestTheOpeningBalanceFollowsFromTheLines(t *testing.T) {
	statement := bookrules.Statement{
		Covered: span(3, 12), Closing: &bookrules.Balance{Day: 12, Minor: 500}, InflowMinor: 100, OutflowMinor: 30,
	}

	without, known := bookrules.EndsOf(&statement)
	if want := (bookrules.Ends{Span: span(3, 12), Opening: 430, Closing: 500}); without != want || !known {
		t.Errorf("%+v, %v", without, known)
	}

	statement.Opening = &bookrules.Balance{Day: 3, Minor: 400, Opening: true}
	if _, known = bookrules.EndsOf(&statement); known {
		t.Error("a statement that does not add up has ends")
	}
}
