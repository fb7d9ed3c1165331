package bookrules

import (
	"slices"
	"strings"

	"tarmac/internal/money"
)

// leastSuspected returns the smallest amount, in minor units of the currency of reports, that is
// suspected to be a transfer without evidence. Smaller amounts are often equal by chance.
func (p *pairing) leastSuspected() int64 { return leastAsked(p.valuation.Currency) }

// leastAsked returns the smallest amount that is asked about only because of its size, in minor
// units of the currency.
func leastAsked(currency string) int64 {
	const units = 1000
	return units * tenTo(money.Exponent(currency)).Int64()
}

// pairUnique takes pairs of lines that are unique on both sides: neither line could be half of
// another transfer. With the name of a bank on one side, they are a transfer. With the company's
// own name on one side they are one if the other line names nobody. If the name may mean
// something else, or if there is no evidence, every line of both payees must be such a half too:
// a contractor who is paid each month never is. Pairs without evidence are only suspected.
func (p *pairing) pairUnique() {
	var doubtful []edge
	for _, i := range p.order {
		if p.work.Stopped() {
			return
		}
		if !p.isCandidate(i) {
			continue
		}
		j, unique := p.onlyPartner(i)
		if !unique || !p.mayBeHalf(j) || p.movements[i].Minor > 0 && p.isCandidate(j) {
			continue // if j is a candidate, too, the pair is found from j, the money out
		}
		if back, unique := p.onlyPartner(j); !unique || back != i {
			continue
		}
		out, in := i, j
		if p.movements[i].Minor > 0 {
			out, in = j, i
		}
		e := edge{Pair: p.pairOf(out, in), level: p.level(&p.movements[out], &p.movements[in])}
		switch {
		case e.level < onePossibleBank:
			p.take(e.Pair)
		case e.level == onePossibleBank || e.level == oneOwner || p.isSuspicious(e.Pair):
			doubtful = append(doubtful, e)
		}
	}
	payees := p.payeesOf(doubtful)
	for _, e := range doubtful {
		out, in := payees[p.payee(e.Out)], payees[p.payee(e.In)]
		outOwn, inOwn := p.movements[e.Out].Evidence.isOwn(), p.movements[e.In].Evidence.isOwn()
		switch {
		case !outOwn && !out.moves() || !inOwn && !in.moves():
		case !outOwn && !inOwn && out.isSteady() && in.isSteady():
		case e.level == onePossibleBank, e.level == oneOwner && (outOwn || !out.named) && (inOwn || !in.named):
			p.take(e.Pair)
		default:
			p.found.Treatments[e.Out], p.found.Treatments[e.In] = IsSuspected, IsSuspected
			p.found.Suspected = append(p.found.Suspected, e.Pair)
		}
	}
}

// mayBeHalf reports whether a line may be half of a transfer that pairUnique finds.
func (p *pairing) mayBeHalf(i int) bool {
	m := &p.movements[i]
	return !p.taken[i] && !p.decided[i] && m.Minor != 0 && m.Evidence.Strength != NoTransfer
}

// isCandidate reports whether a line names a bank, or is suspected by its amount.
func (p *pairing) isCandidate(i int) bool {
	if !p.mayBeHalf(i) {
		return false
	}
	switch p.movements[i].Evidence.Strength {
	case PossibleBank, NamedBank, NamedOwner:
		return true
	case NoEvidence, PossibleOwner:
		return p.isLarge(i)
	}
	return false
}

// isLarge reports whether the amount of a line suffices for a suspicion.
func (p *pairing) isLarge(i int) bool {
	m := &p.movements[i]
	a := p.accounts[m.Account]
	cents, known := p.valuation.Value(m.Minor, a.Currency, m.Day)
	return known && magnitude(cents) >= p.leastSuspected()
}

// isSuspicious reports whether lines without evidence may be a transfer: both amounts suffice, and
// no rule says what they are.
func (p *pairing) isSuspicious(pair Pair) bool {
	return p.isLarge(pair.Out) && p.isLarge(pair.In) && !p.movements[pair.Out].Explained &&
		!p.movements[pair.In].Explained
}

// pairOf returns the pair of two lines.
func (p *pairing) pairOf(out, in int) Pair {
	pair := Pair{Out: out, In: in}
	if p.currency(out) != p.currency(in) {
		pair.LostMinor, _ = p.lost(&p.movements[out], &p.movements[in])
	}
	return pair
}

// onlyPartner returns the only line that could be the other half of a transfer of the given line.
// It returns false if there is none or more than one.
func (p *pairing) onlyPartner(i int) (partner int, unique bool) {
	partner = -1
	for other := range p.otherHalves(i) {
		if partner >= 0 {
			return partner, false
		}
		partner = other
	}
	return partner, partner >= 0
}

// payeeKey identifies a payee, or a payer, of an account.
type payeeKey struct {
	account int64
	name    string // words of the name up to the first number
	in      bool
}

func (p *pairing) payee(i int) payeeKey {
	m := &p.movements[i]
	name, known := p.names[m.Payee]
	if !known {
		name = payeeWords(m.Payee)
		p.names[m.Payee] = name
	}
	return payeeKey{m.Account, name, m.Minor > 0}
}

// payeeWords returns the words of a name up to the first one, other than the first of all, that has
// a digit: what follows are references.
func payeeWords(name string) string {
	all := strings.Fields(words(name))
	for n := range all {
		if n > 0 && hasDigit(all[n]) {
			all = all[:n]
			break
		}
	}
	return strings.Join(all, " ")
}

// payee counts the lines of a payee.
type payee struct {
	lines, halves int // all lines, and those that are or could be half of a transfer
	// unknown counts lines whose other half would be on a day that no statement covers.
	unknown int
	amount  int64 // amount of all lines; 0 if it differs
	named   bool  // true if the name is that of a person or a company
}

// moves reports whether every line of the payee could be half of a transfer. Lines of which that is
// not known must not be most of them.
func (p *payee) moves() bool { return p.halves+p.unknown == p.lines && p.halves >= p.unknown }

// isSteady reports whether somebody pays, or is paid, the same amount again and again, as a
// customer or a contractor is. Transfers between two accounts of one organization seldom name
// somebody on both sides.
func (p *payee) isSteady() bool {
	const often = 3
	return p.named && p.lines >= often && p.amount != 0
}

// payeesOf counts the lines of the payees of some pairs.
func (p *pairing) payeesOf(pairs []edge) map[payeeKey]*payee {
	found := map[payeeKey]*payee{}
	for _, pair := range pairs {
		for _, i := range [...]int{pair.Out, pair.In} {
			key := p.payee(i)
			found[key] = &payee{named: namesSomebody(key.name)}
		}
	}
	if len(found) == 0 {
		return found
	}
	for i := range p.movements {
		counted := found[p.payee(i)]
		if counted == nil || p.work.Stopped() {
			continue
		}
		amount := magnitude(p.movements[i].Minor)
		if counted.lines == 0 {
			counted.amount = amount
		} else if counted.amount != amount {
			counted.amount = 0
		}
		counted.lines++
		switch {
		case p.couldBeHalf(i):
			counted.halves++
		case p.isUnknown(i):
			counted.unknown++
		}
	}
	return found
}

// namesSomebody reports whether a name has words other than those that banks use for movements,
// accounts and themselves.
func namesSomebody(name string) bool {
	all := strings.Fields(name)
	return slices.ContainsFunc(all, func(word string) bool { return !isBesideNames(word) }) &&
		!slices.ContainsFunc(all, func(word string) bool {
			return slices.Contains(bankForms, word) || isSureBank(word)
		})
}

// couldBeHalf reports whether a line is half of a transfer, or another line could be its other
// half.
func (p *pairing) couldBeHalf(i int) bool {
	if p.taken[i] || p.decided[i] {
		return true
	}
	for range p.otherHalves(i) {
		return true
	}
	return false
}

// isUnknown reports whether the other half of a line could be on a day that the statements of
// another account do not cover.
func (p *pairing) isUnknown(i int) bool {
	m := &p.movements[i]
	return p.coverage.isOpen(p.accounts[m.Account], transferWindow(m))
}
