package cash

import "tarmac/service/cashnote"

// Note describes a position in sentences. Its zero value says nothing.
type Note struct {
	Estimate  string // the runway, or why there is none
	Questions string // what unanswered questions leave out
	Rest      string // which statements are missing, and which rates were used
	Facts     cashnote.Facts
}

// Prose returns the sentences without the one about questions. Clients that ask for the extension
// get the facts of that sentence as JSON (docs/api.md, Extension).
func (n Note) Prose() string {
	prose := cashnote.Note{Prose: n.Estimate}
	prose.Say(n.Rest)
	return prose.Prose
}

// String returns all sentences and, in brackets after them, the facts for programs (docs/import.md,
// Runway).
func (n Note) String() string {
	note := cashnote.Note{Prose: n.Estimate, Facts: n.Facts}
	note.Say(n.Questions, n.Rest)
	return note.String()
}

// Codes of a Reason.
const (
	NotOpen              = "account_not_open"
	ShortHistory         = "short_history"           // FullMonths of NeededMonths
	NoCommonMonths       = "no_common_months"        // the accounts cover no NeededMonths together
	NoBalanceWithHistory = "no_balance_with_history" // no feed has a balance and NeededMonths
	WindowTooOld         = "window_too_old"
	// OwnMoneyElsewhere means that much money went to own accounts that aren't imported.
	OwnMoneyElsewhere   = "own_money_elsewhere"
	UnratedTransactions = "unrated_transactions" // Unconverted of Transactions have no exchange rate
)

// Reason says why burn and runway aren't estimated. A field that its code doesn't name is 0.
type Reason struct {
	Code                      string
	FullMonths, NeededMonths  int
	Transactions, Unconverted int64
}
