package spending

import (
	"cmp"
	"slices"

	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/recurrence"
	"tarmac/internal/civil"
)

// Payments groups the rows of a ledger by counterparty and direction, without those that cannot
// recur. Make it once to find the recurring payments as of several days.
type Payments struct {
	ledger *Ledger
	groups []groupPayments // groups with newer payments come first
}

// groupPayments are the payments of a group, oldest first.
type groupPayments struct {
	group
	payments []recurrence.Payment
}

// Payments groups all rows of the ledger.
func (l *Ledger) Payments() *Payments { return &Payments{l, l.paymentsOf("", civil.Date{})} }

// paymentsOf groups the rows of one counterparty, or of all if key is "", from the day begins on.
// Groups with newer payments come first.
func (l *Ledger) paymentsOf(key string, begins civil.Date) (groups []groupPayments) {
	index := map[group]int{}
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Date.Before(begins) {
			break
		}
		cents, known := r.Reporting.Minor()
		if key != "" && r.Key != key {
			continue
		}
		if !known || r.Purpose != Operating || r.IsRefund() || r.CounterpartyName == counterparty.Unknown {
			continue
		}
		g := group{r.Key, r.Direction}
		at, found := index[g]
		if !found {
			at = len(groups)
			index[g] = at
			groups = append(groups, groupPayments{group: g})
		}
		of := &groups[at]
		of.payments = append(of.payments, recurrence.Payment{Date: r.Date, Cents: cents, Row: i})
	}
	for i := range groups {
		slices.Reverse(groups[i].payments) // recurrence.Find sorts them faster
	}
	return groups
}

// RecurringUpTo returns the payments that recur in the rows up to the day last, all of which are
// known.
func (p *Payments) RecurringUpTo(last civil.Date) []Recurring {
	return p.ledger.recurringIn(p.between(beginOfSearch(last), last), last, figures.Coverage{})
}

// recurringIn returns the recurring payments among groups. today is the last day of which
// the ledger has all rows.
func (l *Ledger) recurringIn(groups []groupPayments, today civil.Date, c figures.Coverage) (all []Recurring) {
	open, pause := c.OpenSince(today), c.LongGapEnd()
	if end := l.pauseEnd(today); end.After(pause) {
		pause = end
	}
	for _, g := range groups {
		newest := g.payments[len(g.payments)-1].Row
		for _, s := range seriesOf(g.payments, today, pause) {
			for _, p := range s.Payments {
				s.Own = append(s.Own, l.Rows[p.Row].Amount)
			}
			all = append(all, Recurring{
				Name: l.Rows[newest].Name(), Key: g.key, Direction: g.direction, Currency: l.Currency, Series: s, knownTo: today,
				afterGap: c.Missing(s.First().AddMonths(-3), s.First().AddDays(-1)).Any(),
				openEnd:  !open.IsZero() && !s.IsNextMissing(open),
			})
		}
	}
	slices.SortStableFunc(all, func(a, b Recurring) int {
		return cmp.Or(rank(a.Stopped)-rank(b.Stopped), cmp.Compare(yearly(&b), yearly(&a)))
	})
	return all
}

// between returns the groups with the payments of some days.
func (p *Payments) between(first, last civil.Date) (groups []groupPayments) {
	upTo := func(g *groupPayments, day civil.Date) int {
		n, _ := slices.BinarySearchFunc(g.payments, day.AddDays(1), func(p recurrence.Payment, day civil.Date) int {
			return p.Date.Compare(day)
		})
		return n
	}
	for i := range p.groups {
		g := p.groups[i]
		if g.payments = g.payments[upTo(&g, first.AddDays(-1)):upTo(&g, last)]; len(g.payments) > 0 {
			groups = append(groups, g)
		}
	}
	slices.SortFunc(groups, func(a, b groupPayments) int {
		return cmp.Compare(a.payments[len(a.payments)-1].Row, b.payments[len(b.payments)-1].Row)
	})
	return groups
}

// seriesOf returns the series of payments. If there are none, it looks for them in the payments
// after the day pause, unless it is zero.
func seriesOf(payments []recurrence.Payment, today, pause civil.Date) []recurrence.Series {
	found := recurrence.Find(payments, today)
	if len(found) > 0 || pause.IsZero() {
		return found
	}
	after := slices.DeleteFunc(slices.Clone(payments), func(p recurrence.Payment) bool { return !p.Date.After(pause) })
	if len(after) == 0 || len(after) == len(payments) {
		return nil
	}
	return recurrence.Find(after, today)
}

// pauseEnd returns the last day of the newest half year without any row among the rows up to a day.
// It returns the zero date if there is none.
func (l *Ledger) pauseEnd(upTo civil.Date) civil.Date {
	const halfYear = 183 // days
	past, _ := l.UpTo(upTo)
	for i := range max(0, len(past.Rows)-1) {
		if day := past.Rows[i].Date; day.DaysSince(past.Rows[i+1].Date) >= halfYear {
			return day.AddDays(-1)
		}
	}
	return civil.Date{}
}
