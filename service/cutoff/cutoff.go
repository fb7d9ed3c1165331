// Package cutoff answers what own books know of each account, up to which day, and why. Bookkeepers
// call that day the cut-off: later figures lack the account's lines. Figures and sentences about
// own books take their day from Of.
package cutoff

import (
	"tarmac/internal/civil"
	"tarmac/service/bookrules"
)

type (
	// Day is bookrules.Day.
	Day = bookrules.Day
	// Span is bookrules.Span.
	Span = bookrules.Span
)

// Source is what says that the days of an account are known.
type Source string

// Sources that prove days, and weaker ones.
const (
	Statement Source = "statement" // a file states its period, or has lines of these days
	Covers    Source = "covers"    // the user said which days a file covers

	FileName Source = "file_name" // a file's name has the period
	Balance  Source = "balance"   // an equal balance of a later day: the net in between is zero
	Quiet    Source = "quiet"     // an account with rare lines has none for longer than its longest gap
	Answer   Source = "answer"    // the user answered that the account is unchanged
	Closing  Source = "closing"   // a notice that the account was closed, or the user's answer
)

// Evidence says that an account's lines of some days are known.
type Evidence struct {
	Span
	Source Source
}

// Account is an account of own books with what is known of its days.
type Account struct {
	bookrules.Account
	// Covered holds the days that statements prove (bookrules.Coverage). SinceFirst removes those
	// before the first statement of any account.
	Covered []Span
	Said    bool // true if the newest covered day is one that the user said a file covers
	// Weaker is evidence of days that aren't covered.
	Weaker []Evidence
	// Opened is the first covered day if the account had a balance of zero before it: the account,
	// or the company, did not exist yet. It is 0 otherwise. SinceFirst sets it.
	Opened Day
}

// Known is a last known day with what says so. The zero value says that no day is known.
type Known struct {
	Day    Day
	Source Source
}

// State says whether later statements of an account are expected.
type State string

// States of accounts.
const (
	Current   State = "current"
	Forgotten State = "forgotten" // ends more than forgottenDays before the other accounts
	Closed    State = "closed"
)

// CutOff is what is known of an account on a day.
type CutOff struct {
	*Account
	State State
	// ProvenTo is the last day before today that statements prove. It is zero without statements
	// and for a closed account.
	ProvenTo Known
	// AssumedTo is a later day by weaker evidence; zero without it.
	AssumedTo Known
	// Days holds the days whose lines are known, proven or assumed.
	Days []Span
	// Uncovered holds the account's part of Books.Uncovered.
	Uncovered []Span
}

// To returns the last known day, proven or assumed; 0 if unknown.
func (c *CutOff) To() Day { return max(c.ProvenTo.Day, c.AssumedTo.Day) }

// Books says what is known of all accounts of own books, except excluded ones, on a day.
type Books struct {
	Accounts []CutOff
	// Uncovered holds days of the last 25 full months, and of the current one before today, of
	// which an account isn't known. The days after an account's last known day are among
	// them only if it's forgotten.
	Uncovered []Span
	To        Day // last known day of all accounts, except forgotten ones; 0 if unknown
	// Begins is the first day of any statement, if its account was opened then; 0 otherwise. Days
	// before it are Uncovered, but no statement of them is missing.
	Begins Day
	// Old is true if To is more than a week before today. It is false if days of full months are
	// missing too, which BurnWindow.Missing names.
	Old bool

	today civil.Date
}

// Of returns what is known of accounts on the day today (UTC).
func Of(accounts []Account, today civil.Date) (b Books) {
	period := Span{First: bookrules.DayOf(today.FirstOfMonth().AddMonths(-shownMonths)), Last: bookrules.DayOf(today) - 1}
	b.today, b.Begins = today, begins(accounts)
	newest := Day(0) // the last day of an account that isn't closed
	for i := range accounts {
		if a := &accounts[i]; a.Role != bookrules.Excluded && !a.isClosed() {
			newest = max(newest, lastOf(a.known(period.Last, 0), period.Last))
		}
	}
	b.To = newest
	for i := range accounts {
		a, wanted := &accounts[i], period
		if a.Role == bookrules.Excluded {
			continue
		}
		c := CutOff{Account: a, State: Current, Days: a.known(period.Last, newest)}
		last := lastOf(c.Days, period.Last)
		switch {
		case a.isClosed():
			c.State = Closed
		case last == 0:
			b.To = 0
		case newest-last > forgottenDays:
			c.State = Forgotten
		default:
			wanted.Last = min(wanted.Last, last)
			b.To = min(b.To, last)
		}
		if c.State != Closed {
			c.setDays(last, period.Last)
		}
		c.Uncovered = bookrules.Uncovered(c.Days, wanted)
		b.Uncovered = append(b.Uncovered, c.Uncovered...)
		b.Accounts = append(b.Accounts, c)
	}
	b.Uncovered = bookrules.Join(b.Uncovered)
	b.Old = b.To >= bookrules.DayOf(today.FirstOfMonth())-1 && bookrules.DayOf(today)-b.To > oldDays
	return b
}

// isClosed reports whether no statement of later days is expected.
func (a *Account) isClosed() bool {
	if a.Role == bookrules.Closed {
		return true
	}
	last := lastOf(a.Covered, bookrules.FarFuture)
	for _, e := range a.Weaker {
		if e.Source == Closing && e.First <= last+1 && e.Last == bookrules.FarFuture {
			return true
		}
	}
	return false
}

// known returns the proven and assumed days. An account that is only assumed to be quiet is known
// up to the day quietTo at the latest: the assumption is for the days that other accounts have.
func (a *Account) known(yesterday, quietTo Day) []Span {
	days := a.Covered
	for _, e := range a.Weaker {
		if e.Source == Quiet {
			e.Last = min(e.Last, quietTo, yesterday)
		}
		if e.First <= e.Last {
			days = append(days[:len(days):len(days)], e.Span)
		}
	}
	return bookrules.Join(days)
}

// setDays sets ProvenTo and AssumedTo. last is the last known day up to yesterday.
func (c *CutOff) setDays(last, yesterday Day) {
	if day := lastOf(c.Covered, yesterday); day > 0 {
		c.ProvenTo = Known{day, Statement}
		if c.Said {
			c.ProvenTo.Source = Covers
		}
	}
	for _, e := range c.Weaker {
		if last > c.ProvenTo.Day && e.First <= last && e.Last >= last {
			c.AssumedTo = Known{last, e.Source}
			return
		}
	}
}

// lastOf returns the last day of the spans, or to if that's earlier; 0 if there are no spans.
func lastOf(days []Span, to Day) Day {
	if len(days) == 0 {
		return 0
	}
	return min(to, days[len(days)-1].Last)
}

// begins returns the first day of any statement if all accounts with statements of that day were
// opened then; 0 otherwise.
func begins(accounts []Account) Day {
	first, opened := bookrules.FarFuture, Day(0)
	for i := range accounts {
		a := &accounts[i]
		switch {
		case a.Role == bookrules.Excluded || len(a.Covered) == 0 || a.Covered[0].First > first:
		case a.Covered[0].First < first || opened != 0:
			first, opened = a.Covered[0].First, a.Opened
		}
	}
	return opened
}

// SinceFirst removes from all accounts the days before the first statement of any account. An
// account that begins with a balance of zero covers them, but the company is unknown then.
// It sets Opened of these accounts. firsts has the first day of each account's statements; 0 for
// none.
func SinceFirst(accounts []Account, firsts []Day) {
	begins := bookrules.FarFuture
	for i, first := range firsts {
		if accounts[i].Role != bookrules.Excluded && first != 0 {
			begins = min(begins, first)
		}
	}
	for i := range accounts {
		a := &accounts[i]
		opened := bookrules.Covers(a.Covered, begins-1)
		a.Covered = bookrules.Intersect(a.Covered, []Span{{First: begins, Last: bookrules.FarFuture}})
		if opened && len(a.Covered) > 0 {
			a.Opened = a.Covered[0].First
		}
	}
}
