package forecast

import (
	"fmt"

	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// WithPlan returns the forecast with the lines of a plan, and of one of its cases unless its name
// is "". The result is hypothetical, and front ends must say so. Lines replace what the ledger,
// from which the forecast was made, lets expect of the counterparties that they name. A bill of
// such a counterparty fills the amount of its line in the month in which it is to be paid. The
// tests and their band stay those without a plan. WithPlan returns ErrMixed if the basis of the
// plan is in another currency.
func (f *Forecast) WithPlan(
	l *spending.Ledger, p *plan.Plan, name string, b plan.Basis,
) (*Forecast, error) {
	if b.Currency != l.Currency {
		return nil, ErrMixed
	}
	first := f.first()
	return f.with(l, f.owed, func() *plan.Course {
		return plan.Over(p, name, b, first, f.Weeks[Weeks-1].Last.DaysSince(first)+1)
	})
}

// planReplaces reports whether the plan replaces what is expected of a counterparty on a day.
func (e *estimator) planReplaces(key string, day civil.Date) bool {
	if e.plan == nil {
		return false
	}
	_, ok := e.plan.Replaces(key, day)
	return ok
}

// replacedLastYear returns a function that reports whether the plan replaces what a row of last
// year lets expect. It is nil without a plan.
func (e *estimator) replacedLastYear() func(*spending.Row) bool {
	if e.plan == nil {
		return nil
	}
	return func(r *spending.Row) bool {
		_, ok := e.plan.ReplacesRow(r, r.Date.AddDays(year))
		return ok
	}
}

// segments divides a period into days for which the plan replaces the same counterparties.
func (e *estimator) segments(w *Week) (all []Week) {
	days := Week{First: w.First, Last: w.Last}
	for e.plan != nil {
		next := days.First.LastOfMonth().AddDays(1)
		for !next.After(w.Last) && !e.plan.Changes(days.First, next) {
			next = next.LastOfMonth().AddDays(1)
		}
		if next.After(w.Last) {
			break
		}
		all = append(all, Week{First: days.First, Last: next.AddDays(-1)})
		days.First = next
	}
	return append(all, days)
}

// replacedRest returns what the rows of the 26 weeks outside series brought and cost for which the
// plan has other amounts on a day.
func (e *estimator) replacedRest(day civil.Date) (in, out int64) {
	if e.plan == nil {
		return 0, 0
	}
	sum, _ := e.flows(e.Basis.First, e.Basis.Last, func(r *spending.Row) bool {
		_, ok := e.plan.ReplacesRow(r, day)
		return !ok
	})
	return sum.otherIn, sum.otherOut
}

// addPlan adds what the lines of the plan bring and cost to the periods.
func (e *estimator) addPlan() {
	if e.plan == nil {
		return
	}
	for i := range e.plan.Flows {
		flow := &e.plan.Flows[i]
		for _, w := range e.periods() {
			one, days := Planned{Line: flow.Line}, 0
			for day := w.First; !day.After(w.Last); day = day.AddDays(1) {
				if cents := flow.Nets[day.DaysSince(e.plan.First)]; cents != 0 {
					one.Day = day
					one.Cents += cents
					days++
				}
			}
			if days > 1 {
				one.Day = civil.Date{}
			}
			if days > 0 {
				w.Planned = append(w.Planned, one)
				w.Supposed += one.Cents
			}
		}
	}
}

// HasPlan reports whether the weeks have the lines of a plan.
func (f *Forecast) HasPlan() bool { return f.course != nil }

// planSentences says what the lines of the plan bring and cost and what they replace.
func (f *Forecast) planSentences() []string {
	if f.course == nil {
		return nil
	}
	net, replaced := f.Basis.total(figures.Net, 0), f.PlanReplaced
	for i := range f.Weeks {
		net.Add(f.Weeks[i].Supposed)
	}
	net.LeftOut, net.MayBeLess = f.course.LeftOut, f.mayBePaid(f.first(), f.Weeks[Weeks-1].Last)
	amount := func(minor int64) figures.Total { return f.Basis.total(figures.Balance, minor) }
	text := fmt.Sprintf("Hypothetical, with %s of a plan: %s in these weeks.",
		plural.Count(len(f.course.Flows), "line"), net)
	switch {
	case replaced.In != 0 && replaced.Out != 0:
		text += fmt.Sprintf(" Instead of %s in and %s out, which were", amount(replaced.In), amount(replaced.Out))
	case replaced.In != 0:
		text += fmt.Sprintf(" Instead of %s in, which was", amount(replaced.In))
	case replaced.Out != 0:
		text += fmt.Sprintf(" Instead of %s out, which was", amount(replaced.Out))
	}
	if replaced.In != 0 || replaced.Out != 0 {
		text += " expected of the counterparties that it names."
	}
	if f.Filled > 0 {
		filled := amount(f.Filled)
		filled.MayBeLess = net.MayBeLess
		text += fmt.Sprintf(" Bills, open or paid, are %s of what they cost.", filled)
	}
	return append([]string{text + " Tests on the past know no plan."}, f.course.Notes...)
}
