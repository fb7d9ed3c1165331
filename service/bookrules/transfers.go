package bookrules

import (
	"cmp"
	"iter"
	"slices"

	"tarmac/service/statements/bank"
)

// TransferDays is the largest number of days between the two lines of a transfer.
const TransferDays = 5

// Movement is a line of an account's books with what its text says.
type Movement struct {
	Account int64
	*Merged
	*Hints
}

// Hints are what the text of a line and the user's rules say about it.
type Hints struct {
	Original  *bank.Original // amount in another currency; nil if the line has none
	Evidence  Evidence       // evidence of a transfer
	Payee     string         // name of the other party
	Explained bool           // true if a rule gives the line a category
}

// TransferDecision is the user's decision whether two lines are a transfer. Out and In are indexes
// in movements.
type TransferDecision struct {
	Out, In    int
	IsTransfer bool
}

// OwnAccount is an account of the organization with the days for which its lines are known.
type OwnAccount struct {
	Account
	Covered []Span // days of which all lines are known; the result of Coverage
	// BalanceDay is the last day whose lines the account's balance includes.
	BalanceDay Day
}

// Treatment says whether a line of the books becomes a transaction.
type Treatment uint8

// The treatments of lines. The other side of a transfer is the line on the other account.
const (
	IsRow       Treatment = iota // a transaction
	IsOneSided                   // a transaction of category internal_transfer, whose other side is missing
	IsPaired                     // no transaction: a transfer whose two sides are known
	IsInTransit                  // no transaction: a transfer whose other side is on a day that no statement covers yet
	IsOutside                    // no transaction: a line of an excluded account
	// IsSuspected is a transaction of category internal_transfer, until the user has said whether
	// it is one side of a transfer, or money for an own account that isn't in the books.
	IsSuspected
)

// Pair is a transfer. Out and In are the indexes in movements of the lines for money out and money
// in.
type Pair struct {
	Out, In int
	// LostMinor is the part of the amount that did not arrive, such as the margin of an exchange,
	// in minor units of the currency of In. It is negative for a gain. It becomes a transaction of
	// its own (LossRow).
	LostMinor int64
	// By is what says that the lines are a transfer, if that's neither line's own Evidence:
	// FromID or FromAnswer.
	By EvidenceOrigin
}

// Transit is a transfer of which only one side is known, because no statement covers the day of the
// other side.
type Transit struct {
	Movement int   // index in movements of the known line
	Other    int64 // key of the other account
	// Held is true if the balance of the other account does not include the money yet. The amount,
	// without its sign, then counts as cash in transit.
	Held bool
}

// Transfers is the result of FindTransfers.
type Transfers struct {
	Treatments []Treatment // treatment of each movement
	Pairs      []Pair
	InTransit  []Transit
	// Suspected holds pairs of lines that may be a transfer although they have no evidence of one.
	Suspected []Pair
	// Denied holds pairs that would be suspected, but the user has said of such lines that they
	// aren't a transfer.
	Denied []Pair
	// Elsewhere holds indexes in movements of lines of own money without another half. They may
	// have gone to, or come from, an own account that isn't in the books. They are suspected.
	Elsewhere []int
}

// TransferFacts is what is known about transfers besides the texts of single lines.
type TransferFacts struct {
	Decisions []TransferDecision
	// SameID holds pairs of indexes in movements of lines to which the provider gave one id.
	SameID  [][2]int
	Answers []TransferAnswer
}

// FindTransfers finds the transfers between accounts of the organization. A transfer is a pair of
// lines on two accounts, with the same amount and opposite signs, at most TransferDays apart. At
// least one of the two lines must have evidence of a transfer, and neither line's evidence may rule
// out the account of the other line. Lines in two currencies have the same amount if they differ by
// at most mostExchanged, converted by the rates of v.
//
// What the user has decided comes first, then lines with one id of a provider, and what the user
// has said about lines like these. Of the other pairs, those in which both lines have evidence
// come first, then those with the smallest distance in days. As many lines as possible are
// paired. Names of banks or of the company on one side, and amounts alone, need more; see
// pairUnique. The result does not depend on the order of accounts and movements. accounts must
// contain the account of every movement. If w ends, the result is incomplete.
func FindTransfers(
	w *Work, accounts []OwnAccount, movements []Movement, facts TransferFacts, v Valuation,
) Transfers {
	p := newPairing(w, accounts, movements, v)
	p.follow(facts.Decisions)
	p.pairSameIDs(facts.SameID)
	p.answers = newTransferAnswers(facts.Answers)
	p.pairAnswered()
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
	p.pairUnique()
	p.suspectOwnNames()
	p.findElsewhere()
	slices.SortFunc(p.found.Pairs, p.comparePairs)
	slices.SortFunc(p.found.Suspected, p.comparePairs)
	slices.SortFunc(p.found.Denied, p.comparePairs)
	return p.found
}

// follow takes the pairs that the user says are transfers. Lines of the other pairs stay apart.
// Decisions about lines that are no transfers by rules, or belong to excluded accounts, are
// ignored.
func (p *pairing) follow(decisions []TransferDecision) {
	for _, d := range decisions {
		if p.taken[d.Out] || p.taken[d.In] || p.level(&p.movements[d.Out], &p.movements[d.In]) == incompatible {
			continue
		}
		p.decided[d.Out], p.decided[d.In] = true, true
		if d.IsTransfer {
			pair := p.pairOf(d.Out, d.In)
			pair.By = FromAnswer
			p.take(pair)
		} else {
			p.apart[[2]int{d.Out, d.In}] = true
		}
	}
}

// pairing is the state of FindTransfers.
type pairing struct {
	work      *Work
	valuation Valuation
	accounts  map[int64]*OwnAccount
	// rank is the position of each account in the order of account numbers and currencies.
	rank      map[int64]int
	coverage  accountCoverage
	movements []Movement
	// order lists the indexes of the movements that may be transfers, by amount, currency, day,
	// account and ordinal. place[i] is the position of movement i in order.
	order     []int
	place     []int
	outs, ins []int             // the movements of order for money out and money in, in their order
	byValue   []valued          // movements of known value by day and value; empty if all accounts have one currency
	names     map[string]string // results of payeeWords
	taken     []bool
	decided   []bool          // lines about which the user has decided
	apart     map[[2]int]bool // lines of which the user says that they aren't a pair
	answers   transferAnswers
	found     Transfers
}

func newPairing(w *Work, accounts []OwnAccount, movements []Movement, v Valuation) *pairing {
	p := &pairing{
		work:      w,
		valuation: v,
		accounts:  map[int64]*OwnAccount{}, rank: map[int64]int{}, movements: movements,
		place: make([]int, len(movements)), taken: make([]bool, len(movements)), decided: make([]bool, len(movements)),
		names: map[string]string{}, apart: map[[2]int]bool{},
		found: Transfers{Treatments: make([]Treatment, len(movements))},
	}
	ranked := slices.Clone(accounts)
	slices.SortFunc(ranked, func(a, b OwnAccount) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Key, b.Key))
	})
	for i := range ranked {
		p.accounts[ranked[i].Key], p.rank[ranked[i].Key] = &ranked[i], i
	}
	p.coverage = newCoverage(ranked)
	mayPair := newPartners(p.accounts, movements)
	valuable := p.valueMovements()
	var account *OwnAccount
	for i := range movements {
		m := &movements[i]
		if account == nil || account.Key != m.Account {
			account = p.accounts[m.Account]
		}
		if account.Role == Excluded {
			p.found.Treatments[i], p.taken[i] = IsOutside, true
		}
		if m.Evidence.recognized() || m.Evidence.isOwn() || mayPair.has(m) || valuable != nil && valuable[i] {
			p.order = append(p.order, i)
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
		switch minor := movements[i].Minor; {
		case minor < 0:
			p.outs = append(p.outs, i)
		case minor > 0:
			p.ins = append(p.ins, i)
		}
	}
	return p
}

func (p *pairing) currency(i int) string { return p.accounts[p.movements[i].Account].Currency }

func (p *pairing) comparePairs(a, b Pair) int {
	return cmp.Or(cmp.Compare(p.movements[a.Out].Day, p.movements[b.Out].Day), cmp.Compare(p.place[a.Out], p.place[b.Out]))
}

// take records a pair as a transfer.
func (p *pairing) take(pair Pair) {
	p.taken[pair.Out], p.taken[pair.In] = true, true
	p.found.Treatments[pair.Out], p.found.Treatments[pair.In] = IsPaired, IsPaired
	p.found.Pairs = append(p.found.Pairs, pair)
}

// treatRest decides the treatment of lines that have evidence of a transfer but were not paired.
func (p *pairing) treatRest() {
	for _, i := range p.order {
		m := &p.movements[i]
		if p.taken[i] || m.Evidence.Strength < WeakEvidence || m.Minor == 0 || p.work.Stopped() {
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
	p.sortTransit()
}

func (p *pairing) sortTransit() {
	slices.SortFunc(p.found.InTransit, func(a, b Transit) int {
		return cmp.Or(cmp.Compare(p.movements[a.Movement].Day, p.movements[b.Movement].Day),
			cmp.Compare(p.place[a.Movement], p.place[b.Movement]))
	})
}

// inTransit returns a transit for the movement i if its other side may be on a day that the
// statements of another account do not cover.
//
// Days after the other account's last balance are preferred to gaps between its statements. If the
// evidence names no account, gaps do not count, and the other account must have the same currency:
// the money may have gone to an account that is not in the books. If the evidence is weak, the
// other account must be a card.
func (p *pairing) inTransit(i int) (found Transit, ok bool) {
	m := &p.movements[i]
	window := transferWindow(m)
	for other := range p.possibleOthers(i, window) {
		key := other.Key
		if key == m.Account || other.Role == Excluded || !m.Evidence.admits(key) ||
			m.Evidence.Strength == WeakEvidence && other.Role != Card ||
			m.Evidence.Others == nil && other.Currency != p.currency(i) {
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

// transferWindow returns the days on which the other side of a transfer usually is: up to
// TransferDays later for money out, and up to TransferDays earlier for money in.
func transferWindow(m *Movement) Span {
	if m.Minor > 0 {
		return Span{m.Day - TransferDays, m.Day}
	}
	return Span{m.Day, m.Day + TransferDays}
}

// possibleOthers returns accounts that the evidence of a movement admits, ordered by p.rank. If it
// names none, these are the accounts in its currency whose balance may not include the money yet.
func (p *pairing) possibleOthers(i int, window Span) iter.Seq[*OwnAccount] {
	m := &p.movements[i]
	if m.Evidence.Others == nil {
		return p.coverage.open(p.currency(i), window)
	}
	keys := slices.Clone(m.Evidence.Others)
	slices.SortFunc(keys, func(a, b int64) int { return cmp.Compare(p.rank[a], p.rank[b]) })
	return func(yield func(*OwnAccount) bool) {
		for _, key := range keys {
			if a := p.accounts[key]; a != nil && !yield(a) {
				return
			}
		}
	}
}

// lastUncovered returns the last day of window that is not covered. It returns false if all days
// are covered.
func lastUncovered(covered []Span, window Span) (Day, bool) {
	for day := window.Last; day >= window.First; day-- {
		if !covers(covered, day) {
			return day, true
		}
	}
	return 0, false
}

// FarFuture is a day that is later than all others.
const FarFuture = Day(1 << 30)

// Coverage returns the days of which all lines of an account are known: the days that the contents
// cover, the days between statements whose balances chain, all days before an opening balance of
// zero, and for a closed account all days after the last statement.
func Coverage(role Role, contents []Content) []Span {
	days := Covered(contents)
	if len(days) == 0 {
		return nil
	}
	first, last := &days[0], &days[len(days)-1]
	for i := range contents {
		for _, b := range contents[i].Balances {
			if b.Opening && b.Minor == 0 && b.Day <= first.First {
				first.First = -FarFuture
			}
		}
	}
	if role == Closed {
		last.Last = FarFuture
	}
	return days
}
