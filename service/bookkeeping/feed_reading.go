package bookkeeping

import (
	"fmt"
	"slices"

	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// feedReading is what a reading of a connection contains. It implements bank.Sink. Unlike a file, a
// reading is held in memory, because its lines are compared with those of the readings before.
type feedReading struct {
	statements []*feedStatement
	lists      []*feedList
	problems   []string
}

// feedStatement is a statement of a reading with its lines.
type feedStatement struct {
	collected
	lines []bank.Line
}

// feedList is a list of open invoices in a reading.
type feedList struct {
	source *bank.OpenItems
	items  []bank.OpenItem
}

// Statement adds a statement.
func (r *feedReading) Statement(s *bank.Statement) error {
	if r.statement(s) == nil {
		r.statements = append(r.statements, &feedStatement{collected: collected{source: s}})
	}
	return nil
}

func (r *feedReading) statement(s *bank.Statement) *feedStatement {
	for _, one := range r.statements {
		if one.source == s {
			return one
		}
	}
	return nil
}

// Line adds a line to its statement.
func (r *feedReading) Line(s *bank.Statement, l bank.Line) error {
	one := r.statement(s)
	if one == nil {
		return fmt.Errorf("line %d belongs to a statement that was not announced", l.Place)
	}
	one.lines = append(one.lines, l)
	return nil
}

// OpenList adds a list of open invoices.
func (r *feedReading) OpenList(source *bank.OpenItems) error {
	if r.list(source) == nil {
		r.lists = append(r.lists, &feedList{source: source})
	}
	return nil
}

func (r *feedReading) list(source *bank.OpenItems) *feedList {
	for _, one := range r.lists {
		if one.source == source {
			return one
		}
	}
	return nil
}

// OpenItem adds an open invoice to its list.
func (r *feedReading) OpenItem(source *bank.OpenItems, item bank.OpenItem) error {
	if err := r.OpenList(source); err != nil {
		return err
	}
	list := r.list(source)
	list.items = append(list.items, item)
	return nil
}

// Rate refuses exchange rates, because no provider has them.
func (r *feedReading) Rate(rate bank.Rate) error {
	return bank.Errorf(rate.Place, "a reading of a connection has no exchange rates")
}

// Problem adds a warning.
func (r *feedReading) Problem(place int, remark string) {
	if place > 0 {
		remark = fmt.Sprintf("line %d: %s", place, remark)
	}
	r.problems = append(r.problems, remark)
}

// complete sets the period, the balance and the totals of the statements. Lines that are booked
// before the period are left out, because the reading does not have all lines of their days.
func (r *feedReading) complete() error {
	for _, s := range r.statements {
		first := s.source.First
		if first.IsZero() || s.source.Last.IsZero() {
			return fmt.Errorf("the reading does not say which days of %s it covers", ShortNumber(s.source.Account.Number))
		}
		all := len(s.lines)
		s.lines = slices.DeleteFunc(s.lines, func(l bank.Line) bool { return !l.Pending && l.Booked.Before(first) })
		if early := all - len(s.lines); early > 0 {
			r.Problem(0, fmt.Sprintf("%s before %s left out", plural.Count(early, "line"), first))
		}
		for _, l := range s.lines {
			if err := s.count(l); err != nil {
				return err
			}
		}
		s.collected.setPeriod(bookrules.Span{})
	}
	return nil
}

// feedAccount is what a reading says about one account of the books.
type feedAccount struct {
	key     int64
	facts   bookrules.AccountFacts
	covered []bookrules.Span // as bookrules.Join returns them
	lines   bookrules.DayLines
	closing *bookrules.Balance // nil if the reading has no balance
	report  ownbooks.Statement
	// change is what the reading changed; before has the lines that it replaced, by their keys.
	change bookrules.FeedChange
	before map[int64]bookrules.Line
	after  map[int64]bookrules.Line
	aside  int64 // statement that holds the lines of the reading until they count; 0 if there is none
}

// accounts returns what the reading says about each account, after the method complete. The
// function resolve returns the key of a statement's account.
func (r *feedReading) accounts(resolve func(*collected) (int64, error)) ([]*feedAccount, error) {
	var accounts []*feedAccount
	lines := map[*feedAccount][]bank.Line{}
	for _, s := range r.statements {
		key, err := resolve(&s.collected)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(accounts, func(a *feedAccount) bool { return a.key == key })
		if at < 0 {
			at = len(accounts)
			accounts = append(accounts, &feedAccount{key: key})
		}
		a := accounts[at]
		a.facts = s.stored.Facts
		a.covered = bookrules.Join(append(a.covered, s.stored.Covered))
		if c := s.stored.Closing; c != nil && (a.closing == nil || c.Day >= a.closing.Day) {
			a.closing = c
		}
		lines[a] = append(lines[a], s.lines...)
		a.describe(s)
	}
	for _, a := range accounts {
		a.lines = bookrules.LinesByDay(lines[a])
	}
	return accounts, nil
}

// describe adds the totals of a statement to the account's report.
func (a *feedAccount) describe(s *feedStatement) {
	r := &a.report
	r.Key = a.key
	r.Lines += s.stored.Lines
	r.InMinor += s.stored.InflowMinor
	r.OutMinor += s.stored.OutflowMinor
	r.Pending += s.stored.PendingLines
	if a.closing != nil {
		r.Closing = &a.closing.Minor
	}
	if !s.first.IsZero() && (r.First.IsZero() || s.first.Before(r.First)) {
		r.First = s.first
	}
	if s.last.After(r.Last) {
		r.Last = s.last
	}
}

// lastDay returns the last day that the reading covers.
func (a *feedAccount) lastDay() bookrules.Day { return a.covered[len(a.covered)-1].Last }

// covers reports whether the reading covers a day.
func (a *feedAccount) covers(day bookrules.Day) bool {
	return slices.ContainsFunc(a.covered, func(s bookrules.Span) bool { return s.Contains(day) })
}
