package bookrules

import "slices"

// isOwn reports whether the evidence is that the money stays the company's, wherever it went: its
// own name as the other party, or an exchange.
func (e Evidence) isOwn() bool { return e.Origin == FromOwner || e.Origin == FromConversion }

// pairSameIDs takes the pairs of lines to which a provider gave one id: two accounts, opposite
// directions, at most TransferDays apart, and one amount.
func (p *pairing) pairSameIDs(pairs [][2]int) {
	for _, lines := range pairs {
		i, j := lines[0], lines[1]
		if p.movements[i].Minor > 0 {
			i, j = j, i
		}
		out, in := &p.movements[i], &p.movements[j]
		if out.Minor >= 0 || in.Minor <= 0 || p.taken[i] || p.taken[j] || p.apart[[2]int{i, j}] ||
			p.level(out, in) == incompatible || max(out.Day-in.Day, in.Day-out.Day) > TransferDays {
			continue
		}
		pair, fits := Pair{Out: i, In: j, By: FromID}, out.Minor == -in.Minor
		if p.currency(i) != p.currency(j) {
			pair.LostMinor, fits = p.lostWithin(out, in, mostLost)
		}
		if fits {
			p.take(pair)
		}
	}
}

// TransferAnswer is the user's answer about lines that may be own money. It holds for the same
// words of the payees, the same direction and the same accounts, past and to come, up to
// answeredTimes the largest amount that it was given about.
type TransferAnswer struct {
	TransferPattern
	LargestMinor int64 // in the currency of the account Out, or of In if Out is 0
	Yes          bool
}

// TransferPattern is what pairs of lines that are asked about together have in common.
type TransferPattern struct {
	Out, In           int64  // keys of the accounts; 0 for an own account that isn't in the books
	OutWords, InWords string // PayeeWords of the lines
}

// PayeeWords returns the words of a payee's name up to its references.
func PayeeWords(name string) string { return payeeWords(name) }

// transferAnswers finds the answer about lines.
type transferAnswers struct {
	byPattern map[TransferPattern][]TransferAnswer // smaller amounts first
	accounts  map[int64]bool                       // accounts about which there are answers
}

func newTransferAnswers(answers []TransferAnswer) transferAnswers {
	found := transferAnswers{map[TransferPattern][]TransferAnswer{}, map[int64]bool{}}
	for _, a := range answers {
		found.byPattern[a.TransferPattern] = append(found.byPattern[a.TransferPattern], a)
		found.accounts[a.Out], found.accounts[a.In] = true, true
	}
	for _, list := range found.byPattern {
		slices.SortFunc(list, func(a, b TransferAnswer) int {
			if a.LargestMinor != b.LargestMinor {
				return int(min(max(a.LargestMinor-b.LargestMinor, -1), 1))
			}
			return compareBool(a.Yes, b.Yes)
		})
	}
	return found
}

// about returns the answer that holds for an amount of a pattern.
func (f *transferAnswers) about(pattern TransferPattern, minor int64) (yes, known bool) {
	for _, a := range f.byPattern[pattern] {
		if magnitude(minor)/answeredTimes <= a.LargestMinor {
			return a.Yes, true
		}
	}
	return false, false
}

// patternOf returns the pattern of two lines.
func (p *pairing) patternOf(out, in int) TransferPattern {
	return TransferPattern{
		Out: p.movements[out].Account, In: p.movements[in].Account, OutWords: p.payee(out).name, InWords: p.payee(in).name,
	}
}

// pairAnswered takes the pairs of which the user has said that lines like these are transfers, the
// nearest ones first. Lines like those that aren't stay apart.
func (p *pairing) pairAnswered() {
	if len(p.answers.byPattern) == 0 {
		return
	}
	var edges []edge
	for _, i := range p.outs {
		if !p.mayBeHalf(i) || !p.answers.accounts[p.movements[i].Account] || p.work.Stopped() {
			continue
		}
		before := len(edges)
		for j := range p.otherHalves(i) {
			if len(edges)-before == mostPartners || !p.answers.accounts[p.movements[j].Account] || !p.mayBeHalf(j) {
				continue
			}
			yes, known := p.answers.about(p.patternOf(i, j), p.movements[i].Minor)
			switch pair := p.pairOf(i, j); {
			case known && yes:
				pair.By = FromAnswer
				out, in := &p.movements[i], &p.movements[j]
				edges = append(edges, edge{pair, bothSides, max(out.Day-in.Day, in.Day-out.Day)})
			case known:
				p.apart[[2]int{i, j}] = true
				p.found.Denied = append(p.found.Denied, pair)
			}
		}
	}
	p.sortEdges(edges)
	p.pair(edges, true)
}

// suspectOwnNames suspects pairs of lines that both may name the company itself, the nearest first.
func (p *pairing) suspectOwnNames() {
	var edges []edge
	open := func(i int) bool {
		return p.movements[i].Evidence.isOwn() && p.mayBeHalf(i) && p.found.Treatments[i] == IsRow
	}
	for _, i := range p.outs {
		if !open(i) || p.work.Stopped() {
			continue
		}
		for j := range p.otherHalves(i) {
			if out, in := &p.movements[i], &p.movements[j]; open(j) {
				edges = append(edges, edge{p.pairOf(i, j), noSide, max(out.Day-in.Day, in.Day-out.Day)})
			}
		}
	}
	p.sortEdges(edges)
	for _, e := range edges {
		if open(e.Out) && open(e.In) {
			p.found.Treatments[e.Out], p.found.Treatments[e.In] = IsSuspected, IsSuspected
			p.found.Suspected = append(p.found.Suspected, e.Pair)
		}
	}
}

// findElsewhere sets Elsewhere. Lines of own money whose other half may still come on a statement
// of an account with which the account has other transfers are in transit.
func (p *pairing) findElsewhere() {
	var partners map[int64][]int64
	for _, i := range p.order {
		m := &p.movements[i]
		asked := m.Evidence.isOwn() && m.Evidence.Strength != NoTransfer
		if !asked || p.taken[i] || p.decided[i] || p.found.Treatments[i] != IsRow || m.Minor == 0 || m.Explained {
			continue
		}
		pattern := TransferPattern{Out: m.Account, OutWords: p.payee(i).name}
		if m.Minor > 0 {
			pattern = TransferPattern{In: m.Account, InWords: p.payee(i).name}
		}
		if yes, known := p.answers.about(pattern, m.Minor); known {
			if yes {
				p.found.Treatments[i] = IsOneSided
			}
			continue
		}
		if partners == nil {
			partners = p.partnersByName()
		}
		if transit, ok := p.ownInTransit(i, partners[m.Account]); ok {
			p.found.Treatments[i] = IsInTransit
			p.found.InTransit = append(p.found.InTransit, transit)
			continue
		}
		p.found.Treatments[i] = IsSuspected
		p.found.Elsewhere = append(p.found.Elsewhere, i)
	}
	p.sortTransit()
}

// partnersByName returns, for each account, the accounts with which it has transfers whose lines
// have the company's own name.
func (p *pairing) partnersByName() map[int64][]int64 {
	partners := map[int64][]int64{}
	for _, pair := range p.found.Pairs {
		out, in := &p.movements[pair.Out], &p.movements[pair.In]
		if !out.Evidence.isOwn() && !in.Evidence.isOwn() {
			continue
		}
		for _, both := range [...][2]int64{{out.Account, in.Account}, {in.Account, out.Account}} {
			if !slices.Contains(partners[both[0]], both[1]) {
				partners[both[0]] = append(partners[both[0]], both[1])
			}
		}
	}
	for _, list := range partners {
		slices.SortFunc(list, func(a, b int64) int { return p.rank[a] - p.rank[b] })
	}
	return partners
}

// ownInTransit returns a transit for the movement i if the statements of one of the accounts end
// before its other half would be there.
func (p *pairing) ownInTransit(i int, others []int64) (Transit, bool) {
	window := transferWindow(&p.movements[i])
	for _, key := range others {
		other := p.accounts[key]
		last, open := lastUncovered(other.Covered, window)
		if open && last > other.BalanceDay && p.movements[i].Evidence.admits(key) && other.Currency == p.currency(i) {
			return Transit{Movement: i, Other: key, Held: true}, true
		}
	}
	return Transit{}, false
}
