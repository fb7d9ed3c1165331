package bookrules

import (
	"cmp"
	"iter"
	"slices"
)

// otherHalves returns the lines of other accounts that could be the other half of a transfer, whose
// one half is the line i: money in the other direction, of the same value, at most transferDays
// before or after it. It leaves out lines that are half of another transfer by their own evidence,
// but not those that only the evidence of their other half has made a transfer.
func (p *pairing) otherHalves(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for j := range p.equals(i) {
			if p.fits(i, j) && !yield(j) {
				return
			}
		}
		for j := range p.equivalents(i) {
			if p.fits(i, j) && !yield(j) {
				return
			}
		}
	}
}

// fits reports whether two lines of the same value could be the halves of a transfer.
func (p *pairing) fits(i, j int) bool {
	out, in := i, j
	if p.movements[i].Minor > 0 {
		out, in = j, i
	}
	explained := p.decided[j] || p.taken[j] && p.movements[j].Evidence.recognized()
	return p.movements[out].Minor < 0 && p.movements[in].Minor > 0 && !explained && p.found.Treatments[j] != IsOutside &&
		p.level(&p.movements[out], &p.movements[in]) != incompatible
}

// equals returns the lines of the same amount and currency as the line i, at most transferDays
// before or after it.
func (p *pairing) equals(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		place := p.place[i]
		if place >= len(p.order) || p.order[place] != i {
			return // it is not in the order, because it has none
		}
		m, currency := &p.movements[i], p.currency(i)
		for _, step := range [...]int{-1, 1} {
			for at := place + step; at >= 0 && at < len(p.order); at += step {
				j := p.order[at]
				other := &p.movements[j]
				if magnitude(other.Minor) != magnitude(m.Minor) || p.currency(j) != currency ||
					max(other.Day-m.Day, m.Day-other.Day) > transferDays {
					break
				}
				if !yield(j) {
					return
				}
			}
		}
	}
}

// valued is a movement with its value in US cents.
type valued struct {
	day      Day
	cents    int64
	movement int
}

func (v valued) compare(other valued) int {
	return cmp.Or(cmp.Compare(v.day, other.day), cmp.Compare(v.cents, other.cents))
}

// valueMovements sets p.byValue if the accounts have several currencies. It returns which movements
// could then be suspected by their value, and otherwise nil.
func (p *pairing) valueMovements() (valuable []bool) {
	currencies := map[string]bool{}
	for _, a := range p.accounts {
		currencies[a.Currency] = true
	}
	if len(currencies) < 2 {
		return nil
	}
	valuable = make([]bool, len(p.movements))
	for i := range p.movements {
		m := &p.movements[i]
		a := p.accounts[m.Account]
		if cents, known := p.valuation.Value(m.Minor, a.Currency, m.Day); known && cents != 0 {
			p.byValue = append(p.byValue, valued{m.Day, cents, i})
			valuable[i] = magnitude(cents) >= p.leastSuspected()*9/10
		}
	}
	slices.SortFunc(p.byValue, valued.compare)
	return valuable
}

// equivalents returns the lines in other currencies with the value of the line i, at most
// transferDays before or after it.
func (p *pairing) equivalents(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		m := &p.movements[i]
		a := p.accounts[m.Account]
		cents, known := p.valuation.Value(-m.Minor, a.Currency, m.Day)
		if len(p.byValue) == 0 || !known {
			return
		}
		// The lost method compares by the rates of one day. Those of another day differ by little.
		slack := magnitude(cents) / 20
		for day := m.Day - transferDays; day <= m.Day+transferDays; day++ {
			at, _ := slices.BinarySearchFunc(p.byValue, valued{day: day, cents: cents - slack}, valued.compare)
			for ; at < len(p.byValue) && p.byValue[at].day == day && p.byValue[at].cents <= cents+slack; at++ {
				if j := p.byValue[at].movement; p.isExchange(i, j) && !yield(j) {
					return
				}
			}
		}
	}
}

// isExchange reports whether two lines are in different currencies and have the same value.
func (p *pairing) isExchange(i, j int) bool {
	if p.currency(i) == p.currency(j) {
		return false
	}
	out, in := &p.movements[i], &p.movements[j]
	if out.Minor > 0 {
		out, in = in, out
	}
	_, fits := p.lost(out, in)
	return out.Minor < 0 && in.Minor > 0 && fits
}
