package books_test

import (
	"slices"
	"testing"

	"tarmac/service/books"
)

// ends returns the content with balances at both ends of its statement.
func ends(c books.Content, opening, closing int64) books.Content {
	c = balances(c, opening, closing)
	c.Ends = []books.Ends{{Span: c.Covered[0], Opening: opening, Closing: closing}}
	return c
}

func TestDaysBetweenStatementsWhoseBalancesChainAreCovered(t *testing.T) {
	for name, test := range map[string]struct {
		contents []books.Content
		want     []books.Span
	}{
		"a chain": {
			[]books.Content{ends(file("a", span(3, 12)), 900, 500), ends(file("b", span(33, 42)), 500, 100),
				ends(file("c", span(63, 72)), 100, 50)},
			[]books.Span{span(3, 72)},
		},
		"in any order": {
			[]books.Content{ends(file("c", span(63, 72)), 100, 50), ends(file("a", span(3, 12)), 900, 500),
				ends(file("b", span(33, 42)), 500, 100)},
			[]books.Span{span(3, 72)},
		},
		"another balance": {
			[]books.Content{ends(file("a", span(3, 12)), 900, 500), ends(file("b", span(33, 42)), 501, 100)},
			[]books.Span{span(3, 12), span(33, 42)},
		},
		"a balance of an earlier statement": {
			[]books.Content{ends(file("a", span(3, 12)), 900, 500), ends(file("b", span(20, 22)), 500, 400),
				ends(file("c", span(33, 42)), 500, 100)},
			[]books.Span{span(3, 22), span(33, 42)},
		},
		"an empty account": {
			[]books.Content{ends(file("a", span(3, 12)), 900, 0), ends(file("b", span(33, 42)), 0, 0)},
			[]books.Span{span(3, 12), span(33, 42)},
		},
		"unknown balances": {
			[]books.Content{file("a", span(3, 12)), file("b", span(33, 42))}, []books.Span{span(3, 12), span(33, 42)},
		},
	} {
		if got := books.Covered(test.contents); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestDaysBetweenChainedStatementsAreProven(t *testing.T) {
	fee := movement{day: 40, minor: -5}

	proof := prove(ends(file("a", span(1, 12)), 500, 500), ends(file("b", span(33, 42), fee), 500, 495))

	if want := []books.Span{span(1, 42)}; !slices.Equal(proof.Proven, want) || len(proof.Gaps) > 0 {
		t.Errorf("proven %v, gaps %v", proof.Proven, proof.Gaps)
	}
}

func TestTheOpeningBalanceFollowsFromTheLines(t *testing.T) {
	statement := books.Statement{
		Covered: span(3, 12), Closing: &books.Balance{Day: 12, Minor: 500}, InflowMinor: 100, OutflowMinor: 30,
	}

	without, known := books.EndsOf(&statement)
	if want := (books.Ends{Span: span(3, 12), Opening: 430, Closing: 500}); without != want || !known {
		t.Errorf("%+v, %v", without, known)
	}

	statement.Opening = &books.Balance{Day: 3, Minor: 400, Opening: true}
	if _, known = books.EndsOf(&statement); known {
		t.Error("a statement that does not add up has ends")
	}
}
