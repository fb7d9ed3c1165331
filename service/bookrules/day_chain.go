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
	touching := map[Day]int{}
	for i := range contents {
		for _, e := range contents[i].Ends {
			touching[e.First]++
			if e.Last != e.First {
				touching[e.Last]++
			}
		}
	}
	chains := map[Day]*dayChain{}
	for day, n := range touching {
		if n > 1 {
			chains[day] = chainOf(day, contents)
		}
	}
	return chains
}

func chainOf(day Day, contents []Content) *dayChain {
	d := &dayChain{arrivals: map[int64][]arrival{}, chosen: map[int64]arrival{}, sums: map[int64]int64{}}
	for i := range contents {
		d.addContent(day, &contents[i])
	}
	// The order of imports makes no difference, even if balances recur within the day.
	for _, arrivals := range d.arrivals {
		slices.SortFunc(arrivals, func(a, b arrival) int {
			return cmp.Or(cmp.Compare(a.part.from, b.part.from), cmp.Compare(a.sum, b.sum))
		})
	}
	for _, balance := range slices.Sorted(maps.Keys(d.arrivals)) {
		d.resolve(balance)
	}
	return d
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
func (d *dayChain) addContent(day Day, c *Content) {
	var within []Ends // statements of this day only
	var across []Ends // statements of other days too
	for _, e := range c.Ends {
		switch {
		case e.First == day && e.Last == day:
			within = append(within, e)
		case e.First <= day && day <= e.Last:
			across = append(across, e)
		}
	}
	rest := int64(0) // sum of the lines that are not in statements of this day only
	own := slices.Clone(c.On(day))
	for _, e := range own {
		rest += e.Minor
	}
	if len(within)+len(across) > 1 {
		own = nil // nothing says which of the lines are in which statement
	}
	for _, e := range within {
		rest -= e.Closing - e.Opening
		d.add(e.Opening, e.Closing-e.Opening, own)
	}
	if len(across) != 1 {
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

// leads reports whether the account had the balance from before the balance to.
func (d *dayChain) leads(from, to int64) bool {
	for range d.chosen {
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
