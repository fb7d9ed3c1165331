package cutoff

import (
	"fmt"

	"tarmac/internal/money"
	"tarmac/service/bookrules"
	"tarmac/service/cashnote"
)

// forgottenDays is the number of days after which an account that is known less far than the
// others counts as forgotten.
const forgottenDays = 45

// toRemember says what to do about forgotten accounts.
const toRemember = "Import newer ones, or say with `tarmac books role` that an account is closed."

// oldDays is the number of days after which statements that end count as old.
const oldDays = 7

// Note returns what is known as it is in the note of a cash position. shares are what the accounts
// add to the cash.
func (b *Books) Note(shares []bookrules.CashShare) cashnote.Note {
	n := cashnote.Note{Facts: cashnote.Facts{CoveredTo: b.To.Date()}}
	for _, s := range b.Uncovered {
		n.Uncovered = append(n.Uncovered, cashnote.Days{First: s.First.Date(), Last: s.Last.Date()})
	}
	type account struct{ identity, currency string }
	available := map[account][]int64{} // of shares with money
	for _, share := range shares {
		if share.AvailableCents > 0 {
			of := account{share.Identity, share.Currency}
			available[of] = append(available[of], share.AvailableCents)
		}
	}
	var sentences []string
	for i := range b.Accounts {
		c := &b.Accounts[i]
		if c.State != Forgotten {
			continue
		}
		n.Forgotten++
		sentences = append(sentences, fmt.Sprintf("%s seems forgotten: its statements end on %s.", c.Label(), c.To().Date()))
		for _, cents := range available[account{c.Identity, c.Currency}] {
			if sum, fits := money.Add(n.ForgottenMinor, cents); fits {
				n.ForgottenMinor = sum
			}
		}
	}
	if n.Forgotten > 0 {
		sentences = append(sentences, toRemember)
	}
	for i := range b.Accounts {
		sentences = append(sentences, b.Accounts[i].assumption())
	}
	if b.Old {
		sentences = append(sentences, fmt.Sprintf(
			"The cash is known up to %s: newer statements are missing.", b.To.Date()))
	}
	n.Say(sentences...)
	return n
}

// assumption says what is assumed of the account after its last proven day. It returns "" if the
// days were stated by a file's name or the user.
func (c *CutOff) assumption() string {
	since := c.ProvenTo.Day.Date()
	switch c.AssumedTo.Source {
	case Quiet:
		return fmt.Sprintf("%s: no lines since %s, assumed unchanged.", c.Label(), since)
	case Balance:
		return fmt.Sprintf("%s: no lines since %s, assumed unchanged because its balance is equal on %s.", c.Label(),
			since, c.AssumedTo.Day.Date())
	}
	return ""
}
