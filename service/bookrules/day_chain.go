package bookrules

import (
	"cmp"
	"maps"
	"slices"
)

// dayChain orders the balances that statements state within a day. If a statement begins on the day
// with the balance that another one had after its last line or an earlier one, it continues that
// statement. This gives the sum of the day's lines before each balance, even if statements repeat
// lines.
type dayChain struct {
	arrivals map[int64][]arrival // by balance
	chosen   map[int64]arrival   // the arrival that sums is computed from
	sums     map[int64]int64     // sums of the day's lines before the account had a balance
}

// dayPart is the part of a statement that is within the day.
type dayPart struct {
	from int64 // balance before its lines
	// orders has the balances before and after its lines with their places, in the order of the
	// file and in the opposite order: files list their oldest or their newest line first.
	orders [2]map[int64]int
}

// passes reports whether the part has a balance before another one.
func (p *dayPart) passes(from, to int64) bool {
	for _, places := range p.orders {
		before, hasFrom := places[from]
		after, hasTo := places[to]
		if hasFrom && hasTo && before < after {
			return true
		}
	}
	return false
}

// arrival is a balance after some of the lines of a part, with the sum of these lines.
type arrival struct {
	part *dayPart
	sum  int64
}

// dayChains returns the chains of the days on which at least two statements begin or end.
func dayChains(contents []Content) map[Day]*dayChain {
	type touched struct {
		statements int
		contents   []int // indexes of the contents with these statements, ascending
	}
	touching := map[Day]*touched{}
	touch := func(day Day, content int) {
		t := touching[day]
		if t == nil {
			t = &touched{}
			touching[day] = t
		}
		t.statements++
		if n := len(t.contents); n == 0 || t.contents[n-1] != content {
			t.contents = append(t.contents, content)
		}
	}
	for i := range contents {
		for _, e := range contents[i].Ends {
			touch(e.First, i)
			if e.Last != e.First {
				touch(e.Last, i)
			}
		}
	}
	byContent := map[int]*statementDays{}
	chains := map[Day]*dayChain{}
	for day, t := range touching {
		if t.statements < 2 {
			continue
		}
		d := newDayChain()
		for _, i := range t.contents {
			if byContent[i] == nil {
				byContent[i] = statementDaysOf(contents[i].Ends)
			}
			d.addContent(day, &contents[i], byContent[i])
		}
		d.resolveAll()
		chains[day] = d
	}
	return chains
}

// statementDays indexes the statements of a content by the days on which they begin and end.
type statementDays struct {
	firsts, lasts []Day // ascending
	beginning     map[Day][]Ends
	ending        map[Day][]Ends // without statements of a single day
}

func statementDaysOf(ends []Ends) *statementDays {
	s := &statementDays{beginning: map[Day][]Ends{}, ending: map[Day][]Ends{}}
	for _, e := range ends {
		s.firsts, s.lasts = append(s.firsts, e.First), append(s.lasts, e.Last)
		s.beginning[e.First] = append(s.beginning[e.First], e)
		if e.First != e.Last {
			s.ending[e.Last] = append(s.ending[e.Last], e)
		}
	}
	slices.Sort(s.firsts)
	slices.Sort(s.lasts)
	return s
}

// on returns the statements of the day alone and those of other days too, except that statements
// which neither begin nor end on the day are only counted.
func (s *statementDays) on(day Day) (within, across []Ends, spanning int) {
	for _, e := range s.beginning[day] {
		if e.Last == day {
			within = append(within, e)
		} else {
			across = append(across, e)
		}
	}
	across = append(across, s.ending[day]...)
	begun, _ := slices.BinarySearch(s.firsts, day)
	ended, _ := slices.BinarySearch(s.lasts, day+1)
	// Statements that began before the day, less those that ended by its end. Statements of the day
	// alone ended by then without having begun before.
	return within, across, begun - (ended - len(within))
}

func newDayChain() *dayChain {
	return &dayChain{arrivals: map[int64][]arrival{}, chosen: map[int64]arrival{}, sums: map[int64]int64{}}
}

// resolveAll computes sums.
func (d *dayChain) resolveAll() {
	// The order of imports makes no difference, even if balances recur within the day.
	for _, arrivals := range d.arrivals {
		slices.SortFunc(arrivals, func(a, b arrival) int {
			return cmp.Or(cmp.Compare(a.part.from, b.part.from), cmp.Compare(a.sum, b.sum))
		})
	}
	for _, balance := range slices.Sorted(maps.Keys(d.arrivals)) {
		d.resolve(balance)
	}
}

// resolve sets and returns the sum of the lines before a balance. A balance that no statement comes
// to is the balance in the morning.
func (d *dayChain) resolve(balance int64) int64 {
	arrivals, resolved := d.arrivals[balance], false
	if _, resolved = d.sums[balance]; resolved || len(arrivals) == 0 {
		return d.sums[balance]
	}
	d.sums[balance] = 0 // ends the recursion if balances recur
	d.sums[balance], d.chosen[balance] = d.resolve(arrivals[0].part.from)+arrivals[0].sum, arrivals[0]
	return d.sums[balance]
}

// addContent adds the parts of a file's statements that are within the day.
func (d *dayChain) addContent(day Day, c *Content, statements *statementDays) {
	within, across, spanning := statements.on(day)
	rest := int64(0) // sum of the lines that are not in statements of this day only
	own := slices.Clone(c.On(day))
	for _, e := range own {
		rest += e.Minor
	}
	if len(within)+len(across)+spanning > 1 {
		own = nil // nothing says which of the lines are in which statement
	}
	for _, e := range within {
		rest -= e.Closing - e.Opening
		d.add(e.Opening, e.Closing-e.Opening, own)
	}
	if len(across) != 1 || spanning > 0 {
		return
	}
	switch e := across[0]; day {
	case e.First:
		d.add(e.Opening, rest, own)
	case e.Last:
		d.sums[e.Closing-rest] = 0
		d.add(e.Closing-rest, rest, own)
	}
}

// add adds a part with the balance before it, the sum of its lines, and its lines if they are
// known.
func (d *dayChain) add(from, sum int64, lines []Entry) {
	part := &dayPart{from: from}
	slices.SortFunc(lines, func(a, b Entry) int { return cmp.Compare(a.Line, b.Line) })
	for i := range part.orders {
		places, balance := map[int64]int{from: 0}, from
		reach := func(minor int64) {
			balance += minor
			if _, again := places[balance]; !again {
				places[balance] = len(places)
				d.arrivals[balance] = append(d.arrivals[balance], arrival{part, balance - from})
			}
		}
		for _, e := range lines {
			reach(e.Minor)
		}
		if len(lines) == 0 {
			reach(sum)
		}
		part.orders[i] = places
		slices.Reverse(lines)
	}
}

// before returns the sum of the day's lines before the account had a balance. It returns false if
// no statement comes to it.
func (d *dayChain) before(balance int64) (sum int64, known bool) {
	if d == nil {
		return 0, false
	}
	sum, known = d.sums[balance]
	return sum, known
}

// mostChained is the largest number of statements of a day that leads follows. Banks that state
// balances each hour stay far below it.
const mostChained = 100

// leads reports whether the account had the balance from before the balance to.
func (d *dayChain) leads(from, to int64) bool {
	for range mostChained {
		a, found := d.chosen[to]
		switch {
		case !found:
			return false
		case a.part.passes(from, to):
			return true
		}
		to = a.part.from
	}
	return false
}
