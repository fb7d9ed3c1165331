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
// decided lists what the user decided about doubts. The other doubts are returned. If w ends, the
// result is incomplete.
func Merge(w *Work, contents []Content, decided []Decision) ([]Merged, []Doubt) {
	contents = slices.Clone(contents)
	slices.SortFunc(contents, func(a, b Content) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Making, b.Making),
			cmp.Compare(b.LastDay(), a.LastDay()), cmp.Compare(a.Key, b.Key))
	})
	merged, doubts, partly := mergeAligned(w, contents, decided, true)
	// Lines of files of other dates were paired although some remain. Balances may show that they
	// are different transactions.
	if partly && contradicts(merged, contents) {
		if apart, others, _ := mergeAligned(w, contents, decided, false); !contradicts(apart, contents) {
			merged, doubts = apart, others
		}
	}
	return settle(w, merged, doubts, contents, decided)
}

// settle answers doubts about files of other dates by balances that contradict one answer and not
// the other.
func settle(
	w *Work, merged []Merged, doubts []Doubt, contents []Content, decided []Decision,
) ([]Merged, []Doubt) {
	settled := 0
	for _, doubt := range doubts {
		if doubt.Making == "" {
			continue
		}
		if settled++; settled > mostSettled {
			break
		}
		same, others, _ := mergeAligned(w, contents, append(slices.Clone(decided), Decision{Making: doubt.Making}), true)
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

// mostSettled is the largest number of layouts that balances are compared with. Nobody has so many
// for one account.
const mostSettled = 20

// contradicts reports whether the balances of contents contradict lines.
func contradicts(merged []Merged, contents []Content) bool {
	proof := Prove(merged, contents)
	_, contradiction := proof.Residual()
	return contradiction
}

// mergeAligned merges contents after aligning their dates. It returns the result of align.
func mergeAligned(w *Work, contents []Content, decided []Decision, nearly bool) (
	merged []Merged, doubts []Doubt, partly bool,
) {
	m := newMerger(slices.Clone(contents), decided)
	partly, m.doubts = align(m.contents, nearly, decided)
	total := 0
	for i := range contents {
		total += len(contents[i].Entries)
	}
	merged = make([]Merged, 0, total)
	for ordinal, e := range m.lines() {
		if w.Stopped() {
			break
		}
		merged = append(merged, Merged{Day: e.Day, Note: e.Note, Minor: e.Minor, Ordinal: ordinal, Line: e.Line})
	}
	return merged, m.doubts, partly
}

// merger merges the lines of an account's imported files, one group of equal day and amount at a
// time.
type merger struct {
	contents []Content // ordered by rank, so that the file with the best texts is first
	decided  map[Decision]bool
	doubts   []Doubt
	openings map[contentPair]opening // results of opening
	ids      map[contentPair]bool    // results of sameIDs
}

func newMerger(contents []Content, decided []Decision) *merger {
	m := &merger{
		contents: contents, decided: map[Decision]bool{}, openings: map[contentPair]opening{}, ids: map[contentPair]bool{},
	}
	for _, d := range decided {
		m.decided[d] = true
	}
	return m
}

// contentPair is a pair of contents, given by their indexes in merger.contents, on a day.
type contentPair struct {
	a, b int
	day  Day
}

// opening is the result of compareOpening.
type opening struct{ decided, apart bool }

// opening returns the result of compareOpening for two contents.
func (m *merger) opening(pair contentPair) opening {
	o, known := m.openings[pair]
	if !known {
		o.decided, o.apart = compareOpening(&m.contents[pair.a], &m.contents[pair.b], pair.day)
		m.openings[pair] = o
	}
	return o
}

// sameIDs returns the result of the function sameIDs for the lines of two contents on a day.
func (m *merger) sameIDs(pair contentPair) bool {
	same, known := m.ids[pair]
	if !known {
		same = sameIDs(m.contents[pair.a].On(pair.day), m.contents[pair.b].On(pair.day))
		m.ids[pair] = same
	}
	return same
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
