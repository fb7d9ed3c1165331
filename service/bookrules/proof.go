package bookrules

import (
	"cmp"
	"slices"
)

// Gap is a period between two balances that is not proven: its lines do not add up to the
// difference of the balances, or statements do not cover all its days.
type Gap struct {
	From, To Balance
	// Residual is the amount that is missing from the lines, in minor units: the balance at To,
	// less the balance at From, less the sum of the lines between them.
	Residual int64
	// Uncovered holds the days between the balances that no statement covers. If there are such
	// days, a Residual is expected and is no contradiction.
	Uncovered []Span
}

// Proof is the result of checking an account's lines against its balances.
type Proof struct {
	Proven []Span // days whose lines add up between two balances
	Gaps   []Gap  // ordered by day
}

// Residual returns the sum of Gap.Residual over the gaps whose days statements cover completely.
// contradiction is true if there is such a gap, even if the residuals cancel out.
func (p *Proof) Residual() (minor int64, contradiction bool) {
	for _, g := range p.Gaps {
		if len(g.Uncovered) == 0 {
			minor += g.Residual
			contradiction = true
		}
	}
	return minor, contradiction
}

// Prove compares each balance of an account with the one before. If statements cover all days
// between the two balances, the lines between them must add up to the difference. merged must be
// ordered by day.
func Prove(merged []Merged, contents []Content) Proof {
	p, points := newProver(merged, contents)
	return p.compare(points)
}

// newProver returns a prover for an account's lines, and a point for each of its balances, ordered
// by day.
func newProver(merged []Merged, contents []Content) (p *prover, points []point) {
	p = &prover{
		merged: merged, covered: Covered(contents), sums: make([]int64, len(merged)+1), chains: dayChains(contents),
	}
	for i, m := range merged {
		p.sums[i+1] = p.sums[i] + m.Minor
	}
	for i := range contents {
		last := contents[i].lastRead()
		var day dayLines
		ends := p.endsOf(&contents[i])
		for _, b := range contents[i].Balances { // ordered by day
			if b.Day != day.day || day.lines == nil {
				day = linesOn(&contents[i], b.Day)
			}
			one := p.point(&contents[i], b, day, ends)
			one.passing = b.Read && b.Day < last
			points = append(points, one)
		}
	}
	slices.SortFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.lines, b.lines), cmp.Compare(a.Minor, b.Minor),
			cmp.Compare(a.within, b.within))
	})
	return p, withoutOutliers(points)
}

// prover holds an account's lines while it compares consecutive balances.
type prover struct {
	merged  []Merged
	covered []Span
	sums    []int64 // sums[i] is the sum of the first i lines of merged
	chains  map[Day]*dayChain
	apart   map[[2]*Entry]bool // results of differ by the first lines of both points
}

// point is a balance with the sum of all lines up to it. Statements do not say whether a balance
// was taken at the end of a day or in the middle of one, so there are several possible sums.
type point struct {
	Balance
	between int64 // sum of the lines if the balance was taken between two days
	within  int64 // sum of the lines if the balance was taken during a day, when its file began or ended
	lines   int   // number of lines in the sum within
	// chained is the sum of the lines before the balance by the chain of its day. The chain is nil
	// if it does not have the balance.
	chained int64
	chain   *dayChain
	// own holds the lines of the balance's day in its file, if the sum within ends with them.
	own     []Entry
	night   Day  // day at whose end the account had the balance, unless lines of the day followed
	passing bool // true for a balance of a connection that has a newer balance
}

// dayLines holds the lines of a content on a day.
type dayLines struct {
	day   Day
	lines []Entry
	sum   int64
}

func linesOn(c *Content, day Day) dayLines {
	d := dayLines{day: day, lines: c.On(day)}
	for _, e := range d.lines {
		d.sum += e.Minor
	}
	return d
}

// point returns the balance b of the content c with the sums of the lines up to it. on has the
// lines of its day, and ends the balances at the ends of the content's statements.
func (p *prover) point(c *Content, b Balance, on dayLines, ends statementEnds) point {
	start, end := p.index(b.Day), p.index(b.Day+1)
	own, sum := on.lines, on.sum
	one := point{Balance: b, between: p.sums[end], within: p.sums[start], lines: start, night: b.Day}
	switch {
	case b.Opening:
		one.between, one.within, one.lines = p.sums[start], p.sums[end]-sum, end-len(own)
		// Banks date an opening balance by the first day of the statement or by the day before.
		if covers(c.Covered, b.Day) {
			one.night--
		}
	case covers(c.Covered, b.Day):
		one.within, one.lines, one.own = p.sums[start]+sum, start+len(own), own
	}
	one.chained = one.between
	if day, found := ends.last(b); found {
		before, _ := p.chains[day].before(b.Minor)
		one.chained, one.chain = p.sums[p.index(day)]+before, p.chains[day]
	}
	return one
}

// statementEnds maps balances at the ends of a content's statements to the days that have a chain
// with such a balance, in ascending order.
type statementEnds map[statementEnd][]Day

type statementEnd struct {
	opening bool
	minor   int64
}

func (p *prover) endsOf(c *Content) statementEnds {
	if len(p.chains) == 0 {
		return nil
	}
	ends := statementEnds{}
	add := func(opening bool, day Day, minor int64) {
		if _, known := p.chains[day].before(minor); known {
			key := statementEnd{opening, minor}
			ends[key] = append(ends[key], day)
		}
	}
	for _, e := range c.Ends {
		add(true, e.First, e.Opening)
		add(false, e.Last, e.Closing)
	}
	for _, days := range ends {
		slices.Sort(days)
	}
	return ends
}

// last returns the last day up to the balance's own with a statement that begins or ends with it.
func (e statementEnds) last(b Balance) (Day, bool) {
	days := e[statementEnd{b.Opening, b.Minor}]
	n, exact := slices.BinarySearch(days, b.Day)
	switch {
	case exact:
		return b.Day, true
	case n == 0:
		return 0, false
	}
	return days[n-1], true
}

// possible returns the possible sums of the lines up to the balance.
func (p *point) possible() [3]int64 { return [...]int64{p.between, p.within, p.chained} }

// index returns the number of lines of p.merged before the day.
func (p *prover) index(day Day) int {
	n, _ := slices.BinarySearchFunc(p.merged, day, func(m Merged, day Day) int { return cmp.Compare(m.Day, day) })
	return n
}

// compare returns the proof of consecutive points, which are ordered by day.
func (p *prover) compare(points []point) Proof {
	var proof Proof
	for i := 1; i < len(points); i++ {
		from, to := &points[i-1], &points[i]
		gap := Gap{from.Balance, to.Balance, p.residual(from, to), p.uncovered(from, to)}
		if gap.Residual == 0 && len(gap.Uncovered) == 0 {
			proof.Proven = append(proof.Proven, Span{from.Day, to.Day})
		} else {
			proof.Gaps = append(proof.Gaps, gap)
		}
	}
	proof.Proven = Join(proof.Proven)
	return proof
}

// residual returns the amount that is missing from the lines between two balances. It is 0 if the
// lines add up for one of the possible sums of each balance.
func (p *prover) residual(from, to *point) int64 {
	difference := to.Minor - from.Minor
	for _, before := range from.possible() {
		for _, after := range to.possible() {
			atNight := before == from.between || after == to.between
			if after-before == difference && (atNight || !p.excludes(from, to)) {
				return 0
			}
		}
	}
	return difference - (to.between - from.between)
}

// excludes reports whether two balances cannot both have been taken during one day: each has lines
// of it in its file that the other has not, and neither continues the other.
func (p *prover) excludes(a, b *point) bool {
	if a.Day != b.Day || !p.differ(a, b) {
		return false
	}
	chain := a.chain
	return chain == nil || chain != b.chain || !chain.leads(a.Minor, b.Minor) && !chain.leads(b.Minor, a.Minor)
}

// differ reports whether the files of two points each have lines of the day that the other has not.
func (p *prover) differ(a, b *point) bool {
	if len(a.own) == 0 || len(b.own) == 0 || &a.own[0] == &b.own[0] {
		return false
	}
	key := [2]*Entry{&a.own[0], &b.own[0]}
	apart, known := p.apart[key]
	if !known {
		onlyHere, onlyThere := unequal(a.own, b.own)
		apart = len(onlyHere) > 0 && len(onlyThere) > 0
		if p.apart == nil {
			p.apart = map[[2]*Entry]bool{}
		}
		p.apart[key] = apart
	}
	return apart
}

// uncovered returns the days between two balances that no statement covers.
func (p *prover) uncovered(from, to *point) []Span {
	var missing []Span
	for day := from.Day + 1; day < to.Day; {
		if span, covered := spanOf(p.covered, day); covered {
			day = span.Last + 1
			continue
		}
		last := day
		for last+1 < to.Day && !covers(p.covered, last+1) {
			last++
		}
		missing = append(missing, Span{day, last})
		day = last + 1
	}
	return missing
}
