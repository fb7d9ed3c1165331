package spending

import (
	"math"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/recurrence"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Recurring is a payment that recurs, from or to a counterparty.
type Recurring struct {
	Name              string // counterparty's name in its newest spelling
	Key               string
	Direction         apiclient.Direction
	Currency          string // of the amounts, apart from those in Own
	recurrence.Series        // Payment.Row is an index in Ledger.Rows

	knownTo civil.Date // last day of which all rows are known
	// afterGap is true if statements do not cover all days of the three months before the first
	// payment, which may not be the first one then.
	afterGap bool
	// openEnd is true if statements do not cover the days from which it would be known whether the
	// payments go on.
	openEnd bool
}

// RecurringMonths is the number of months in which payments that recur are looked for, including
// the current one. A yearly bill is paid at least twice in 25 months, which shows that it recurs.
const RecurringMonths = 25

// Recurring returns the payments that recur: first those that continue, then those that have
// stopped. Each group is ordered by the sum of a year's payments, largest first. today is the last
// day of which the ledger has all rows, unless its coverage names an earlier one. Payments from and
// to unknown counterparties are left out.
func (l *Ledger) Recurring(today civil.Date) []Recurring { return l.recurringOf("", today) }

// Values of Recurring.Status.
const (
	Active    = "active"
	NewSeries = "new"
	Late      = "late"
	Stopped   = "stopped"
	// Unknown says that the statements of an account end before the day on which the next payment
	// would be late.
	Unknown = "unknown"
)

// Status says whether the payments continue. The ledger begins on the day begins, and today is the
// last day of which it has all rows.
func (r *Recurring) Status(begins, today civil.Date) string {
	if !r.knownTo.IsZero() && r.knownTo.Before(today) {
		today = r.knownTo
	}
	switch {
	case r.openEnd && r.IsLate(today):
		return Unknown
	case r.Stopped:
		return Stopped
	case r.IsNew(begins, today):
		return NewSeries
	case r.IsLate(today):
		return Late
	}
	return Active
}

// IsNew reports whether the payments began in the three months up to today. It returns false if the
// ledger begins less than three months before them, or lacks days of these months.
func (r *Recurring) IsNew(begins, today civil.Date) bool {
	return !r.afterGap && r.Series.IsNew(begins, today)
}

// Unsearched returns a total of 0 that leaves out the rows that may be in one direction and in
// which no payments that recur were looked for: those without an exchange rate, those of unknown
// direction, and those that could not be read. It also returns the number of all rows that may be
// in the direction. Own transfers and financing do not count.
func (l *Ledger) Unsearched(direction apiclient.Direction) (left figures.Total, all int64) {
	left.Currency = l.Currency
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Purpose != Operating || r.IsRefund() || !r.mayBe(direction) {
			continue
		}
		all++
		switch {
		case !r.Reporting.Known():
			left.Excluded++
		case !r.Direction.Known():
			left.Undirected++
		}
	}
	for _, r := range l.Unreadable {
		if r.Purpose == Operating {
			left.Unreadable++
		}
	}
	return left, all + left.Unreadable
}

// UnsearchedText says in how many rows no payments that recur were looked for. It returns "" if all
// rows were searched.
func (l *Ledger) UnsearchedText(direction apiclient.Direction) string {
	left, all := l.Unsearched(direction)
	without := left.LeavesOut()
	of, were := money.Count(without)+" of "+plural.Count(all, "transaction"), "were"
	if without == 1 {
		were = "was"
	}
	switch {
	case without == 0:
		return ""
	case without > left.Excluded:
		return of + " " + were + " not looked at: " + left.WhyShort() + "."
	case without == 1:
		return of + " has no " + figures.Rate(l.Currency) + " and was not looked at."
	}
	return of + " have no " + figures.Rate(l.Currency) + " and were not looked at."
}

// NoneText says that nothing was found that recurs, in the rows that were searched. what names the
// payments, such as "money out".
func (l *Ledger) NoneText(what string, direction apiclient.Direction) string {
	left, all := l.Unsearched(direction)
	if all > 0 && left.LeavesOut() == all {
		return "Whether " + what + " recurs is not known: " + l.UnsearchedText(direction)
	}
	searched := int64(len(l.Rows)) - left.Excluded - left.Undirected
	text := "No " + what + " recurs among " + plural.Count(searched, "transaction") + "."
	if left.LeavesOut() > 0 {
		text += " " + l.UnsearchedText(direction)
	}
	return text
}

// YearlyTotal returns the sum of a year's payments of those series of one direction that have not
// stopped. It leaves out the rows that were not searched.
func (l *Ledger) YearlyTotal(all []Recurring, direction apiclient.Direction) (total figures.Total) {
	total, _ = l.Unsearched(direction)
	for i := range all {
		if all[i].Stopped {
			continue
		}
		cents, ok := all[i].YearlyCents()
		total.Add(cents)
		total.Unknown = total.Unknown || !ok
	}
	return total
}

// UsualAmount returns the usual amount of a payment.
func (r *Recurring) UsualAmount() figures.Total {
	return figures.Total{Minor: r.Usual, Currency: r.Currency}
}

// Yearly returns the sum of a year's payments of the usual amount. It is unknown if it overflows.
func (r *Recurring) Yearly() figures.Total {
	minor, ok := r.YearlyCents()
	return figures.Total{Minor: minor, Currency: r.Currency, Unknown: !ok}
}

// Rows returns the indices in Ledger.Rows of the payments, newest first.
func (r *Recurring) Rows() []int {
	rows := make([]int, len(r.Payments))
	for i, p := range r.Payments {
		rows[len(rows)-1-i] = p.Row
	}
	return rows
}

// recurringOf returns the payments of one counterparty that recur. If key is "", it returns those
// of all counterparties.
func (l *Ledger) recurringOf(key string, today civil.Date) []Recurring {
	today = l.Coverage.KnownTo(today)
	return l.recurringIn(l.paymentsOf(key, beginOfSearch(today)), today, l.Coverage)
}

// beginOfSearch returns the first day of the months in which payments that recur are looked for.
func beginOfSearch(today civil.Date) civil.Date {
	return today.FirstOfMonth().AddMonths(1 - RecurringMonths)
}

func rank(stopped bool) int {
	if stopped {
		return 1
	}
	return 0
}

// yearly returns the sum of a year's payments in minor units, or the largest int64 if it overflows.
func yearly(r *Recurring) int64 {
	if cents, ok := r.YearlyCents(); ok {
		return cents
	}
	return math.MaxInt64
}

// Begins returns the day of the oldest row. It returns the zero date if the ledger is empty.
func (l *Ledger) Begins() (day civil.Date) {
	if n := len(l.Rows); n > 0 {
		day = l.Rows[n-1].Date
	}
	return day
}
