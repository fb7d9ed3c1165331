// Package plan reads a company's plan from a text that people write and keep in git: budgets,
// hires, taxes, costs, income, raises. It computes from the plan how long the cash lasts, by when
// money must be there, and how the months compare with the plan. It computes with integers alone.
package plan

import (
	"time"

	"tarmac/internal/civil"
)

// Kind is what a line of a plan says.
type Kind string

// Values of Kind. They are the words with which lines begin.
const (
	Budget  Kind = "budget"  // money out that comes again
	Hire    Kind = "hire"    // people who are paid
	Tax     Kind = "tax"     // money out, once or again
	Cost    Kind = "cost"    // money out, once
	Income  Kind = "income"  // money in, once or again
	Raise   Kind = "raise"   // money of investors or lenders, once
	Lose    Kind = "lose"    // a customer who leaves
	Burn    Kind = "burn"    // another net burn, in percent
	Overdue Kind = "overdue" // all overdue receivables are paid now
	Floor   Kind = "floor"   // the cash below which the money is gone
)

// Rhythm says how often an amount comes.
type Rhythm uint8

// Values of Rhythm.
const (
	Once Rhythm = iota
	Weekly
	Monthly
	Quarterly
	Yearly
)

// months returns how many months a period has; 0 for a rhythm without periods of months.
func (r Rhythm) months() int { return [...]int{Monthly: 1, Quarterly: 3, Yearly: 12}[r] }

// Last is the day of Line.Days that means the last day of a month.
const Last = 32

// Plan is a plan that was read. Lines are in the order of the text.
type Plan struct {
	First    civil.Date // first day of the first month
	Currency string     // of amounts without another one
	Lines    []*Line
	Cases    []string // names of cases, in the order of the text
}

// Amount is an amount in minor units of a currency, not negative.
type Amount struct {
	Minor    int64
	Currency string
}

// Line is a line of a plan. Fields that its kind does not have are zero.
type Line struct {
	Number int    // of the line in the text, from 1
	Case   string // name of the case that it belongs to, or ""
	Kind   Kind
	Name   string
	Count  int64 // number of people of a Hire
	Amount Amount
	Rhythm Rhythm
	// Days are the days of the month on which the amount is paid, in equal parts, and Weekday that
	// of a weekly one. Without them it falls evenly on days.
	Days    []int
	Weekday *time.Weekday
	On      civil.Date // day of an amount that comes once
	From    civil.Date // first day of the first month
	To      civil.Date // first day of the last month; zero without an end
	In      string     // name of the budget that a Hire raises
	Names   []string   // counterparties
	Takes   Span       // how long it takes to raise money
	Percent int64      // change of the net burn
	Since   civil.Date // day from which on the rows have what the line says; zero if not confirmed
	As      string     // counterparty of these rows

	budget *Line // that In names
}

// Span is a length of time, such as 10 weeks.
type Span struct {
	Count int
	Unit  string // "day", "week" or "month"
}

// Before returns the day that is a span before a day.
func (s Span) Before(day civil.Date) civil.Date {
	switch s.Unit {
	case "week":
		return day.AddDays(-7 * s.Count)
	case "month":
		return day.AddMonths(-s.Count)
	}
	return day.AddDays(-s.Count)
}

// IsOut reports whether the line is money out.
func (l *Line) IsOut() bool {
	return l.Kind == Budget || l.Kind == Hire || l.Kind == Tax || l.Kind == Cost || l.Kind == Lose
}

// IsCash reports whether the line has an amount that comes or goes on days.
func (l *Line) IsCash() bool { return l.IsOut() || l.Kind == Income || l.Kind == Raise }

// Of returns the lines of the plan itself, with those of a case unless its name is "".
func (p *Plan) Of(name string) (lines []*Line) {
	for _, l := range p.Lines {
		if l.Case == "" || l.Case == name {
			lines = append(lines, l)
		}
	}
	return lines
}

// NeedsOverdue reports whether a line assumes that all overdue receivables are paid.
func (p *Plan) NeedsOverdue() bool { return len(linesOf(p.Lines, Overdue)) > 0 }

// floorOf returns the amount below which the cash counts as gone; 0 without a line about it.
func floorOf(lines []*Line) Amount {
	for _, l := range lines {
		if l.Kind == Floor {
			return l.Amount
		}
	}
	return Amount{}
}
