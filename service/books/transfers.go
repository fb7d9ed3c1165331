package books

import (
	"cmp"
	"slices"

	"tarmac/service/statements/bank"
)

// transferDays is the greatest number of days between the two halves of a transfer.
const transferDays = 5

// Movement is a line of an account's books with what it says about transfers.
type Movement struct {
	Account int64
	Merged
	Original *bank.Original // amount in another currency; nil if the line has none
	Evidence Evidence
}

// OwnAccount is an account with the days that its books know.
type OwnAccount struct {
	Account
	Covered []Span // days with all their lines, from Coverage
	// BalanceDay is the last day whose lines the account's balance includes.
	BalanceDay Day
	Rates      []bank.Rate // of the account's currency, the oldest first
}

// Treatment says what becomes of a line of the books.
type Treatment uint8

// Treatments of lines.
const (
	IsRow       Treatment = iota // a row of the ledger
	IsOneSided                   // a row of category internal_transfer: a transfer without its other half
	IsPaired                     // no row: a half of a transfer between own accounts
	IsInTransit                  // no row: a half whose other half no statement covers yet
	IsOutside                    // no row: a line of an excluded account
)

// Pair is two lines that are one transfer, as indices of movements.
type Pair struct {
	Out, In int
	// LostMinor is the part of the amount that did not arrive, such as the margin of an exchange,
	// in the currency of In. It is a row of its own (LossRow), negative for a gain.
	LostMinor int64
}

// Transit is a half of a transfer whose other half no statement covers.
type Transit struct {
	Movement int   // index of the movement
	Other    int64 // key of the other account
	// Held reports whether the balance of the other account does not include the money yet, so
	// that the amount without its sign counts as in transit.
	Held bool
}

// Transfers says which lines are transfers between own accounts.
type Transfers struct {
	Treatments []Treatment // of each movement
	Pairs      []Pair
	InTransit  []Transit
	// Proposals are lines that fit each other by amount and day alone. They are rows unless a
	// person says that they are transfers.
	Proposals []Pair
}

// FindTransfers pairs the halves of transfers between own accounts: lines of opposite sign and
// the same amount, at most five days apart, at least one of which has evidence that allows the
// other's account. Pairs in which both lines have evidence come first, then the nearest; as many
// lines pair as can. The result does not depend on the order of accounts and movements. accounts
// must hold the account of every movement.
func FindTransfers(accounts []OwnAccount, movements []Movement) Transfers {
	p := newPairing(accounts, movements)
	for group := range p.equalAmounts() {
		if !slices.ContainsFunc(group, func(i int) bool { return movements[i].Evidence.recognized() }) {
			continue
		}
		for _, level := range [...]evidenceLevel{bothSides, oneStrong, oneWeak} {
			p.pair(p.edges(group, level), true)
		}
	}
	p.pairAcrossCurrencies()
	p.treatRest()
	for group := range p.equalAmounts() {
		p.propose(p.edges(group, noSide))
	}
	slices.SortFunc(p.found.Pairs, p.comparePairs)
	slices.SortFunc(p.found.Proposals, p.comparePairs)
	return p.found
}

// pairing pairs movements.
type pairing struct {
	accounts  map[int64]*OwnAccount
	rank      map[int64]int // places of accounts in the order of their numbers and currencies
	movements []Movement
	order     []int // indices of movements by amount, currency, day, account and ordinal
	place     []int // places of movements in order
	taken     []bool
	found     Transfers
}

func newPairing(accounts []OwnAccount, movements []Movement) *pairing {
	p := &pairing{
		accounts: map[int64]*OwnAccount{}, rank: map[int64]int{}, movements: movements,
		order: make([]int, len(movements)), place: make([]int, len(movements)), taken: make([]bool, len(movements)),
		found: Transfers{Treatments: make([]Treatment, len(movements))},
	}
	ranked := slices.Clone(accounts)
	slices.SortFunc(ranked, func(a, b OwnAccount) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Key, b.Key))
	})
	for i := range ranked {
		p.accounts[ranked[i].Key], p.rank[ranked[i].Key] = &ranked[i], i
	}
	for i := range p.order {
		p.order[i] = i
		if p.accounts[movements[i].Account].Role == Excluded {
			p.found.Treatments[i], p.taken[i] = IsOutside, true
		}
	}
	slices.SortFunc(p.order, func(i, j int) int {
		a, b := &movements[i], &movements[j]
		return cmp.Or(cmp.Compare(magnitude(a.Minor), magnitude(b.Minor)), cmp.Compare(p.currency(i), p.currency(j)),
			cmp.Compare(a.Day, b.Day), cmp.Compare(p.rank[a.Account], p.rank[b.Account]), cmp.Compare(a.Minor, b.Minor),
			cmp.Compare(a.Ordinal, b.Ordinal))
	})
	for place, i := range p.order {
		p.place[i] = place
	}
	return p
}

func (p *pairing) currency(i int) string { return p.accounts[p.movements[i].Account].Currency }

func (p *pairing) comparePairs(a, b Pair) int {
	return cmp.Or(cmp.Compare(p.movements[a.Out].Day, p.movements[b.Out].Day), cmp.Compare(p.place[a.Out], p.place[b.Out]))
}

// take records a pair.
func (p *pairing) take(pair Pair) {
	p.taken[pair.Out], p.taken[pair.In] = true, true
	p.found.Treatments[pair.Out], p.found.Treatments[pair.In] = IsPaired, IsPaired
	p.found.Pairs = append(p.found.Pairs, pair)
}

// treatRest decides about halves without a partner.
func (p *pairing) treatRest() {
	for _, i := range p.order {
		m := &p.movements[i]
		if p.taken[i] || !m.Evidence.recognized() || m.Minor == 0 {
			continue
		}
		if transit, ok := p.inTransit(i); ok {
			p.taken[i] = true
			p.found.Treatments[i] = IsInTransit
			p.found.InTransit = append(p.found.InTransit, transit)
		} else if m.Evidence.Strength == StrongEvidence {
			p.taken[i] = true
			p.found.Treatments[i] = IsOneSided
		}
	}
	slices.SortFunc(p.found.InTransit, func(a, b Transit) int {
		return cmp.Or(cmp.Compare(p.movements[a.Movement].Day, p.movements[b.Movement].Day),
			cmp.Compare(p.place[a.Movement], p.place[b.Movement]))
	})
}

// inTransit looks for an account whose statements do not cover all days on which the other half
// of a line may be: up to five days after money out, or before money in. Days that are still to
// come in the other account's statements come before gaps. Without a named account only these
// count, and weak evidence counts on the way to a card alone.
func (p *pairing) inTransit(i int) (found Transit, ok bool) {
	m := &p.movements[i]
	window := Span{m.Day, m.Day + transferDays}
	if m.Minor > 0 {
		window = Span{m.Day - transferDays, m.Day}
	}
	for _, key := range p.byRank() {
		other := p.accounts[key]
		if key == m.Account || other.Role == Excluded || !m.Evidence.admits(key) ||
			m.Evidence.Strength == WeakEvidence && other.Role != Card {
			continue
		}
		last, open := lastUncovered(other.Covered, window)
		switch {
		case open && last > other.BalanceDay:
			return Transit{Movement: i, Other: key, Held: true}, true
		case open && m.Evidence.Others != nil && !ok:
			found, ok = Transit{Movement: i, Other: key}, true
		}
	}
	return found, ok
}

// byRank returns the keys of the accounts in the order of their ranks.
func (p *pairing) byRank() []int64 {
	keys := make([]int64, len(p.rank))
	for key, rank := range p.rank {
		keys[rank] = key
	}
	return keys
}

// lastUncovered returns the last day of a window that is not covered.
func lastUncovered(covered []Span, window Span) (Day, bool) {
	for day := window.Last; day >= window.First; day-- {
		if !covers(covered, day) {
			return day, true
		}
	}
	return 0, false
}

// Coverage returns the days whose lines the contents of an account know. An opening balance of
// zero covers what was before it, and a closed account what comes after its last statement.
func Coverage(role Role, contents []Content) []Span {
	const always = Day(1 << 30)
	covered := coverage(contents)
	if len(covered) == 0 {
		return nil
	}
	first, last := &covered[0], &covered[len(covered)-1]
	for i := range contents {
		for _, b := range contents[i].Balances {
			if b.Opening && b.Minor == 0 && b.Day <= first.First {
				first.First = -always
			}
		}
	}
	if role == Closed {
		last.Last = always
	}
	return covered
}
