package bookrules

import (
	"cmp"
	"iter"
	"slices"
)

// Merged is a transaction in an account's books. Several statements may list it.
type Merged struct {
	Day     Day
	Note    int32 // Entry.Note of the line
	Minor   int64
	Ordinal int // position among the transactions of equal day and amount, from 1
	// Line is the database key of the statement line whose text is used: the line from the layout
	// with the lowest Rank, and among several such files from the file that covers the latest day.
	Line int64
}

// Doubt says that one imported file ends and another begins within a day, and that both have lines
// of the same amount on it. Merge treats these lines as the same transactions unless the user
// decides that they are different.
//
// With a Making, it says that at least half of the lines of such files have the amount of a line
// that files of other layouts date up to MaxShift days apart, but not nine of ten. Merge treats
// these lines as different transactions unless the user decides that they are the same. Then Day
// and Minor are those of the first such line, Other is the other date, Before is the number of such
// lines and After that of all lines.
type Doubt struct {
	Day           Day
	Minor         int64
	Before, After int // number of lines of this amount in the earlier and in the later file
	Making        string
	Other         Day
}

// Decision names the day and amount of a Doubt whose lines the user declared to be different, or
// the Making of one whose lines the user declared to be the same.
type Decision struct {
	Day    Day
	Minor  int64
	Making string
}

// Merge returns an account's books, ordered by day and amount: the transactions of all its imported
// files, each once.
//
// Lines of equal day and amount in different files are the same transactions. If the files have
// different numbers of such lines, the largest number counts. Texts and bank ids only help to tell
// such lines apart.
//
// decided lists what the user decided about doubts. The other doubts are returned.
func Merge(contents []Content, decided []Decision) ([]Merged, []Doubt) {
	contents = slices.Clone(contents)
	slices.SortFunc(contents, func(a, b Content) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Making, b.Making),
			cmp.Compare(b.LastDay(), a.LastDay()), cmp.Compare(a.Key, b.Key))
	})
	merged, doubts, partly := mergeAligned(contents, decided, true)
	// Lines of files of other dates were paired although some remain. Balances may show that they
	// are different transactions.
	if partly && contradicts(merged, contents) {
		if apart, others, _ := mergeAligned(contents, decided, false); !contradicts(apart, contents) {
			merged, doubts = apart, others
		}
	}
	return settle(merged, doubts, contents, decided)
}

// settle answers doubts about files of other dates by balances that contradict one answer and not
// the other.
func settle(merged []Merged, doubts []Doubt, contents []Content, decided []Decision) ([]Merged, []Doubt) {
	for _, doubt := range doubts {
		if doubt.Making == "" {
			continue
		}
		same, others, _ := mergeAligned(contents, append(slices.Clone(decided), Decision{Making: doubt.Making}), true)
		apart := !contradicts(merged, contents)
		if contradicts(same, contents) == apart {
			if !apart {
				return same, others
			}
			doubts = slices.DeleteFunc(slices.Clone(doubts), func(d Doubt) bool { return d.Making == doubt.Making })
		}
	}
	return merged, doubts
}

// contradicts reports whether the balances of contents contradict lines.
func contradicts(merged []Merged, contents []Content) bool {
	proof := Prove(merged, contents)
	_, contradiction := proof.Residual()
	return contradiction
}

// mergeAligned merges contents after aligning their dates. It returns the result of align.
func mergeAligned(contents []Content, decided []Decision, nearly bool) (
	merged []Merged, doubts []Doubt, partly bool,
) {
	m := merger{contents: slices.Clone(contents), decided: decided}
	partly, m.doubts = align(m.contents, nearly, decided)
	total := 0
	for i := range contents {
		total += len(contents[i].Entries)
	}
	merged = make([]Merged, 0, total)
	for ordinal, e := range m.lines() {
		merged = append(merged, Merged{Day: e.Day, Note: e.Note, Minor: e.Minor, Ordinal: ordinal, Line: e.Line})
	}
	return merged, m.doubts, partly
}

// merger merges the lines of an account's imported files, one group of equal day and amount at a
// time.
type merger struct {
	contents []Content // ordered by rank, so that the file with the best texts is first
	decided  []Decision
	doubts   []Doubt
}

// listed is an entry with the index of its content in merger.contents.
type listed struct {
	Entry
	content int
}

// lines returns the transactions of all contents, each once, ordered by day and amount. The first
// value is the ordinal among transactions of equal day and amount, from 1.
func (m *merger) lines() iter.Seq2[int, Entry] {
	if order, disjoint := m.disjoint(); disjoint {
		return m.linesOf(order)
	}
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

// disjoint returns the indexes of the contents that have entries, ordered by their days. It returns
// false if the entries of two contents are of the same days, so that they may be the same
// transactions.
func (m *merger) disjoint() (order []int, ok bool) {
	order = byFirstDay(m.contents)
	last := Day(-1 << 30)
	for _, i := range order {
		entries := m.contents[i].Entries
		if entries[0].Day <= last {
			return nil, false
		}
		last = entries[len(entries)-1].Day
	}
	return order, true
}

// linesOf returns the transactions of contents that are disjoint, as the method lines does.
func (m *merger) linesOf(order []int) iter.Seq2[int, Entry] {
	return func(yield func(ordinal int, e Entry) bool) {
		for _, i := range order {
			ordinal, before := 0, Entry{}
			for _, e := range m.contents[i].Entries {
				if ordinal++; e.Day != before.Day || e.Minor != before.Minor {
					ordinal, before = 1, e
				}
				if !yield(ordinal, e) {
					return
				}
			}
		}
	}
}

// list returns the entries of all contents, ordered by day, amount, index of the content and line.
func list(contents []Content) []listed {
	total := 0
	for i := range contents {
		total += len(contents[i].Entries)
	}
	all := make([]listed, 0, total)
	for _, i := range byFirstDay(contents) {
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

// byFirstDay returns the indexes of the contents that have entries, ordered by their first entry.
// Entries of contents that do not overlap then need no sorting.
func byFirstDay(contents []Content) (order []int) {
	for i := range contents {
		if len(contents[i].Entries) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(contents[i].Entries[0].Day, contents[j].Entries[0].Day)
	})
	return order
}

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
	repeated, known := repeatedLines(&m.contents[earlier[0].content], &m.contents[later[0].content], earlier, later)
	day, minor := group[0].Day, group[0].Minor
	switch {
	case known:
	case slices.Contains(m.decided, Decision{Day: day, Minor: minor}):
		repeated = nil
	default:
		m.doubts = append(m.doubts, Doubt{Day: day, Minor: minor, Before: len(earlier), After: len(later)})
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

// follows reports whether the content of e, which covers a single day, continues another content of
// the group: its opening balance is the other's closing balance.
func (m *merger) follows(group []listed, e listed) bool {
	c := &m.contents[e.content]
	for _, other := range group {
		if other.content != e.content {
			if _, apart := compareOpening(&m.contents[other.content], c, e.Day); apart {
				return true
			}
		}
	}
	return false
}

// repeatedLines returns the entries of later that list the same transactions as entries of earlier.
// Content a, with the earlier entries, ends on the entries' day; content b, with the later ones,
// begins on it. Balances decide first, then the bank's ids. known is false if neither can decide.
func repeatedLines(a, b *Content, earlier, later []listed) (lines []int64, known bool) {
	day := earlier[0].Day
	if decided, apart := compareOpening(a, b, day); decided {
		if apart {
			return nil, true
		}
		for i := range min(len(earlier), len(later)) {
			lines = append(lines, later[i].Line)
		}
		return lines, true
	}
	if !sameIDs(a.On(day), b.On(day)) {
		return nil, false
	}
	for _, e := range later {
		if slices.ContainsFunc(earlier, func(o listed) bool { return o.ID == e.ID }) {
			lines = append(lines, e.Line)
		}
	}
	return lines, true
}

// compareOpening decides whether content b begins after the last line of a (apart is true) or
// repeats a's lines of the day. It compares b's opening balance with a's balances at the end and at
// the start of the day. decided is false if a balance is missing, or if b's opening balance equals
// both or neither of a's.
func compareOpening(a, b *Content, day Day) (decided, apart bool) {
	closing, hasClosing := a.closing(day)
	opening, hasOpening := b.opening(day)
	if !hasClosing || !hasOpening {
		return false, false
	}
	morning := closing
	for _, e := range a.On(day) {
		morning -= e.Minor
	}
	if morning == closing || opening != closing && opening != morning {
		return false, false
	}
	return true, opening == closing
}

// closing returns the closing balance that the content states for the day. ok is false if it states
// none.
func (c *Content) closing(day Day) (int64, bool) {
	for i := len(c.Balances) - 1; i >= 0; i-- {
		if b := c.Balances[i]; b.Day == day && !b.Opening {
			return b.Minor, true
		}
	}
	return 0, false
}

// opening returns the content's opening balance if its first line is on the day. Banks date that
// balance by the day itself or by the day before.
func (c *Content) opening(day Day) (int64, bool) {
	for _, b := range c.Balances {
		if b.Opening && (b.Day == day || b.Day == day-1) {
			return b.Minor, true
		}
	}
	return 0, false
}

// sameIDs reports whether the bank ids in two lists are comparable: at least one line is in both
// lists with the same day, amount and id, and no id has different amounts.
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
