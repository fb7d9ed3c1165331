package cash

import (
	"fmt"
	"strings"
)

// BooksInput holds the figures of an organization with own books, which are one feed with one
// balance. Amounts are in USD cents.
type BooksInput struct {
	SettledCents   int64
	SpendableCents int64
	Flow           Flow // in the window
	// Months is the number of months of the window: the newest full months that the statements of
	// all accounts cover. It is 0 if there are none.
	Months     int64
	Sufficient bool   // the window is recent enough for an estimate
	Note       string // says which months the window has, and what is missing
}

// EstimateBooks computes the position from own books as Estimate does from feeds.
func EstimateBooks(in BooksInput) (Position, error) {
	p := Position{CashCents: in.SettledCents, Sufficient: in.Sufficient && in.Months > 0}
	if in.Months == 0 {
		p.Note = "Not enough history. " + in.Note
		return p, nil
	}
	net := in.Flow.InflowCents
	if err := add(&net, -in.Flow.OutflowCents); err != nil {
		return Position{}, err
	}
	p.RunwayCashCents = &in.SpendableCents
	if net < 0 {
		p.IsBurning, p.MonthlyBurnCents = true, ceilShare(net, in.Months)
	}
	var b strings.Builder
	switch {
	case !p.Sufficient:
		b.WriteString("The newest months that all accounts cover are too old for an estimate.")
	case p.IsBurning:
		tenths, err := runwayTenths(in.SpendableCents, p.MonthlyBurnCents)
		if err != nil {
			return Position{}, err
		}
		p.RunwayTenths = &tenths
		fmt.Fprintf(&b, "About %d.%d months at the average net burn of %d months.", tenths/10, tenths%10, in.Months)
	case net == 0:
		fmt.Fprintf(&b, "Not burning: cash flow was even over %d months.", in.Months)
	default:
		fmt.Fprintf(&b, "Not burning: cash flow was positive over %d months.", in.Months)
	}
	excluded(&b, in.Flow.Unconverted, "transaction")
	p.Note = strings.TrimSpace(b.String() + " " + in.Note)
	return p, nil
}
