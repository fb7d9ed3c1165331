package cash

import (
	"fmt"

	"tarmac/internal/cashnote"
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
	Window     string // first and last month of the window, such as "2026-08 to 2026-10"
	Sufficient bool   // true if the window is recent enough for an estimate
	// Note says what the figures leave out, and which statements are missing.
	Note cashnote.Note
	Open []OpenQuestion // unanswered questions about money in the window
}

// EstimateBooks computes the position of an organization with own books. Estimate does so for an
// organization with feeds.
func EstimateBooks(in BooksInput) (Position, error) {
	p := Position{CashCents: in.SettledCents, Sufficient: in.Sufficient && in.Months > 0}
	if in.Months == 0 {
		p.Note = in.note("Not enough history: the statements of all accounts cover no two consecutive full months.")
		return p, nil
	}
	p.RunwayCashCents = &in.SpendableCents
	net, err := p.setBurn(in.Flow, in.Months)
	if err != nil {
		return Position{}, err
	}
	if in.Note.Unanswered, err = Unanswered(in, in.Open); err != nil {
		return Position{}, err
	}
	rest := in.Note.Prose
	in.Note.Prose = in.Note.Unanswered.Sentence(p.MonthlyBurnCents, in.Currency)
	in.Note.Say(rest)
	p.Note = booksNote(in, p, net)
	return p, nil
}

// booksNote returns sentences for the user: the runway, or the reason why there is none; the months
// over which burn was averaged; and what the figures leave out.
func booksNote(in BooksInput, p Position, net int64) string {
	note := ""
	months := fmt.Sprintf("the %d full months %s", in.Months, in.Window)
	switch {
	case !in.Sufficient:
		note = fmt.Sprintf("No estimate: the newest full months that all accounts cover, %s, are too old.", in.Window)
	case !in.Flow.Known():
		return in.note(in.Flow.noEstimate(in.Window, in.Currency))
	case p.RunwayTenths != nil:
		note = fmt.Sprintf("About %d.%d months at the average net burn of %s.",
			*p.RunwayTenths/10, *p.RunwayTenths%10, months)
	case net == 0:
		note = fmt.Sprintf("Not burning: cash flow was even over %s.", months)
	default:
		note = fmt.Sprintf("Not burning: cash flow was positive over %s.", months)
	}
	excluded(&note, in.Flow.Unconverted, "transaction", in.Currency)
	return in.note(note)
}

// note returns in.Note with the given sentences as its first ones.
func (in *BooksInput) note(sentences string) string {
	note := in.Note
	note.Prose = sentences
	note.Say(in.Note.Prose)
	return note.String()
}
