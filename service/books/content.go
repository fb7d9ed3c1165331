// Package books holds the rules of own books: which lines of statements are the same, whether
// balances prove them, which lines are transfers between own accounts, and what transactions,
// balances and receivables follow from them.
//
// All rules are pure functions of everything that was imported: the order of imports, and
// imports that were undone, make no difference.
package books

import (
	"cmp"
	"slices"

	"tarmac/internal/civil"
)

// Day is a number of days since 1 January 1900, which takes a sixth of a civil.Date's memory.
// 0 is no day.
type Day int32

var epoch = civil.New(1900, 1, 1)

// DayOf returns the day of a date, 0 for the zero date.
func DayOf(d civil.Date) Day {
	if d.IsZero() {
		return 0
	}
	return Day(d.DaysSince(epoch))
}

// Date returns the date of a day, the zero date for 0.
func (d Day) Date() civil.Date {
	if d == 0 {
		return civil.Date{}
	}
	return epoch.AddDays(int(d))
}

// Entry is what a statement says about one booked line, as far as the identity of the line
// depends on it.
type Entry struct {
	Line  int64  // key of the stored line of the statement; increases within a content
	Minor int64  // amount in minor units, negative for money out
	ID    uint64 // hash of the bank's id; 0 if there is none
	Day   Day    // booking date
	Value Day    // value date; 0 if the statement has none
}

// Span is a range of days, both inclusive.
type Span struct{ First, Last Day }

// Contains reports whether a day is in the span.
func (s Span) Contains(day Day) bool { return s.First <= day && day <= s.Last }

// Content is what one file says about one account.
type Content struct {
	// Key identifies the content, such as the hash of its file. It breaks ties.
	Key string
	// Making names what made the file: its format, and for CSV its columns too. Files of one
	// making date their lines alike, all by booking or all by value.
	Making string
	// Rank orders makings by how much their texts say, from 0 for the richest.
	Rank int
	// Covered are the days that the statements cover, as Join returns them.
	Covered []Span
	// Balances are the account's balances, ordered by day, opening balances first. Balances
	// after single lines are left out, except the first and the last.
	Balances []Balance
	Entries  []Entry // ordered by day, amount and Line
}

// Balance is the booked balance of an account at the end of a day.
type Balance struct {
	Day     Day
	Minor   int64
	Opening bool // the balance before the first line of its content
}

// Join returns spans in order, with spans that overlap or touch joined to one.
func Join(spans []Span) []Span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.First, b.First) })
	var joined []Span
	for _, s := range spans {
		last := len(joined) - 1
		if last < 0 || s.First > joined[last].Last+1 {
			joined = append(joined, s)
			continue
		}
		joined[last].Last = max(joined[last].Last, s.Last)
	}
	return joined
}

// spanOf returns the span that contains a day, from spans that Join returned.
func spanOf(spans []Span, day Day) (Span, bool) {
	at, found := slices.BinarySearchFunc(spans, day, func(s Span, day Day) int {
		switch {
		case s.Last < day:
			return -1
		case s.First > day:
			return 1
		}
		return 0
	})
	if !found {
		return Span{}, false
	}
	return spans[at], true
}

// covers reports whether a day is in one of the spans.
func covers(spans []Span, day Day) bool {
	_, covered := spanOf(spans, day)
	return covered
}

// intersect returns the days that are in both lists of spans.
func intersect(a, b []Span) []Span {
	var both []Span
	for _, s := range a {
		for _, t := range b {
			if first, last := max(s.First, t.First), min(s.Last, t.Last); first <= last {
				both = append(both, Span{first, last})
			}
		}
	}
	return Join(both)
}

// compareEntries orders entries by day and amount, then as their statement lists them.
func compareEntries(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.Line, b.Line))
}

// lastDay returns the last covered day, 0 if no day is covered.
func (c *Content) lastDay() Day {
	if len(c.Covered) == 0 {
		return 0
	}
	return c.Covered[len(c.Covered)-1].Last
}

// on returns the content's entries of a day.
func (c *Content) on(day Day) []Entry {
	from, _ := slices.BinarySearchFunc(c.Entries, day, func(e Entry, day Day) int { return cmp.Compare(e.Day, day) })
	to := from
	for to < len(c.Entries) && c.Entries[to].Day == day {
		to++
	}
	return c.Entries[from:to]
}
