package bookrules_test

import (
	"cmp"
	"slices"
	"sync/atomic"

	"tarmac/service/bookrules"
)

var lastLine atomic.Int64

// nextLine returns the key of a new stored line.
func nextLine() int64 { return lastLine.Add(1) }

func sortEntries(entries []bookrules.Entry) {
	slices.SortFunc(entries, func(a, b bookrules.Entry) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.Line, b.Line))
	})
}
