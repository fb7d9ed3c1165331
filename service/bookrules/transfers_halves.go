package bookrules

import (
	"cmp"
	"iter"
	"slices"
)

// otherHalves returns the lines of other accounts that could be the other half of a transfer, whose
// one half is the line i: money in the other direction, of the same value, at most TransferDays
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
		p.level(&p.movements[out], &p.movements[in]) != incompatible && !p.apart[[2]int{out, in}]
}

// mostLooked is the largest number of lines of one amount that are looked at for the other half of
// a line.
const mostLooked = 1000

// equals returns the lines of the same amount and currency as the line i in the other direction, at
// most TransferDays before or after it, those of the nearest days first.
func (p *pairing) equals(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		m, currency, others := &p.movements[i], p.currency(i), p.outs
		if m.Minor < 0 {
			others = p.ins
		}
		if m.Minor == 0 {
			return
		}
		after, _ := slices.BinarySearchFunc(others, m, func(j int, m *Movement) int {
			other := &p.movements[j]
			return cmp.Or(cmp.Compare(magnitude(other.Minor), magnitude(m.Minor)), cmp.Compare(p.currency(j), currency),
				cmp.Compare(other.Day, m.Day))
		})
		before := after - 1
		distance := func(at int) Day {
			if at < 0 || at == len(others) {
				return FarFuture
			}
			other := &p.movements[others[at]]
			if magnitude(other.Minor) != magnitude(m.Minor) || p.currency(others[at]) != currency {
				return FarFuture
			}
			return max(other.Day-m.Day, m.Day-other.Day)
		}
		for range mostLooked {
			at := after
			switch down, up := distance(before), distance(after); {
			case min(down, up) > TransferDays:
				return
			case down < up:
				at, before = before, before-1
			default:
				after++
			}
			if !yield(others[at]) {
				return
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
// TransferDays before or after it.
func (p *pairing) equivalents(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		m := &p.movements[i]
		cents, known := p.valuation.Value(-m.Minor, p.accounts[m.Account].Currency, m.Day)
		if len(p.byValue) == 0 || !known {
			return
		}
		// The lost method compares by the rates of one day. Those of another day differ by little.
		const slack, mostCompared = 20, 256
		compared := 0
		for j := range near(p.byValue, m.Day, cents, slack) {
			if p.currency(i) == p.currency(j) {
				continue
			}
			if compared++; compared > mostCompared || p.isExchange(i, j) && !yield(j) {
				return
			}
		}
	}
}

// near returns the movements of a list at most TransferDays before or after a day whose value
// differs by at most a part of the given one, those of the nearest days first. The list is ordered
// by valued.compare.
func near(list []valued, day Day, cents, part int64) iter.Seq[int] {
	return func(yield func(int) bool) {
		slack, looked := magnitude(cents)/part+1, 0
		for n := range 2*TransferDays + 1 {
			on := day - Day(n+1)/2
			if n%2 == 0 {
				on = day + Day(n)/2
			}
			at, _ := slices.BinarySearchFunc(list, valued{day: on, cents: cents - slack}, valued.compare)
			for ; at < len(list) && list[at].day == on && list[at].cents <= cents+slack; at++ {
				if looked++; looked > mostLooked || !yield(list[at].movement) {
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
