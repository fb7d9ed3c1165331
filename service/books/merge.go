package books

import (
	"cmp"
	"iter"
	"slices"
)

// Merged is a line of an account's books: one movement of money, however many statements list
// it.
type Merged struct {
	Day     Day
	Minor   int64
	Ordinal int // from 1, among the lines of equal day and amount
	// Line is the key of the stored line with the best text: that of the richest making, then
	// that of the content that reaches furthest.
	Line int64
}

// Doubt is a day on which one content ends and another begins, with equal lines in both. They
// are taken for the same lines unless a person says that they are different ones.
type Doubt struct {
	Day           Day
	Minor         int64
	Before, After int // number of equal lines in the earlier and in the later content
}

// Decision names the day and amount of a Doubt whose lines a person declared to be different.
type Decision struct {
	Day   Day
	Minor int64
}

// Merge returns an account's books in the order of days and amounts: the lines of all its
// contents, each once.
//
// A line is known by its day and amount: of equal lines, the books have as many as the content
// with the most of them. Text and ids only tell equal lines apart.
func Merge(contents []Content, different []Decision) ([]Merged, []Doubt) {
	contents = slices.Clone(contents)
	slices.SortFunc(contents, func(a, b Content) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Making, b.Making),
			cmp.Compare(b.lastDay(), a.lastDay()), cmp.Compare(a.Key, b.Key))
	})
	align(contents)
	m := merger{contents: contents, different: different}
	var merged []Merged
	for ordinal, e := range m.lines() {
		merged = append(merged, Merged{Day: e.Day, Minor: e.Minor, Ordinal: ordinal, Line: e.Line})
	}
	return merged, m.doubts
}

// merger counts the lines of each day and amount.
type merger struct {
	contents  []Content // the best texts first
	different []Decision
	doubts    []Doubt
}

// listed is an entry with the index of the content that lists it.
type listed struct {
	Entry
	content int
}

// lines returns the lines of all contents, each once, group by group of equal day and amount.
func (m *merger) lines() iter.Seq2[int, Entry] {
	return func(yield func(ordinal int, e Entry) bool) {
		for all := list(m.contents); len(all) > 0; {
			n := 1
			for n < len(all) && all[n].Day == all[0].Day && all[n].Minor == all[0].Minor {
				n++
			}
			for i, e := range m.distinct(all[:n]) {
				if !yield(i+1, e.Entry) {
					return
				}
			}
			all = all[n:]
		}
	}
}

// list returns the entries of all contents by day, amount, content and place.
func list(contents []Content) []listed {
	total := 0
	for i := range contents {
		total += len(contents[i].Entries)
	}
	all := make([]listed, 0, total)
	for i := range contents {
		for _, e := range contents[i].Entries {
			all = append(all, listed{e, i})
		}
	}
	slices.SortFunc(all, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Minor, b.Minor),
			cmp.Compare(a.content, b.content), cmp.Compare(a.Line, b.Line))
	})
	return all
}

// distinct returns the lines that a group of entries with equal day and amount stands for.
func (m *merger) distinct(group []listed) []listed {
	before, after := m.split(group)
	earlier, later := longest(before), longest(after)
	if len(earlier) == 0 || len(later) == 0 {
		return longest(group)
	}
	repeated, known := repeatedLines(&m.contents[earlier[0].content], &m.contents[later[0].content], earlier, later)
	day, minor := group[0].Day, group[0].Minor
	switch {
	case known:
	case slices.Contains(m.different, Decision{day, minor}):
		repeated = nil
	default:
		m.doubts = append(m.doubts, Doubt{day, minor, len(earlier), len(later)})
		return longest(group)
	}
	lines := slices.Clone(earlier)
	for _, e := range later {
		if !slices.Contains(repeated, e.Line) {
			lines = append(lines, e)
		}
	}
	return lines
}

// longest returns the entries of the content that has the most of them, of the first such
// content if there are several.
func longest(group []listed) []listed {
	var best []listed
	for len(group) > 0 {
		n := 1
		for n < len(group) && group[n].content == group[0].content {
			n++
		}
		if n > len(best) {
			best = group[:n]
		}
		group = group[n:]
	}
	return best
}

// split separates the entries of contents that end on the group's day from those of contents
// that begin on it. It returns none if one content reaches over both ends of the day, because
// that content has all its lines.
func (m *merger) split(group []listed) (before, after []listed) {
	for _, e := range group {
		span, covered := spanOf(m.contents[e.content].Covered, e.Day)
		switch {
		case !covered || span.First < e.Day && e.Day < span.Last:
			return nil, nil
		case span.First < e.Day:
			before = append(before, e)
		case span.Last > e.Day:
			after = append(after, e)
		case m.follows(group, e):
			after = append(after, e)
		default:
			before = append(before, e)
		}
	}
	return before, after
}

// follows reports whether the content of e, which covers a single day, begins with the closing
// balance of another content of the group.
func (m *merger) follows(group []listed, e listed) bool {
	c := &m.contents[e.content]
	for _, other := range group {
		if other.content != e.content {
			if _, apart := partedBy(&m.contents[other.content], c, e.Day); apart {
				return true
			}
		}
	}
	return false
}

// repeatedLines returns which entries of the later content are lines of the earlier one too.
// Both contents have the entries' day in common; balances decide, then the bank's ids. Without
// either it is not known.
func repeatedLines(a, b *Content, earlier, later []listed) (lines []int64, known bool) {
	day := earlier[0].Day
	if decided, apart := partedBy(a, b, day); decided {
		if apart {
			return nil, true
		}
		for i := range min(len(earlier), len(later)) {
			lines = append(lines, later[i].Line)
		}
		return lines, true
	}
	if !sameIDs(a.on(day), b.on(day)) {
		return nil, false
	}
	for _, e := range later {
		if slices.ContainsFunc(earlier, func(o listed) bool { return o.ID == e.ID }) {
			lines = append(lines, e.Line)
		}
	}
	return lines, true
}

// partedBy decides by balances whether content b begins within a day where content a ends
// (apart), or repeats the lines of that day. It is not decided without balances, or if both
// fit.
func partedBy(a, b *Content, day Day) (decided, apart bool) {
	closing, hasClosing := a.closing(day)
	opening, hasOpening := b.opening(day)
	if !hasClosing || !hasOpening {
		return false, false
	}
	morning := closing
	for _, e := range a.on(day) {
		morning -= e.Minor
	}
	if morning == closing || opening != closing && opening != morning {
		return false, false
	}
	return true, opening == closing
}

// closing returns the balance after the content's last line, if that is on the day.
func (c *Content) closing(day Day) (int64, bool) {
	for i := len(c.Balances) - 1; i >= 0; i-- {
		if b := c.Balances[i]; b.Day == day && !b.Opening {
			return b.Minor, true
		}
	}
	return 0, false
}

// opening returns the balance before the content's first line, if that is on the day. Banks
// date it by that day or by the day before.
func (c *Content) opening(day Day) (int64, bool) {
	for _, b := range c.Balances {
		if b.Opening && (b.Day == day || b.Day == day-1) {
			return b.Minor, true
		}
	}
	return 0, false
}

// sameIDs reports whether the ids of two lists of lines come from one numbering: at least one
// line has the same day, amount and id in both, and no id stands for different amounts.
func sameIDs(a, b []Entry) bool {
	byID := make(map[uint64]Entry, len(a))
	for _, e := range a {
		byID[e.ID] = e
	}
	shared := false
	for _, e := range b {
		other, found := byID[e.ID]
		if e.ID == 0 || !found {
			continue
		}
		if other.Minor != e.Minor {
			return false
		}
		shared = shared || other.Day == e.Day
	}
	return shared
}
