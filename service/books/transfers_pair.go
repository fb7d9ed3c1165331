package books

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// evidenceLevel says which of the two lines of a pair have evidence.
type evidenceLevel uint8

// The levels, the surest first.
const (
	bothSides evidenceLevel = iota
	oneStrong
	oneWeak
	noSide
	incompatible
)

// level returns the level of a pair of lines of different accounts.
func (p *pairing) level(out, in *Movement) evidenceLevel {
	a, b := out.Evidence, in.Evidence
	switch {
	case out.Account == in.Account || !a.admits(in.Account) || !b.admits(out.Account):
		return incompatible
	case a.recognized() && b.recognized():
		return bothSides
	case a.Strength == StrongEvidence || b.Strength == StrongEvidence:
		return oneStrong
	case a.recognized() || b.recognized():
		return oneWeak
	}
	return noSide
}

// edge is a possible pair.
type edge struct {
	Pair
	level    evidenceLevel
	distance Day
}

// equalAmounts returns the groups of movements with equal amounts and currencies that have money
// out and money in, as ranges of order.
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

// mostPartners bounds the possible partners that are considered for a line.
const mostPartners = 100

// edges returns the possible pairs of a level in a group, the nearest first.
func (p *pairing) edges(group []int, level evidenceLevel) []edge {
	var edges []edge
	for at, i := range group {
		if p.taken[i] {
			continue
		}
		before := len(edges)
		for _, j := range group[at+1:] {
			a, b := &p.movements[i], &p.movements[j]
			if b.Day-a.Day > transferDays || len(edges)-before == mostPartners {
				break
			}
			if p.taken[j] || (a.Minor < 0) == (b.Minor < 0) {
				continue
			}
			pair := Pair{Out: i, In: j}
			if a.Minor > 0 {
				pair = Pair{Out: j, In: i}
			}
			if p.level(&p.movements[pair.Out], &p.movements[pair.In]) == level {
				edges = append(edges, edge{pair, level, b.Day - a.Day})
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

// pair takes possible pairs in their order. If all is set, it then changes partners until no
// more lines can pair.
func (p *pairing) pair(edges []edge, all bool) {
	partner := map[int]int{} // of each line
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
	for _, out := range outs {
		if _, paired := partner[out]; all && !paired {
			augment(byOut, partner, map[int]bool{}, out)
		}
	}
	for _, e := range edges {
		if in, paired := partner[e.Out]; paired && in == e.In {
			p.take(e.Pair)
		}
	}
}

// augment finds a partner for a line by giving others new partners.
func augment(byOut map[int][]edge, partner map[int]int, visited map[int]bool, out int) bool {
	for _, e := range byOut[out] {
		if visited[e.In] {
			continue
		}
		visited[e.In] = true
		if other, paired := partner[e.In]; !paired || augment(byOut, partner, visited, other) {
			partner[out], partner[e.In] = e.In, out
			return true
		}
	}
	return false
}

// propose adds the nearest pairs to the proposals, each line at most once.
func (p *pairing) propose(edges []edge) {
	proposed := map[int]bool{}
	for _, e := range edges {
		if !proposed[e.Out] && !proposed[e.In] {
			proposed[e.Out], proposed[e.In] = true, true
			p.found.Proposals = append(p.found.Proposals, e.Pair)
		}
	}
}

// pairAcrossCurrencies pairs halves in different currencies, the nearest first.
func (p *pairing) pairAcrossCurrencies() {
	byDay := make([]int, 0, len(p.order))
	currencies := map[string]bool{}
	for _, i := range p.order {
		currencies[p.currency(i)] = true
		if !p.taken[i] && p.movements[i].Minor != 0 && p.movements[i].Evidence.Strength != NoTransfer {
			byDay = append(byDay, i)
		}
	}
	if len(currencies) < 2 {
		return
	}
	day := func(at int) Day { return p.movements[byDay[at]].Day }
	sort.SliceStable(byDay, func(a, b int) bool { return day(a) < day(b) })
	var edges []edge
	for at, i := range byDay {
		if !p.movements[i].Evidence.recognized() {
			continue
		}
		from := sort.Search(len(byDay), func(other int) bool { return day(other) >= day(at)-transferDays })
		for other := from; other < len(byDay) && day(other) <= day(at)+transferDays; other++ {
			// Two lines with evidence meet twice, the first time at the earlier one.
			both := p.movements[byDay[other]].Evidence.recognized()
			if e, ok := p.exchange(i, byDay[other]); ok && (!both || at < other) {
				edges = append(edges, e)
			}
		}
	}
	p.sortEdges(edges)
	p.pair(edges, false)
}

// exchange returns the possible pair of two lines in different currencies.
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
	if level >= noSide {
		return edge{}, false
	}
	lost, fits := p.lost(out, in)
	pair.LostMinor = lost
	return edge{pair, level, max(out.Day-in.Day, in.Day-out.Day)}, fits
}
