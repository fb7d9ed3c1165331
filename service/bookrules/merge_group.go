package bookrules

import "slices"

// distinct returns one line for each transaction in a group of lines of the same day and amount.
func (m *merger) distinct(group []listed) []listed {
	if last := len(group) - 1; group[0].content == group[last].content {
		return group // the group is ordered by content
	}
	before, after := m.split(group)
	if len(before) == 0 || len(after) == 0 {
		return longest(group)
	}
	earlier, later := longest(before), m.distinct(after)
	repeated, known := m.repeatedLines(earlier, later)
	day, minor := group[0].Day, group[0].Minor
	switch {
	case known:
	case m.decided[Decision{Day: day, Minor: minor}]:
		repeated = nil
	default:
		m.doubts = append(m.doubts, Doubt{Day: day, Minor: minor, Before: len(earlier), After: len(later)})
		return longest(group)
	}
	lines := slices.Clone(earlier)
	for _, e := range later {
		if !repeated[e.Line] {
			lines = append(lines, e)
		}
	}
	return lines
}

// longest returns the entries of the content that has the most entries in the group. If several
// contents have the same number, it returns the entries of the first.
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

// split separates the entries of contents that end on the group's day from the entries of contents
// that begin on it. Both lists are empty if a content also covers the days before and after,
// because such a content has all transactions of the day.
func (m *merger) split(group []listed) (before, after []listed) {
	following := map[int]bool{} // results of follows by content
	for _, e := range group {
		span, covered := spanOf(m.contents[e.content].Covered, e.Day)
		switch {
		case !covered || span.First < e.Day && e.Day < span.Last:
			return nil, nil
		case span.First < e.Day:
			before = append(before, e)
		case span.Last > e.Day:
			after = append(after, e)
		case m.follows(group, e, following):
			after = append(after, e)
		default:
			before = append(before, e)
		}
	}
	return before, after
}

// follows reports whether the content of e, which covers a single day, continues another content of
// the group: its opening balance is the other's closing balance. known has its results by content.
func (m *merger) follows(group []listed, e listed, known map[int]bool) bool {
	follows, found := known[e.content]
	if found {
		return follows
	}
	last := e.content
	for _, other := range group { // ordered by content
		if other.content != e.content && other.content != last {
			follows = follows || m.opening(contentPair{other.content, e.content, e.Day}).apart
			last = other.content
		}
	}
	known[e.content] = follows
	return follows
}

// repeatedLines returns the entries of later that list the same transactions as entries of earlier,
// by Entry.Line. The content with the earlier entries ends on the entries' day, and the one with
// the later entries begins on it. Balances decide first, then the bank's ids. known is false if
// neither can decide.
func (m *merger) repeatedLines(earlier, later []listed) (lines map[int64]bool, known bool) {
	pair := contentPair{earlier[0].content, later[0].content, earlier[0].Day}
	lines = map[int64]bool{}
	if opening := m.opening(pair); opening.decided {
		if !opening.apart {
			for i := range min(len(earlier), len(later)) {
				lines[later[i].Line] = true
			}
		}
		return lines, true
	}
	if !m.sameIDs(pair) {
		return nil, false
	}
	ids := make(map[uint64]bool, len(earlier))
	for _, e := range earlier {
		ids[e.ID] = true
	}
	for _, e := range later {
		if ids[e.ID] {
			lines[e.Line] = true
		}
	}
	return lines, true
}
