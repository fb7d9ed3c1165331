package forecast

import (
	"fmt"

	"tarmac/apiclient"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// estimator estimates the days after the 26 weeks of a basis from the rows up to their last day.
type estimator struct {
	*Forecast
	all    []spending.Row // newest first
	begin  int            // index of the first row that is dated up to the last day of the basis
	series []spending.Recurring
	recurs []bool // whether the row with the same index belongs to a series
	bills  *replacement
	plan   *plan.Course // nil without one
}

// estimate returns a forecast for the days after start, without cash and trials: those up to today,
// and the weeks after today. last is the last day of which the ledger has all rows. The bills are
// nil if none are known, and the course is nil without a plan; it is changed. The payments are
// those of the ledger.
func estimate(
	l *spending.Ledger, payments *spending.Payments, bills *payables.Payables, course *plan.Course,
	last, start, today civil.Date,
) (*Forecast, error) {
	e := estimator{
		Forecast: &Forecast{Today: today}, all: l.Rows, begin: firstUpTo(l.Rows, last), recurs: make([]bool, len(l.Rows)),
		plan: course,
	}
	e.Basis.Currency = l.Currency
	e.Basis.First, e.Basis.Last = last.AddDays(1-7*PastWeeks), last
	past := spending.Ledger{Rows: l.Rows[e.begin:]}
	begins := past.Begins()
	if begins.IsZero() || begins.After(e.Basis.First) {
		return nil, tooShort(begins, today)
	}
	e.Between.First, e.Between.Last = start.AddDays(1), today
	for i := range e.Weeks {
		e.Weeks[i].First, e.Weeks[i].Last = today.AddDays(7*i+1), today.AddDays(7*i+7)
	}
	e.series = payments.RecurringUpTo(last)
	for i := range e.series {
		for _, p := range e.series[i].Payments {
			e.recurs[p.Row] = true
		}
	}
	e.compareYears(begins)
	e.addBasis(l)
	if bills != nil {
		e.bills = e.placeBills(bills)
	}
	e.expectPayments()
	if bills != nil {
		e.replaceShares()
	}
	for _, w := range e.periods() {
		e.addAverage(w)
		e.addLastYear(w)
		w.In += w.AverageIn + w.LastYearIn
		w.Out += w.AverageOut + w.LastYearOut
	}
	e.addPlan()
	return e.Forecast, nil
}

func tooShort(begins, today civil.Date) error {
	e := &TooShortError{
		Needs: fmt.Sprintf("a forecast needs transactions of %d weeks", PastWeeks), Begins: begins, today: today,
	}
	if !begins.IsZero() {
		e.Until = begins.AddDays(7*PastWeeks - 1)
	}
	return e
}

// periods returns the days up to today that are estimated, if there are any, and the weeks.
func (f *Forecast) periods() (all []*Week) {
	if f.IsBehind() {
		all = append(all, &f.Between)
	}
	for i := range f.Weeks {
		all = append(all, &f.Weeks[i])
	}
	return all
}

// addBasis adds up the operating rows of the 26 weeks, and counts the rows that the estimate leaves
// out.
func (e *estimator) addBasis(l *spending.Ledger) {
	b := &e.Basis
	oldest := b.First
	if b.LastYear > 0 {
		oldest = b.Last.AddDays(1 - twoYears)
	}
	b.Unreadable, _ = l.UnreadableIn(oldest, b.Last)
	b.Uncovered = l.Coverage.Missing(oldest, b.Last).Why()
	for i := e.begin; i < len(e.all) && !e.all[i].Date.Before(oldest); i++ {
		r := &e.all[i]
		in, out, known := operating(r)
		switch {
		case r.Purpose != spending.Operating || e.comesOnce(i):
			continue
		case !known && r.Reporting.Known():
			b.Undirected++
			continue
		case !known:
			b.Excluded++
			continue
		case r.Date.Before(b.First):
			continue
		}
		b.In += in
		b.Out += out
		b.Rows = append(b.Rows, i)
	}
}

// comesOnce reports whether the row with the index is money in that isn't expected again, such as a
// tax refund, unless it recurs.
func (e *estimator) comesOnce(i int) bool { return e.all[i].ComesOnce() && !e.recurs[i] }

// operating returns the minor units of a row of income or cost; refunds are negative cost. It
// returns false for other rows, and if the amount or the direction is unknown.
func operating(r *spending.Row) (in, out int64, known bool) {
	cents, known := r.Signed()
	switch {
	case !known || r.Purpose != spending.Operating:
		return 0, 0, false
	case cents < 0 || r.IsRefund():
		return 0, -cents, true
	}
	return cents, 0, true
}

// flows are sums of operating rows in minor units.
type flows struct {
	in       int64 // all money in
	otherIn  int64 // money in that does not recur
	otherOut int64 // money out that does not recur
}

// flows adds up the operating rows of some days, except those that come once and those that without
// reports; it may be nil. Refunds above the other costs count up to these. flows returns the
// indices of the rows that are in its sums in and otherOut.
func (e *estimator) flows(first, last civil.Date, without func(*spending.Row) bool) (sum flows, rows []int) {
	for i := firstUpTo(e.all, last); i < len(e.all) && !e.all[i].Date.Before(first); i++ {
		in, out, known := operating(&e.all[i])
		if !known || out > 0 && e.recurs[i] || e.comesOnce(i) || without != nil && without(&e.all[i]) {
			continue
		}
		sum.otherOut += out
		sum.in += in
		if !e.recurs[i] {
			sum.otherIn += in
		}
		rows = append(rows, i)
	}
	sum.otherOut = max(0, sum.otherOut)
	return sum, rows
}

// expectPayments adds the recurring payments: costs in full, and income as far as last year does
// not count.
func (e *estimator) expectPayments() {
	for i := range e.series {
		s := &e.series[i]
		for j, day := range s.Expected(e.Basis.Last, e.first(), e.Weeks[Weeks-1].Last) {
			if e.planReplaces(s.Key, day) || e.bills.replaces(i, j, s.Usual) {
				continue
			}
			w := &e.Between
			if day.After(e.Today) {
				w = &e.Weeks[day.DaysSince(e.Weeks[0].First)/7]
			}
			p := Payment{Recurring: s, Day: day, Cents: s.Usual}
			if s.Direction == apiclient.Inflow {
				p.Cents = e.Basis.thisYear(s.Usual)
				w.In += p.Cents
			} else {
				w.Out += p.Cents
			}
			w.Payments = append(w.Payments, p)
		}
	}
}

// first returns the first day that is estimated.
func (f *Forecast) first() civil.Date { return f.periods()[0].First }

// addAverage adds the average of the 26 weeks to a week: money in and out that does not recur.
func (e *estimator) addAverage(w *Week) {
	type replaced struct{ in, out int64 }
	var was replaced
	var days Week
	add := func() {
		if !days.First.IsZero() {
			w.AverageIn += e.averageOf(&days, e.Basis.otherIn-was.in)
			w.AverageOut += e.averageOf(&days, max(0, e.Basis.otherOut-was.out))
		}
	}
	for _, next := range e.segments(w) {
		in, out := e.replacedRest(next.First)
		now := replaced{in, out + e.bills.average(next.First)}
		if days.First.IsZero() || now != was {
			add()
			days.First, was = next.First, now
		}
		days.Last = next.Last
	}
	add()
}

// averageOf returns what a period has of an amount that is spread over 26 weeks.
func (e *estimator) averageOf(w *Week, rest int64) int64 {
	begins := e.first()
	upTo := func(day civil.Date) int64 { return rest * int64(day.DaysSince(begins)+1) / (7 * PastWeeks) }
	return e.Basis.thisYear(upTo(w.Last) - upTo(w.First.AddDays(-1)))
}
