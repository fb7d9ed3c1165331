package books

import (
	"cmp"
	"slices"
)

// maxShift is the most days by which two makings may date the same line differently.
const maxShift = 5

// align gives lines that contents date differently the same day: that of the content that
// comes first. contents are ordered by makings.
func align(contents []Content) {
	first := 0 // index of the first content of the making
	for i := range contents {
		if contents[i].Making != contents[first].Making {
			alignWith(contents[:first], contents[first:i])
			first = i
		}
		alignWith(contents[first:i], contents[i:i+1])
	}
	alignWith(contents[:first], contents[first:])
}

// alignWith dates the lines of contents as base does, over the days that both cover. Lines that
// only one of them has pair if their ids agree and come from one numbering, or if a value date
// says so; else if all lines that remain on both sides pair within maxShift days.
func alignWith(base, contents []Content) {
	overlap := intersect(coverage(base), coverage(contents))
	if len(overlap) == 0 {
		return
	}
	a := aligner{overlap: overlap}
	a.compare(within(base, overlap), within(contents, overlap))
	if len(a.onlyBase) == 0 && len(a.onlyHere) == 0 {
		return
	}
	a.pairByID()
	a.pairByValue()
	a.pairAll()
	for i := range contents {
		a.apply(&contents[i])
	}
}

// coverage returns the days that at least one content covers.
func coverage(contents []Content) []Span {
	var spans []Span
	for i := range contents {
		spans = append(spans, contents[i].Covered...)
	}
	return Join(spans)
}

// within returns the merged lines of contents on the covered days and up to maxShift days
// around them.
func within(contents []Content, overlap []Span) []Entry {
	around := make([]Span, len(overlap))
	for i, s := range overlap {
		around[i] = Span{s.First - maxShift, s.Last + maxShift}
	}
	around = Join(around)
	parts := make([]Content, 0, len(contents))
	for _, c := range contents {
		if len(intersect(c.Covered, around)) == 0 {
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
	m := merger{contents: parts}
	var entries []Entry
	for _, e := range m.lines() {
		entries = append(entries, e)
	}
	return entries
}

func compareDay(e Entry, day Day) int { return cmp.Compare(e.Day, day) }

// shift moves entries of an amount from one day to another.
type shift struct {
	minor    int64
	from, to Day
	id       uint64 // only entries with this id, if not 0
}

// aligner pairs lines that only one of two sides has on a day.
type aligner struct {
	overlap            []Span
	onlyBase, onlyHere []Entry // without a partner, on days of the overlap
	edgeBase, edgeHere []Entry // on days around the overlap that one side alone covers
	sameNumbering      bool    // both sides number their lines alike
	shifts             []shift
}

// compare sets which lines are on one side only. Both lists are in order.
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

// keep adds an entry to the lines in the overlap or to those around it.
func (a *aligner) keep(e Entry, inside, around []Entry) (in, edge []Entry) {
	if covers(a.overlap, e.Day) {
		return append(inside, e), around
	}
	return inside, append(around, e)
}

// compareHeads compares the first entries by day and amount. An empty list comes last.
func compareHeads(base, here []Entry) int {
	switch {
	case len(base) == 0:
		return 1
	case len(here) == 0:
		return -1
	}
	return cmp.Or(cmp.Compare(base[0].Day, here[0].Day), cmp.Compare(base[0].Minor, here[0].Minor))
}

// pairByID pairs lines of equal amount and id.
func (a *aligner) pairByID() {
	if !a.sameNumbering {
		return
	}
	sameID := func(b, h Entry) bool { return b.ID != 0 && b.ID == h.ID }
	a.pair(a.onlyBase, a.onlyHere, sameID)
	a.pair(a.edgeBase, a.onlyHere, sameID)
	a.pair(a.onlyBase, a.edgeHere, sameID)
}

// pairByValue pairs a line in the overlap with one around it, on a day that only its own side
// covers, if one is dated by the value date of the other.
func (a *aligner) pairByValue() {
	byValue := func(b, h Entry) bool { return b.Value == h.Day || h.Value == b.Day }
	a.pair(a.edgeBase, a.onlyHere, byValue)
	a.pair(a.onlyBase, a.edgeHere, byValue)
}

// pair pairs the lines of both sides that match, and removes them from the lines that remain.
func (a *aligner) pair(base, here []Entry, match func(b, h Entry) bool) {
	byAmount := map[int64][]Entry{}
	for _, b := range base {
		byAmount[b.Minor] = append(byAmount[b.Minor], b)
	}
	taken := map[int64]bool{}
	for _, h := range here {
		for _, b := range byAmount[h.Minor] {
			if !taken[b.Line] && distance(b, h) <= maxShift && match(b, h) {
				taken[b.Line], taken[h.Line] = true, true
				a.shifts = append(a.shifts, shift{h.Minor, h.Day, b.Day, h.ID})
				break
			}
		}
	}
	paired := func(e Entry) bool { return taken[e.Line] }
	a.onlyBase = slices.DeleteFunc(a.onlyBase, paired)
	a.onlyHere = slices.DeleteFunc(a.onlyHere, paired)
}

// pairAll pairs all lines that remain, or none of them.
func (a *aligner) pairAll() {
	if len(a.onlyBase) != len(a.onlyHere) {
		return
	}
	byAmount := func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.Minor, y.Minor), cmp.Compare(x.Day, y.Day), cmp.Compare(x.Line, y.Line))
	}
	slices.SortFunc(a.onlyBase, byAmount)
	slices.SortFunc(a.onlyHere, byAmount)
	for i, b := range a.onlyBase {
		if h := a.onlyHere[i]; b.Minor != h.Minor || distance(b, h) > maxShift {
			return
		}
	}
	for i, b := range a.onlyBase {
		h := a.onlyHere[i]
		a.shifts = append(a.shifts, shift{h.Minor, h.Day, b.Day, h.ID})
	}
}

// distance returns the number of days between two entries.
func distance(a, b Entry) Day { return max(a.Day-b.Day, b.Day-a.Day) }

// apply moves the content's entries to their new days.
func (a *aligner) apply(c *Content) {
	var entries []Entry
	for _, s := range a.shifts {
		if !slices.ContainsFunc(c.on(s.from), func(e Entry) bool { return e.Minor == s.minor }) {
			continue
		}
		if entries == nil {
			entries = slices.Clone(c.Entries)
		}
		at := slices.IndexFunc(entries, func(e Entry) bool {
			return e.Day == s.from && e.Minor == s.minor && e.ID == s.id
		})
		if at < 0 {
			at = slices.IndexFunc(entries, func(e Entry) bool { return e.Day == s.from && e.Minor == s.minor })
		}
		if at >= 0 {
			entries[at].Day = s.to
		}
	}
	if entries != nil {
		slices.SortFunc(entries, compareEntries)
		c.Entries = entries
	}
}
