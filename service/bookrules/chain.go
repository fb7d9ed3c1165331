package bookrules

import (
	"slices"

	"tarmac/internal/money"
)

// Ends holds the balances of an account before the first and after the last line of a statement
// that covers Span.
type Ends struct {
	Span
	Opening, Closing int64
}

// EndsOf returns the balances at both ends of a statement. Without an opening balance, it follows
// from the closing balance and the lines. EndsOf returns false if the closing balance or the period
// is unknown, if the lines do not make the closing balance, or if a sum overflows.
func EndsOf(s *Statement) (Ends, bool) {
	if s.Closing == nil || s.Covered.First == 0 {
		return Ends{}, false
	}
	before, fits := money.Add(s.Closing.Minor, s.OutflowMinor)
	opening, ok := money.Add(before, -s.InflowMinor)
	if !fits || !ok || s.Opening != nil && s.Opening.Minor != opening {
		return Ends{}, false
	}
	return Ends{s.Covered, opening, s.Closing.Minor}, true
}

// Covered returns the days of which the lines of an account are known, as spans that do not touch:
// the days that the contents cover, and the days between two statements whose balances chain. They
// chain if one of them opens with the balance with which the other closes, so that there are no
// lines in between. Accounts that are emptied again and again have a balance of 0 at many ends,
// which therefore proves nothing.
func Covered(contents []Content) []Span {
	type end struct {
		day   Day
		minor int64
	}
	closings, openings := map[end]bool{}, map[Day][]int64{}
	for i := range contents {
		for _, e := range contents[i].Ends {
			closings[end{e.Last, e.Closing}] = e.Closing != 0
			openings[e.First] = append(openings[e.First], e.Opening)
		}
	}
	spans := coverage(contents)
	chained := spans[:0:0]
	for i, span := range spans {
		if i > 0 && slices.ContainsFunc(openings[span.First], func(minor int64) bool {
			return closings[end{spans[i-1].Last, minor}]
		}) {
			chained[len(chained)-1].Last = span.Last
		} else {
			chained = append(chained, span)
		}
	}
	return chained
}
