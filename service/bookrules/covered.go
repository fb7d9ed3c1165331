package bookrules

import (
	"fmt"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/cashnote"
)

// forgottenDays is the number of days after which an account whose statements end before those of
// the other accounts counts as forgotten.
const forgottenDays = 45

// toRemember says what to do about forgotten accounts.
const toRemember = "Import newer ones, or say with `tarmac books role` that an account is closed."

// oldDays is the number of days after which statements that end count as old.
const oldDays = 7

// AllCovered says which days the statements of all accounts cover, except excluded accounts.
type AllCovered struct {
	// Uncovered holds days of the last 25 full months, and of the current one before today, that at
	// least one account does not cover. The days after the last statement of an account are among
	// them only if the account is forgotten.
	Uncovered []Span
	To        Day // last day that all accounts cover that are not forgotten; 0 if there is none
	// Begins is the first day of any statement, if its account was opened then; 0 otherwise. Days
	// before it are Uncovered, but no statement of them is missing.
	Begins    Day
	Forgotten []*AccountState
	Accounts  []AccountCoverage // all accounts but excluded ones
	// Old is true if To is more than a week before today. It is false if days of full months are
	// missing too, which BurnWindow.Missing names.
	Old bool
}

// AccountCoverage says which days the statements of an account cover.
type AccountCoverage struct {
	*AccountState
	Uncovered []Span // the account's part of AllCovered.Uncovered
	// To is the last covered day before today. It is 0 without statements and for a closed account.
	To        Day
	Forgotten bool
}

// AllCoveredOf returns the coverage of all accounts on the day today (UTC).
func AllCoveredOf(states []AccountState, today civil.Date) (all AllCovered) {
	period := Span{DayOf(today.FirstOfMonth().AddMonths(-shownMonths)), DayOf(today) - 1}
	newest := Day(0)
	for i := range states {
		if states[i].Role != Excluded {
			newest = max(newest, min(period.Last, states[i].lastCovered()))
		}
	}
	all.To = newest
	for i := range states {
		s, wanted := &states[i], period
		if s.Role == Excluded {
			continue
		}
		last := s.lastCovered()
		account := AccountCoverage{AccountState: s, To: min(period.Last, last)}
		if s.Role == Closed {
			account.To = 0
		}
		switch {
		case last == 0:
			all.To = 0
		case newest-last > forgottenDays:
			all.Forgotten, account.Forgotten = append(all.Forgotten, s), true
		default:
			wanted.Last = min(wanted.Last, last)
			all.To = min(all.To, wanted.Last)
		}
		account.Uncovered = uncoveredDays(s.Covered, wanted)
		all.Uncovered = append(all.Uncovered, account.Uncovered...)
		all.Accounts = append(all.Accounts, account)
	}
	all.Uncovered = Join(all.Uncovered)
	all.Begins = companyBegins(states)
	all.Old = all.To >= DayOf(today.FirstOfMonth())-1 && DayOf(today)-all.To > oldDays
	return all
}

// companyBegins returns the first day of any statement if all accounts with statements of that day
// were opened then; 0 otherwise.
func companyBegins(states []AccountState) Day {
	first, opened := farFuture, Day(0)
	for i := range states {
		s := &states[i]
		switch {
		case s.Role == Excluded || len(s.Covered) == 0 || s.Covered[0].First > first:
		case s.Covered[0].First < first || opened != 0:
			first, opened = s.Covered[0].First, s.Opened
		}
	}
	return opened
}

// SinceFirst removes from all states the days before the first statement of any account. An account
// that begins with a balance of zero covers them, but of the company nothing is known then. It sets
// Opened of these accounts. firsts has the first day of each account's statements; 0 for none.
func SinceFirst(states []AccountState, firsts []Day) {
	begins := farFuture
	for i, first := range firsts {
		if states[i].Role != Excluded && first != 0 {
			begins = min(begins, first)
		}
	}
	for i := range states {
		s := &states[i]
		_, opened := spanOf(s.Covered, begins-1)
		s.Covered = intersect(s.Covered, []Span{{begins, farFuture}})
		if opened && len(s.Covered) > 0 {
			s.Opened = s.Covered[0].First
		}
	}
}

// FirstDay returns the first day that contents cover; 0 if they cover none.
func FirstDay(contents []Content) Day {
	if days := Covered(contents); len(days) > 0 {
		return days[0].First
	}
	return 0
}

// lastCovered returns the last day that a statement of the account covers; 0 if there is none.
func (s *AccountState) lastCovered() Day {
	if len(s.Covered) == 0 {
		return 0
	}
	return s.Covered[len(s.Covered)-1].Last
}

// Note returns the coverage as it is in the note of a cash position. shares are what the accounts
// add to the cash.
func (a *AllCovered) Note(shares []CashShare) cashnote.Note {
	n := cashnote.Note{Facts: cashnote.Facts{CoveredTo: a.To.Date(), Forgotten: len(a.Forgotten)}}
	for _, s := range a.Uncovered {
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
	for _, s := range a.Forgotten {
		sentences = append(sentences, fmt.Sprintf("%s seems forgotten: its statements end on %s.", s.Label(),
			s.lastCovered().Date()))
		for _, cents := range available[account{s.Identity, s.Currency}] {
			if sum, fits := money.Add(n.ForgottenMinor, cents); fits {
				n.ForgottenMinor = sum
			}
		}
	}
	if len(a.Forgotten) > 0 {
		sentences = append(sentences, toRemember)
	}
	if a.Old {
		sentences = append(sentences, fmt.Sprintf(
			"The cash is known up to %s: newer statements are missing.", a.To.Date()))
	}
	n.Prose = strings.Join(sentences, " ")
	return n
}
