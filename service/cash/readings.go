package cash

import (
	"errors"

	"tarmac/internal/readings"
)

// OpenQuestion is the money of an unanswered question about own books in the months of a window, in
// minor units. Until the answer, the flow of the window leaves it out.
type OpenQuestion struct {
	InflowCents, OutflowCents int64
	// IsTransfer is true for two lines that may be a transfer between own accounts. Otherwise the
	// question is whether the money in is financing, or the money out isn't a cost.
	IsTransfer bool
	// IsElsewhere is true for money in the company's own name, for or from an account that isn't
	// in the books: what was paid from there, such as payroll, may be a cost.
	IsElsewhere bool
}

// mostElsewhere is the divisor of a window's outflow: with more own money out that may have become
// costs elsewhere, there's no single runway.
const mostElsewhere = 10

// hidesCosts reports whether so much money went to own accounts that aren't in the books that a
// runway without it would mislead.
func hidesCosts(flow Flow, open []OpenQuestion) bool {
	var elsewhere int64
	for _, q := range open {
		if q.IsElsewhere && add(&elsewhere, q.OutflowCents) != nil {
			return true
		}
	}
	all := elsewhere
	return elsewhere > 0 && (add(&all, flow.OutflowCents) != nil || elsewhere > all/mostElsewhere)
}

// Unanswered returns what open questions leave out of the position that EstimateBooks returns, and
// the lowest and the highest net burn that answers can make of it: each question counts either as
// nothing or as its money. It returns the zero value if there is no question or no estimate, and
// ErrOverflow if a sum exceeds 64 bits.
func Unanswered(in BooksInput, open []OpenQuestion) (u readings.Unanswered, err error) {
	if in.Months == 0 || !in.Sufficient || !in.Flow.Known() || len(open) == 0 {
		return u, nil
	}
	in.Open = nil
	low, high := in, in
	u.Questions = len(open)
	for _, q := range open {
		if q.IsTransfer {
			u.Transfers++
		} else if err := errors.Join(add(&u.InMinor, q.InflowCents), add(&u.OutMinor, q.OutflowCents)); err != nil {
			return readings.Unanswered{}, err
		}
		counted := &low
		if q.InflowCents < q.OutflowCents {
			counted = &high
		}
		if err := counted.Flow.Add(Flow{InflowCents: q.InflowCents, OutflowCents: q.OutflowCents}); err != nil {
			return readings.Unanswered{}, err
		}
	}
	if u.Low, err = reading(low); err != nil {
		return readings.Unanswered{}, err
	}
	if u.High, err = reading(high); err != nil {
		return readings.Unanswered{}, err
	}
	return u, nil
}

// reading returns the net burn and the runway of a position.
func reading(in BooksInput) (r readings.Reading, err error) {
	p, err := EstimateBooks(in)
	if err != nil {
		return r, err
	}
	r.BurnMinor = p.MonthlyBurnCents
	if p.RunwayTenths != nil {
		r.Tenths = *p.RunwayTenths
	}
	return r, nil
}
