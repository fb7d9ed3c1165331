package bookrules

import (
	"cmp"
	"slices"
)

// MaxShift is the largest number of days by which two imported files may differ in the date of one
// bank transaction.
const MaxShift = 5

// If imported files give a bank transaction different dates, align changes them to the date in the
// file that comes first in contents. contents must be ordered so that files of one layout
// (Content.Making) are adjacent.
//
// If nearly is true, lines pair by amount although a tenth of them has no partner in a file of
// another layout. They also do if decided says that the lines of a layout are the same. align
// reports whether nearly has paired lines, and returns the doubts about others.
func align(contents []Content, nearly bool, decided []Decision) (used bool, doubts []Doubt) {
	first := 0 // index of the first content with the current Making
	layout := func(end int) {
		enough := allPairsOrDoubt
		switch {
		case slices.Contains(decided, Decision{Making: contents[first].Making}):
			enough = anyPairs
		case nearly:
			enough = nearlyAllPairs
		}
		a := alignWith(contents[:first], contents[first:end], enough)
		used = used || a.partly && enough == nearlyAllPairs
		if a.doubt != nil {
			a.doubt.Making = contents[first].Making
			doubts = append(doubts, *a.doubt)
		}
	}
	for i := range contents {
		if contents[i].Making != contents[first].Making {
			layout(i)
			first = i
		}
		alignWith(contents[first:i], contents[i:i+1], allPairs)
	}
	if len(contents) > 0 {
		layout(len(contents))
	}
	return used, doubts
}

// share says which part of the lines must have a partner so that all pairs count as the same lines.
type share int

const (
	allPairs        share = iota // all lines, of files of one layout
	allPairsOrDoubt              // all lines; if half of them have a partner, that is a doubt
	nearlyAllPairs               // nine of ten lines; if half of them have a partner, that is a doubt
	anyPairs                     // the user has said that the pairs are the same
)

// alignWith changes the dates of lines in contents to the dates in base, on days that both cover. A
// line that only one side has on a day is paired with a line of the other side that has the same
// bank id or matches by value date. If lines remain, they are paired by amount within MaxShift
// days, but only if enough of them can be paired. In the result, partly says that it paired lines
// although others remain.
func alignWith(base, contents []Content, enough share) (a aligner) {
	overlap := Intersect(coverage(base), coverage(contents))
	if len(overlap) == 0 {
		return a
	}
	a = aligner{overlap: overlap, enough: enough}
	a.compare(within(base, overlap), within(contents, overlap))
	if len(a.onlyBase) == 0 && len(a.onlyHere) == 0 {
		return a
	}
	a.pairByID()
	a.pairByValue()
	a.pairAll()
	for i := range contents {
		a.apply(&contents[i])
	}
	return a
}

// coverage returns the days that at least one of the contents covers, as spans that do not touch.
func coverage(contents []Content) []Span {
	var spans []Span
	for i := range contents {
		spans = append(spans, contents[i].Covered...)
	}
	return Join(spans)
}

// within returns the merged lines of contents that are dated in one of the overlap spans, or at
// most MaxShift days before or after it.
func within(contents []Content, overlap []Span) []Entry {
	around := make([]Span, len(overlap))
	for i, s := range overlap {
		around[i] = Span{s.First - MaxShift, s.Last + MaxShift}
	}
	around = Join(around)
	parts := make([]Content, 0, len(contents))
	for _, c := range contents {
		if len(Intersect(c.Covered, around)) == 0 {
			continue
		}
		part := c
		part.Entries = nil
		for _, s := range around {
			from, _ := slices.BinarySearchFunc(c.Entries, s.First, compareDay)
			to, _ := slices.BinarySearchFunc(c.Entries, s.Last+1, compareDay)
			part.Entries = append(part.Entries, c.Entries[from:to]...)
		}
		parts = append(parts, part)
	}
	m := newMerger(parts, nil)
	var entries []Entry
	for _, e := range m.lines() {
		entries = append(entries, e)
	}
	return entries
}

func compareDay(e Entry, day Day) int { return cmp.Compare(e.Day, day) }

// shift changes the date of the lines that have the given amount (minor) and day (from) to the day
// to.
type shift struct {
	minor    int64
	from, to Day
	id       uint64 // hash of the bank's id of the line; 0 if it has none
}

// aligner pairs the lines of two sides, base and here. It pairs only lines without an equal line of
// the other side on the same day. Each pair becomes a shift.
type aligner struct {
	overlap            []Span
	onlyBase, onlyHere []Entry // unpaired lines on days that both sides cover
	edgeBase, edgeHere []Entry // unpaired lines up to MaxShift days before or after those days
	sameNumbering      bool    // true if both sides use the same bank ids
	shifts             []shift
	enough             share
	partly             bool   // true if lines were paired although others remain
	doubt              *Doubt // lines that could be paired although others remain; nil if there are none
}

// compare fills the lists of lines without an equal line on the other side. Its arguments are the
// lines of the two sides, ordered by day and amount.
func (a *aligner) compare(base, here []Entry) {
	a.sameNumbering = sameIDs(base, here)
	for len(base) > 0 || len(here) > 0 {
		switch order := compareHeads(base, here); {
		case order == 0:
			base, here = base[1:], here[1:]
		case order < 0:
			a.onlyBase, a.edgeBase = a.keep(base[0], a.onlyBase, a.edgeBase)
			base = base[1:]
		default:
			a.onlyHere, a.edgeHere = a.keep(here[0], a.onlyHere, a.edgeHere)
			here = here[1:]
		}
	}
}

// keep appends the line e to the list inside if both sides cover its day, and otherwise to the list
// outside. It returns both lists.
func (a *aligner) keep(e Entry, inside, outside []Entry) (in, edge []Entry) {
	if covers(a.overlap, e.Day) {
		return append(inside, e), outside
	}
	return inside, append(outside, e)
}

// compareHeads compares the first entries of two lists by day and amount. An empty list sorts after
// any other.
func compareHeads(base, here []Entry) int {
	switch {
	case len(base) == 0:
		return 1
	case len(here) == 0:
		return -1
	}
	return cmp.Or(cmp.Compare(base[0].Day, here[0].Day), cmp.Compare(base[0].Minor, here[0].Minor))
}

// pairByID pairs lines that have the same amount and the same bank id.
func (a *aligner) pairByID() {
	if !a.sameNumbering {
		return
	}
	byID := func(e Entry) []alike {
		if e.ID == 0 {
			return nil
		}
		return []alike{{minor: e.Minor, id: e.ID}}
	}
	a.pair(a.onlyBase, a.onlyHere, byID, byID)
	a.pair(a.edgeBase, a.onlyHere, byID, byID)
	a.pair(a.onlyBase, a.edgeHere, byID, byID)
}

// pairByValue pairs a line on a day that both sides cover with a line of the other side just before
// or after those days. The booking date of one of them must be the value date of the other.
func (a *aligner) pairByValue() {
	ofBase := func(e Entry) []alike { return bothDates(e.Minor, e.Value, e.Day) }
	ofHere := func(e Entry) []alike { return bothDates(e.Minor, e.Day, e.Value) }
	a.pair(a.edgeBase, a.onlyHere, ofBase, ofHere)
	a.pair(a.onlyBase, a.edgeHere, ofBase, ofHere)
}

// bothDates returns what a line has in common with lines with one of two dates, if it has these
// dates.
func bothDates(minor int64, day, value Day) (keys []alike) {
	if day != 0 {
		keys = append(keys, alike{minor: minor, day: day})
	}
	if value != 0 {
		keys = append(keys, alike{minor: minor, value: value})
	}
	return keys
}

// alike is what two lines have in common that may be the same: their amount, and their bank id, the
// booking date of the line in the list here, or its value date.
type alike struct {
	minor      int64
	id         uint64
	day, value Day
}

// pair pairs each line in the list here with the first line in the list base that is alike and
// dated at most MaxShift days earlier or later. It records their shifts and removes paired lines
// from onlyBase and onlyHere. Both lists are ordered by day.
func (a *aligner) pair(base, here []Entry, ofBase, ofHere func(Entry) []alike) {
	candidates := map[alike][]int{} // indexes in base
	for n, b := range base {
		for _, key := range ofBase(b) {
			candidates[key] = append(candidates[key], n)
		}
	}
	taken := map[int64]bool{}
	for _, h := range here {
		first := len(base)
		for _, key := range ofHere(h) {
			list := candidates[key]
			for len(list) > 0 && (taken[base[list[0]].Line] || base[list[0]].Day < h.Day-MaxShift) {
				list = list[1:]
			}
			candidates[key] = list
			if len(list) > 0 && base[list[0]].Day <= h.Day+MaxShift {
				first = min(first, list[0])
			}
		}
		if first < len(base) {
			b := base[first]
			taken[b.Line], taken[h.Line] = true, true
			a.shifts = append(a.shifts, shift{h.Minor, h.Day, b.Day, h.ID})
		}
	}
	paired := func(e Entry) bool { return taken[e.Line] }
	a.onlyBase = slices.DeleteFunc(a.onlyBase, paired)
	a.onlyHere = slices.DeleteFunc(a.onlyHere, paired)
}

// pairAll pairs all lines of onlyBase and onlyHere by amount. If one of them has no partner within
// MaxShift days, it pairs none, unless the partner may be on a day that the other side does not
// cover, or as many lines of both sides have a partner as a.enough says. If it pairs none although
// half of the lines of both sides could be, it sets a.doubt. If all pairs within
// the overlap are shifted in the same direction, a line there may also be paired with a line up to
// MaxShift days outside the overlap.
func (a *aligner) pairAll() {
	inside, base, here := pairByAmount(a.onlyBase, a.onlyHere)
	before, base, _ := pairByAmount(base, a.edgeHere)
	after, _, here := pairByAmount(a.edgeBase, here)
	lonelyBase := len(base) - len(a.beyond(base, inside, true))
	lonelyHere := len(here) - len(a.beyond(here, inside, false))
	around := append(before, after...)
	all := append(slices.Clone(inside), around...)
	if len(around) > 0 && (len(inside) == 0 || !sameDirection(all)) {
		around, lonelyBase = nil, lonelyBase+len(before)
		lonelyHere += len(after)
	}
	switch lonely := max(lonelyBase, lonelyHere); {
	case lonely == 0:
	case a.enough == anyPairs || a.enough == nearlyAllPairs && len(inside) >= 9*lonely:
		a.partly = true
	case a.enough == allPairs || len(inside) < max(leastMoved, lonely):
		return
	default:
		first := slices.MinFunc(inside, func(x, y shift) int { return cmp.Compare(x.from, y.from) })
		a.doubt = &Doubt{
			Day: first.from, Minor: first.minor, Other: first.to, Before: len(inside), After: len(inside) + lonely,
		}
		return
	}
	a.shifts = append(append(a.shifts, inside...), around...)
}

// leastMoved is the smallest number of lines with other dates that may be the same as others. One
// line has a partner by chance too often.
const leastMoved = 2

// beyond returns those lines that the other side may date on a day outside the overlap, where only
// one side has lines: all shifts go in one direction, and the line is so close to the end of the
// overlap in this direction that one of the shifts would move it beyond. ofBase is true for lines
// of the base, which move against the direction of the shifts.
func (a *aligner) beyond(lines []Entry, shifts []shift, ofBase bool) (moved []Entry) {
	if len(shifts) == 0 || !sameDirection(shifts) {
		return nil
	}
	largest := Day(0) // shift with the largest number of days, with its sign
	for _, s := range shifts {
		if days := s.to - s.from; max(days, -days) > max(largest, -largest) {
			largest = days
		}
	}
	if ofBase {
		largest = -largest
	}
	for _, e := range lines {
		if span, _ := spanOf(a.overlap, e.Day); !span.Contains(e.Day + largest) {
			moved = append(moved, e)
		}
	}
	return moved
}

// pairByAmount pairs lines of the same amount that are dated at most MaxShift days apart, in the
// order of their days. It returns the lines of both lists without a partner, and for each pair a
// shift from the day of the line in the list here to the day of its partner in the list base.
func pairByAmount(base, here []Entry) (shifts []shift, baseRest, hereRest []Entry) {
	byAmount := func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.Minor, y.Minor), cmp.Compare(x.Day, y.Day), cmp.Compare(x.Line, y.Line))
	}
	base, here = slices.Clone(base), slices.Clone(here)
	slices.SortFunc(base, byAmount)
	slices.SortFunc(here, byAmount)
	for len(base) > 0 && len(here) > 0 {
		switch b, h := base[0], here[0]; {
		case b.Minor == h.Minor && distance(b, h) <= MaxShift:
			shifts = append(shifts, shift{h.Minor, h.Day, b.Day, h.ID})
			base, here = base[1:], here[1:]
		case byAmount(b, h) < 0:
			baseRest, base = append(baseRest, b), base[1:]
		default:
			hereRest, here = append(hereRest, h), here[1:]
		}
	}
	return shifts, append(baseRest, base...), append(hereRest, here...)
}

// sameDirection reports whether all shifts are towards earlier days or all towards later ones.
func sameDirection(shifts []shift) bool {
	return !slices.ContainsFunc(shifts, func(s shift) bool { return (s.to < s.from) != (shifts[0].to < shifts[0].from) })
}

// distance returns the number of days between two entries.
func distance(a, b Entry) Day { return max(a.Day-b.Day, b.Day-a.Day) }

// apply changes the days of the lines of c according to a.shifts. A shift moves the line with its
// bank id, or else the first line that no other shift has moved.
func (a *aligner) apply(c *Content) {
	if len(a.shifts) == 0 {
		return
	}
	wanted := map[alike]bool{}
	for _, s := range a.shifts {
		wanted[alike{minor: s.minor, day: s.from}] = true
	}
	withID, all := map[alike][]int{}, map[alike][]int{} // indexes in c.Entries
	for n, e := range c.Entries {
		if key := (alike{minor: e.Minor, day: e.Day}); wanted[key] {
			all[key] = append(all[key], n)
			key.id = e.ID
			withID[key] = append(withID[key], n)
		}
	}
	if len(all) == 0 {
		return
	}
	entries, moved := slices.Clone(c.Entries), map[int]bool{}
	move := func(lists map[alike][]int, key alike, to Day) bool {
		list := lists[key]
		for len(list) > 0 && moved[list[0]] {
			list = list[1:]
		}
		lists[key] = list
		if len(list) == 0 {
			return false
		}
		entries[list[0]].Day, moved[list[0]] = to, true
		return true
	}
	for _, s := range a.shifts {
		key := alike{minor: s.minor, day: s.from}
		if len(all[key]) == 0 || move(withID, alike{minor: s.minor, day: s.from, id: s.id}, s.to) {
			continue
		}
		move(all, key, s.to)
	}
	slices.SortFunc(entries, compareEntries)
	c.Entries = entries
}
