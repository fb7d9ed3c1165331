package journal

import (
	"math/big"
	"slices"

	"tarmac/service/statements/bank"
)

// sums holds what the postings of a transaction add up to, by commodity in the order in which they
// appear.
type sums struct {
	order []string
	by    map[string]*big.Rat
}

func newSums() sums { return sums{by: map[string]*big.Rat{}} }

func (s *sums) add(a *amount) {
	sum := s.by[a.commodity]
	if sum == nil {
		sum = new(big.Rat)
		s.by[a.commodity] = sum
		s.order = append(s.order, a.commodity)
	}
	sum.Add(sum, a.quantity)
}

// missing returns the amounts that make the sums zero. If all are zero, and of one commodity, that
// is a zero.
func (s *sums) missing(places map[string]int) []amount {
	var all []amount
	for _, commodity := range s.order {
		sum := s.by[commodity]
		if sum.Sign() != 0 || len(s.order) == 1 {
			all = append(all, amount{new(big.Rat).Neg(sum), decimals(sum, places[commodity]), commodity})
		}
	}
	return all
}

// decimals returns the number of decimals of a sum of decimal numbers, at least least.
func decimals(sum *big.Rat, least int) int {
	exact, _ := sum.FloatPrec()
	return max(exact, least)
}

// inferAmounts finds the amounts of t that are not written, and refuses a transaction that does not
// balance. The decimals of commodities that directives declare are declared. It leaves transactions
// alone whose amounts follow from balances.
func (t *transaction) inferAmounts(declared map[string]int) error {
	for i := range t.postings {
		if t.postings[i].assigned() && len(t.postings[i].amounts) == 0 {
			return nil
		}
	}
	for _, kind := range []postingKind{ordinary, balanced} {
		if err := t.completeKind(kind, declared); err != nil {
			return err
		}
	}
	return nil
}

func (t *transaction) completeKind(kind postingKind, declared map[string]int) error {
	var open *posting
	sums, bases, lots, costs := newSums(), newSums(), false, false
	places := map[string]int{}
	for i := range t.postings {
		p := &t.postings[i]
		switch {
		case p.kind != kind:
			continue
		case p.elided && len(p.amounts) == 0 && open != nil:
			return bank.Errorf(p.line, "a transaction has two postings without an amount")
		case p.elided && len(p.amounts) == 0:
			open = p
		}
		for j := range p.amounts {
			a := &p.amounts[j]
			places[a.commodity] = max(places[a.commodity], a.places)
			weight := a
			if p.weight != nil {
				weight, costs = p.weight, true
			}
			sums.add(weight)
			if p.basis != nil {
				weight, lots = p.basis, true
			}
			bases.add(weight)
		}
	}
	switch {
	case open != nil && lots:
		return bank.Errorf(open.line, "the lots of this transaction have a cost and a price, so that programs read its "+
			"missing amount in two ways: write the amount out")
	case open != nil:
		open.amounts = sums.missing(places)
		return nil
	case sums.balanced(costs, places, declared) || lots && bases.balanced(true, places, declared):
		return nil
	}
	return bank.Errorf(t.line, "a transaction does not balance: %s are left over", sums.left(places, declared))
}

// balanced reports whether the sums are zero, or an exchange of two commodities without a cost.
func (s *sums) balanced(costs bool, places, declared map[string]int) bool {
	left := s.nonzero(places, declared)
	return len(left) == 0 || !costs && len(left) == 2 && s.by[left[0]].Sign()*s.by[left[1]].Sign() < 0
}

// assumed is the number of decimals of commodities that only have prices.
const assumed = 2

// nonzero returns the commodities whose sums are not zero in the decimals that the transaction has
// of them, or a directive declares if these are fewer.
func (s *sums) nonzero(places, declared map[string]int) []string {
	return slices.DeleteFunc(slices.Clone(s.order), func(commodity string) bool {
		precision, written := places[commodity]
		if !written {
			precision = assumed
		}
		if few, ok := declared[commodity]; ok {
			precision = min(precision, few)
		}
		return within(s.by[commodity], half(precision))
	})
}

// half returns half a unit of the last of places decimals.
func half(places int) *big.Rat {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	return new(big.Rat).SetFrac(big.NewInt(1), unit.Lsh(unit, 1))
}

// within reports whether a difference is not larger than tolerance.
func within(difference, tolerance *big.Rat) bool {
	return new(big.Rat).Abs(difference).Cmp(tolerance) <= 0
}

// left returns the first sums that are not zero, for a message.
func (s *sums) left(places, declared map[string]int) string {
	text := ""
	for i, commodity := range s.nonzero(places, declared) {
		if i == 3 {
			return text + " and others"
		}
		if i > 0 {
			text += ", "
		}
		sum := s.by[commodity]
		text += amount{sum, decimals(sum, places[commodity]), commodity}.text()
	}
	return text
}
