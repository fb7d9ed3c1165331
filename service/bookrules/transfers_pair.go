package bookrules

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// evidenceLevel says which lines of a possible pair have evidence of a transfer.
type evidenceLevel uint8

// The levels of evidence, from the surest to none.
const (
	bothSides evidenceLevel = iota
	oneStrong
	oneWeak
	oneBank
	onePossibleBank
	oneOwner
	noSide
	incompatible
)

// level returns the level of evidence that two lines are the sides of a transfer.
func (p *pairing) level(out, in *Movement) evidenceLevel {
	a, b := out.Evidence, in.Evidence
	switch {
	case out.Account == in.Account || !a.admits(in.Account) || !b.admits(out.Account):
		return incompatible
	case a.recognized() && b.recognized():
		return bothSides
	case a.Strength == StrongEvidence || b.Strength == StrongEvidence:
		return oneStrong
	case a.Strength == WeakEvidence || b.Strength == WeakEvidence:
		return oneWeak
	case a.Strength == NamedBank || b.Strength == NamedBank:
		return oneBank
	case a.Strength == PossibleBank || b.Strength == PossibleBank:
		return onePossibleBank
	case a.recognized() || b.recognized():
		return oneOwner
	}
	return noSide
}

// edge is a possible pair of lines in the matching of lines for money out with lines for money in.
type edge struct {
	Pair
	level    evidenceLevel
	distance Day
}

// equalAmounts returns groups of movements, as parts of p.order. The movements of a group have the
// same amount and currency, and include money out and money in.
func (p *pairing) equalAmounts() iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for rest := p.order; len(rest) > 0; {
			head := rest[0]
			amount, currency := magnitude(p.movements[head].Minor), p.currency(head)
			n, outs := 0, 0
			for n < len(rest) && magnitude(p.movements[rest[n]].Minor) == amount && p.currency(rest[n]) == currency {
				if p.movements[rest[n]].Minor < 0 {
					outs++
				}
				n++
			}
			if amount > 0 && outs > 0 && outs < n && !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// mostPartners is the largest number of possible partners that are considered for a line. If lines
// are so many that their pairs would be more than mostEdges, it is less, but not less than
// fewestPartners.
const mostPartners, fewestPartners, mostEdges = 100, 8, 200_000

// edges returns the possible pairs in a group that have the given level of evidence, which at least
// one line of a pair must have. Pairs with the smallest distance in days come first.
func (p *pairing) edges(group []int, level evidenceLevel) []edge {
	most := min(mostPartners, max(fewestPartners, mostEdges/len(group)))
	var edges []edge
	for _, i := range group {
		a := &p.movements[i]
		if p.taken[i] || !a.Evidence.recognized() || p.work.Stopped() {
			continue
		}
		before := len(edges)
		for j := range p.equals(i) {
			if len(edges)-before == most {
				break
			}
			b := &p.movements[j]
			if p.taken[j] || a.Minor > 0 && b.Evidence.recognized() { // such a pair is added at its money out
				continue
			}
			pair := Pair{Out: i, In: j}
			if a.Minor > 0 {
				pair = Pair{Out: j, In: i}
			}
			if p.level(&p.movements[pair.Out], &p.movements[pair.In]) == level && !p.apart[[2]int{pair.Out, pair.In}] {
				edges = append(edges, edge{pair, level, max(b.Day-a.Day, a.Day-b.Day)})
			}
		}
	}
	p.sortEdges(edges)
	return edges
}

func (p *pairing) sortEdges(edges []edge) {
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.distance, b.distance),
			cmp.Compare(p.place[a.Out], p.place[b.Out]), cmp.Compare(p.place[a.In], p.place[b.In]))
	})
}

// pair pairs lines in the order of edges. If repartner is true, it then gives paired lines other
// partners until no more lines can be paired.
func (p *pairing) pair(edges []edge, repartner bool) {
	partner := map[int]int{} // maps each paired line to its partner
	byOut := map[int][]edge{}
	var outs []int
	for _, e := range edges {
		if _, known := byOut[e.Out]; !known {
			outs = append(outs, e.Out)
		}
		byOut[e.Out] = append(byOut[e.Out], e)
		_, outTaken := partner[e.Out]
		if _, inTaken := partner[e.In]; !outTaken && !inTaken {
			partner[e.Out], partner[e.In] = e.In, e.Out
		}
	}
	dead := map[int]bool{} // lines from which no line without a partner can be reached
	for _, out := range outs {
		if _, paired := partner[out]; !repartner || paired || p.work.Stopped() {
			continue
		}
		if visited := map[int]bool{}; !augment(byOut, partner, dead, visited, out) {
			maps.Copy(dead, visited)
		}
	}
	for _, e := range edges {
		if in, paired := partner[e.Out]; paired && in == e.In {
			p.take(e.Pair)
		}
	}
}

// mostVisited bounds the lines that augment looks at for one partner.
const mostVisited = 500

// augment finds a partner for the outgoing line with the given index, if necessary by giving other
// lines new partners. It is the search for an augmenting path in a bipartite matching.
func augment(byOut map[int][]edge, partner map[int]int, dead, visited map[int]bool, outgoing int) bool {
	for _, e := range byOut[outgoing] {
		if visited[e.In] || dead[e.In] || len(visited) == mostVisited {
			continue
		}
		visited[e.In] = true
		if other, paired := partner[e.In]; !paired || augment(byOut, partner, dead, visited, other) {
			partner[outgoing], partner[e.In] = e.In, outgoing
			return true
		}
	}
	return false
}

// pairAcrossCurrencies pairs lines in different currencies. Those with the smallest distance in
// days are paired first.
func (p *pairing) pairAcrossCurrencies() {
	currencies := map[string]bool{}
	for _, i := range p.order {
		currencies[p.currency(i)] = true
	}
	if len(currencies) < 2 {
		return
	}
	x := p.newExchanges()
	var edges []edge
	for _, i := range x.recognized {
		if p.work.Stopped() {
			return
		}
		before := len(edges)
		for j := range x.partners(p, i) {
			if e, ok := p.exchange(i, j); ok {
				edges = append(edges, e)
			}
			if len(edges)-before == mostPartners {
				break
			}
		}
	}
	p.sortEdges(edges)
	p.pair(slices.CompactFunc(edges, func(a, b edge) bool { return a.Pair == b.Pair }), false)
}

// exchange returns two lines in different currencies as a possible pair. It returns false if they
// cannot be the two sides of a transfer.
func (p *pairing) exchange(i, j int) (edge, bool) {
	pair := Pair{Out: i, In: j}
	if p.movements[i].Minor > 0 {
		pair = Pair{Out: j, In: i}
	}
	out, in := &p.movements[pair.Out], &p.movements[pair.In]
	if out.Minor > 0 || in.Minor < 0 || p.currency(i) == p.currency(j) {
		return edge{}, false
	}
	level := p.level(out, in)
	if level > oneWeak || p.apart[[2]int{pair.Out, pair.In}] {
		return edge{}, false
	}
	lost, fits := p.lost(out, in)
	pair.LostMinor = lost
	return edge{pair, level, max(out.Day-in.Day, in.Day-out.Day)}, fits
}
