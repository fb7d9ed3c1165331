package mark_test

import (
	"fmt"
	"testing"

	"tarmac/views/parts/mark"
)

// A mark stands once where all figures of a table, column or row lack something.
func TestMarksAreAsFewAsPossible(t *testing.T) {
	const n, w, l = mark.None, mark.Whole, mark.Lacking
	for name, c := range map[string]struct {
		rows [][]mark.State
		want string
	}{
		"nothing":    {[][]mark.State{{w, n}, {w, w}}, "title false, columns [false false], rows [false false], cells 0"},
		"everything": {[][]mark.State{{l, n}, {l, l}}, "title true, columns [false false], rows [false false], cells 0"},
		"a column":   {[][]mark.State{{w, l}, {w, l}}, "title false, columns [false true], rows [false false], cells 0"},
		"a row":      {[][]mark.State{{l, l}, {w, w}}, "title false, columns [false false], rows [true false], cells 0"},
		"a column and a row": {[][]mark.State{{l, l, l}, {w, w, l}},
			"title false, columns [false false true], rows [true false], cells 0"},
		"a figure": {[][]mark.State{{l, w}, {w, w}}, "title false, columns [false false], rows [false false], cells 1"},
		"alone":    {[][]mark.State{{l}}, "title false, columns [false], rows [false], cells 1"},
		"no rows":  {nil, "title false, columns [], rows [], cells 0"},
	} {
		p, cells := mark.Place(c.rows), 0
		for i, r := range c.rows {
			for j := range r {
				if p.Cell(i, j) {
					cells++
				}
			}
		}
		if got := fmt.Sprintf("title %v, columns %v, rows %v, cells %d", p.Title, p.Columns, p.Rows, cells); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestASentenceHasOneMark(t *testing.T) {
	for text, want := range map[string]string{
		"~14.1 months of cash: $4.30M ÷ ~$303.6k net burn.": "14.1 months ° of cash: $4.30M ÷ $303.6k net burn.",
		"Customers owe ≥$309.5k, of which ≥$95.1k is late.": "Customers owe $309.5k °, of which $95.1k is late.",
		"Is that so? 3 months.":                             "Is that so? 3 months.",
	} {
		if got := mark.Sentence(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
