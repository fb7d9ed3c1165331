// Package cashnote writes the note of a cash position: sentences for people, which may quote names,
// and after them what the figures leave out, in brackets and without names (docs/import.md,
// Runway). Clients that ask for the extension of the API get that as JSON instead.
package cashnote

import (
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/readings"
)

// Note is the note of a cash position.
type Note struct {
	Prose string // sentences for people
	Facts
}

// Say adds sentences to the prose. Empty ones are left out.
func (n *Note) Say(sentences ...string) {
	for _, sentence := range sentences {
		n.Prose = strings.TrimSpace(n.Prose + " " + sentence)
	}
}

// Facts are what a note says about the figures beside it. The zero value says that they leave
// nothing out.
type Facts struct {
	// Unrated is the number of accounts that the cash leaves out because there is no exchange rate
	// for them.
	Unrated    int
	Unanswered readings.Unanswered
	// Uncovered holds the days of the last 25 months that the statements of at least one account do
	// not cover, oldest first. The days after the last statement of an account are among them only
	// if the account is forgotten; for the others, CoveredTo says them.
	Uncovered []Days
	// CoveredTo is the last day that the statements of all accounts cover that are not forgotten.
	// It is zero if the note does not say.
	CoveredTo civil.Date
	// Forgotten is the number of accounts whose statements end long before those of the others, and
	// ForgottenMinor the sum of their last balances in minor units, without negative ones.
	Forgotten      int
	ForgottenMinor int64
}

// Days is a range of days, of which the last is included.
type Days struct{ First, Last civil.Date }

// Incomplete returns the sentence for accounts that the cash leaves out. Each account is named
// with its currency, such as "mBank …6666 in PLN".
func Incomplete(accounts []string) string {
	return "Cash is incomplete: there is no exchange rate for " + strings.Join(accounts, " and ") + "."
}
