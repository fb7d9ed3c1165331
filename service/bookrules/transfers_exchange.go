package bookrules

import (
	"iter"
	"slices"
)

// exchanges finds lines in other currencies that may be the other sides of transfers.
type exchanges struct {
	recognized []int               // lines with evidence of a transfer
	dollars    []valued            // all lines whose value in US dollars is known
	amounts    map[string][]valued // lines by the currency of their account; only if some lines have another amount
	originals  map[string][]valued // lines with an amount in another currency, by that currency
}

// newExchanges returns the lines of p.order that are not paired and may be sides of transfers.
func (p *pairing) newExchanges() *exchanges {
	x := &exchanges{amounts: map[string][]valued{}, originals: map[string][]valued{}}
	for _, i := range p.order {
		m := &p.movements[i]
		if p.taken[i] || m.Minor == 0 || m.Evidence.Strength == NoTransfer {
			continue
		}
		if m.Evidence.recognized() {
			x.recognized = append(x.recognized, i)
		}
		if cents, known := Convert(m.Minor, p.currency(i), USD, m.Day, p.valuation.Rates); known {
			x.dollars = append(x.dollars, valued{m.Day, cents, i})
		}
		x.amounts[p.currency(i)] = append(x.amounts[p.currency(i)], valued{m.Day, m.Minor, i})
		if o := m.Original; o != nil && o.Minor != 0 {
			x.originals[o.Currency] = append(x.originals[o.Currency], valued{m.Day, signed(o.Minor, m.Minor), i})
		}
	}
	slices.SortFunc(x.dollars, valued.compare)
	for _, byCurrency := range [...]map[string][]valued{x.amounts, x.originals} {
		for _, list := range byCurrency {
			slices.SortFunc(list, valued.compare)
		}
	}
	return x
}

// signed returns an amount with the sign of another one.
func signed(minor, sign int64) int64 {
	if sign < 0 {
		return -magnitude(minor)
	}
	return magnitude(minor)
}

// partners returns the lines whose amount in another currency may be that of the line i, by what a
// statement says of one of them or by exchange rates. It may return others too.
func (x *exchanges) partners(p *pairing, i int) iter.Seq[int] {
	// The lines of a transfer differ by at most a twentieth (mostLost). Rates change by less than
	// the rest of an eighth within TransferDays.
	const stated, rated = 16, 8
	return func(yield func(int) bool) {
		m := &p.movements[i]
		for j := range near(x.originals[p.currency(i)], m.Day, -m.Minor, stated) {
			if !yield(j) {
				return
			}
		}
		if o := m.Original; o != nil && o.Minor != 0 {
			for j := range near(x.amounts[o.Currency], m.Day, -signed(o.Minor, m.Minor), stated) {
				if !yield(j) {
					return
				}
			}
		}
		cents, known := Convert(-m.Minor, p.currency(i), USD, m.Day, p.valuation.Rates)
		if !known {
			return
		}
		for j := range near(x.dollars, m.Day, cents, rated) {
			if !yield(j) {
				return
			}
		}
	}
}
