package spending

import (
	"cmp"
	"math"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/recurrence"
	"tarmac/internal/civil"
)

// Recurring is a payment that recurs, from or to a counterparty.
type Recurring struct {
	Name              string // counterparty's name in its newest spelling
	Key               string
	Direction         apiclient.Direction
	recurrence.Series // Payment.Row is an index in Ledger.Rows
}

// Recurring returns the payments that recur: first those that continue, then those that have
// stopped. Each group is ordered by the sum of a year's payments, largest first. today is the last
// day of which the ledger has all rows. Payments from and to unknown counterparties are left out.
func (l *Ledger) Recurring(today civil.Date) []Recurring { return l.recurringOf("", today) }

// Values of Recurring.Status.
const (
	Active    = "active"
	NewSeries = "new"
	Late      = "late"
	Stopped   = "stopped"
)

// Status says whether the payments continue. The ledger begins on the day begins, and today is the
// last day of which it has all rows.
func (r *Recurring) Status(begins, today civil.Date) string {
	switch {
	case r.Stopped:
		return Stopped
	case r.IsNew(begins, today):
		return NewSeries
	case r.IsLate(today):
		return Late
	}
	return Active
}

// YearlyTotal returns the sum of a year's payments of those series that have not stopped.
func YearlyTotal(all []Recurring) (total figures.Total) {
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
	type group struct {
		key       string
		direction apiclient.Direction
	}
	payments := map[group][]recurrence.Payment{}
	var order []group
	for i := range l.Rows {
		r := &l.Rows[i]
		cents, known := r.USD.Minor()
		if key != "" && r.Key != key {
			continue
		}
		if !known || r.Purpose != Operating || r.CounterpartyName == counterparty.Unknown {
			continue
		}
		g := group{r.Key, r.Direction}
		if payments[g] == nil {
			order = append(order, g)
		}
		payments[g] = append(payments[g], recurrence.Payment{Date: r.Date, Cents: cents, Row: i})
	}
	var all []Recurring
	for _, g := range order {
		newest := payments[g][0].Row
		for _, s := range recurrence.Find(payments[g], today) {
			all = append(all, Recurring{
				Name: l.Rows[newest].CounterpartyName, Key: g.key, Direction: g.direction, Series: s,
			})
		}
	}
	slices.SortStableFunc(all, func(a, b Recurring) int {
		return cmp.Or(rank(a.Stopped)-rank(b.Stopped), cmp.Compare(yearly(&b), yearly(&a)))
	})
	return all
}

func rank(stopped bool) int {
	if stopped {
		return 1
	}
	return 0
}

// yearly returns the sum of a year's payments in USD cents, or the largest int64 if it overflows.
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
