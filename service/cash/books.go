package cash

import (
	"fmt"
)

// BooksInput holds the figures of an organization with own books, which are one feed with one
// balance. Amounts are in minor units of Currency.
type BooksInput struct {
	Currency       string // ISO 4217
	SettledCents   int64
	SpendableCents int64
	Flow           Flow // sums of all accounts' transactions in the window
	// Months is the number of months in the window, over which burn is averaged: the newest full
	// months that the statements of all accounts cover. It is 0 if there are none.
	Months     int64
	Window     string         // first and last month of the window, such as "2026-08 to 2026-10"
	Sufficient bool           // true if the window is recent enough for an estimate
	Note       Note           // without Estimate and Questions
	Open       []OpenQuestion // unanswered questions about money in the window
}

// fewestMonths is the smallest number of months over which the burn of own books is averaged.
const fewestMonths = 2

// EstimateBooks computes the position of an organization with own books. Estimate does so for an
// organization with feeds.
func EstimateBooks(in BooksInput) (Position, error) {
	p := Position{CashCents: in.SettledCents, Sufficient: in.Sufficient && in.Months > 0, Note: in.Note}
	if in.Months == 0 {
		p.NoEstimate = &Reason{Code: NoCommonMonths, NeededMonths: fewestMonths}
		p.Note.Estimate = "Not enough history: the statements of all accounts cover no two consecutive full months."
		return p, nil
	}
	p.RunwayCashCents = &in.SpendableCents
	net, err := p.setBurn(in.Flow, in.Months)
	if err != nil {
		return Position{}, err
	}
	u, err := Unanswered(in, in.Open)
	if err != nil {
		return Position{}, err
	}
	p.Note.Facts.Unanswered, p.Note.Questions = u, u.Sentence(p.MonthlyBurnCents, in.Currency)
	p.describe(in, net)
	if p.NoEstimate == nil && hidesCosts(in.Flow, in.Open) {
		p.Sufficient, p.RunwayTenths, p.NoEstimate = false, nil, &Reason{Code: OwnMoneyElsewhere}
		p.Note.Estimate = "No single estimate: over a tenth of the money out went to the company itself, to accounts that " +
			"aren't imported. Import them next, or answer whether it was a cost."
	}
	return p, nil
}

// describe says the runway, or why there is none, and the months over which burn was averaged.
func (p *Position) describe(in BooksInput, net int64) {
	note := &p.Note.Estimate
	months := fmt.Sprintf("the %d full months %s", in.Months, in.Window)
	switch {
	case !in.Sufficient:
		p.NoEstimate = &Reason{Code: WindowTooOld}
		*note = fmt.Sprintf("No estimate: the newest full months that all accounts cover, %s, are too old.", in.Window)
	case !in.Flow.Known():
		p.NoEstimate, *note = in.Flow.unrated(), in.Flow.noEstimate(in.Window, in.Currency)
		return
	case p.RunwayTenths != nil && in.SpendableCents <= 0:
		*note = fmt.Sprintf("The spendable cash is used up. Net burn is the average of %s.", months)
	case p.RunwayTenths != nil:
		*note = fmt.Sprintf("About %d.%d months at the average net burn of %s.",
			*p.RunwayTenths/10, *p.RunwayTenths%10, months)
	case net == 0:
		*note = fmt.Sprintf("Not burning: cash flow was even over %s.", months)
	default:
		*note = fmt.Sprintf("Not burning: cash flow was positive over %s.", months)
	}
	excluded(note, in.Flow.Unconverted, "transaction", in.Currency)
}
