package books

import (
	"cmp"
	"slices"
)

// Gap is a period between two balances whose lines do not add up to their difference, or of
// which statements do not cover all days.
type Gap struct {
	From, To Balance
	// Residual is the amount that the lines lack: the balance at To less the balance at From
	// less the sum of the lines between them.
	Residual int64
	// Uncovered are the days between the balances that no statement covers. A residual is no
	// contradiction then.
	Uncovered []Span
}

// Proof is the result of checking an account's lines against its balances.
type Proof struct {
	Proven []Span // days whose lines add up between two balances
	Gaps   []Gap  // ordered by day
}

// Residual returns the sum of what lines lack over days that statements cover, and whether
// there is such a contradiction. Residuals of opposite signs do not cancel that out.
func (p *Proof) Residual() (minor int64, contradiction bool) {
	for _, g := range p.Gaps {
		if len(g.Uncovered) == 0 {
			minor += g.Residual
			contradiction = true
		}
	}
	return minor, contradiction
}

// Prove compares each balance of an account with the one before: over days that statements
// cover, the lines between them must equal the difference. Lines are ordered by day.
func Prove(merged []Merged, contents []Content) Proof {
	p := prover{merged: merged, covered: coverage(contents), sums: make([]int64, len(merged)+1)}
	for i, m := range merged {
		p.sums[i+1] = p.sums[i] + m.Minor
	}
	var points []point
	for i := range contents {
		for _, b := range contents[i].Balances {
			points = append(points, p.point(&contents[i], b))
		}
	}
	slices.SortFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.lines, b.lines), cmp.Compare(a.Minor, b.Minor))
	})
	return p.compare(points)
}

// prover compares the balances of an account one after the other.
type prover struct {
	merged  []Merged
	covered []Span
	sums    []int64 // sums[i] is the sum of the first i lines
}

// point is a balance with the lines that it includes. Banks take balances between two days or
// within one, and do not say which.
type point struct {
	Balance
	between int64 // sum of the lines included if the balance was taken between two days
	within  int64 // sum if it was taken within its day, when its content began or ended
	lines   int   // number of lines included in within
}

// point returns the lines that a balance of a content includes.
func (p *prover) point(c *Content, b Balance) point {
	start, end := p.index(b.Day), p.index(b.Day+1)
	own, sum := c.on(b.Day), int64(0)
	for _, e := range own {
		sum += e.Minor
	}
	switch {
	case b.Opening:
		return point{b, p.sums[start], p.sums[end] - sum, end - len(own)}
	case covers(c.Covered, b.Day):
		return point{b, p.sums[end], p.sums[start] + sum, start + len(own)}
	}
	return point{b, p.sums[end], p.sums[start], start}
}

// index returns the number of lines before a day.
func (p *prover) index(day Day) int {
	n, _ := slices.BinarySearchFunc(p.merged, day, func(m Merged, day Day) int { return cmp.Compare(m.Day, day) })
	return n
}

// compare compares each balance with the one before it.
func (p *prover) compare(points []point) Proof {
	var proof Proof
	for i := 1; i < len(points); i++ {
		from, to := &points[i-1], &points[i]
		gap := Gap{from.Balance, to.Balance, residual(from, to), p.uncovered(from, to)}
		if gap.Residual == 0 && len(gap.Uncovered) == 0 {
			proof.Proven = append(proof.Proven, Span{from.Day, to.Day})
		} else {
			proof.Gaps = append(proof.Gaps, gap)
		}
	}
	proof.Proven = Join(proof.Proven)
	return proof
}

// residual returns what the lines between two balances lack. It is 0 if one of the ways in
// which the balances may have been taken fits.
func residual(from, to *point) int64 {
	difference := to.Minor - from.Minor
	for _, start := range [...]int64{from.between, from.within} {
		for _, end := range [...]int64{to.between, to.within} {
			if end-start == difference {
				return 0
			}
		}
	}
	return difference - (to.between - from.between)
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
