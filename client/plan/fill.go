package plan

import (
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// Period is a month of a flow, or a quarter or a year if its amount comes once in these. The flow
// is given by its index in Course.Flows.
type Period struct {
	Flow  int
	First civil.Date
	Last  civil.Date
}

// PeriodOf returns the period of a flow that contains a day. A flow that comes once has one period:
// the month in which it comes.
func (c *Course) PeriodOf(flow int, day civil.Date) Period {
	first, l := day.FirstOfMonth(), c.Flows[flow].Line
	months := max(1, l.Rhythm.months())
	if l.Rhythm == Once {
		first = l.On.FirstOfMonth()
	} else if months > 1 {
		first = first.AddMonths(-max(0, first.MonthsSince(l.From)) % months)
	}
	return Period{flow, first, first.AddMonths(months).AddDays(-1)}
}

// FilledBy returns the period whose amount a bill of a counterparty fills: that of the flow which
// replaces what is expected of the counterparty on the due day. An open bill also fills an amount
// that comes once within a month of the due day.
func (c *Course) FilledBy(key string, due civil.Date, isOpen bool) (p Period, ok bool) {
	if flow, ok := c.Replaces(key, due); ok {
		return c.PeriodOf(flow, due), true
	}
	for i := range c.Flows {
		l, m := c.Flows[i].Line, c.Flows[i].match
		if isOpen && m != nil && l.Rhythm == Once && contains(m.keys, key) &&
			!due.Before(l.On.AddMonths(-1)) && !due.After(l.On.AddMonths(1)) {
			return c.PeriodOf(i, due), true
		}
	}
	return Period{}, false
}

// Fill leaves of what a flow costs in a period, with the hires in its budget, at most what payments
// before the course and open bills leave of it. That stays on its days in the same proportions.
func (c *Course) Fill(p Period, paid, open int64) {
	begins, end := max(0, p.First.DaysSince(c.First)), min(c.Days, p.Last.DaysSince(c.First)+1)
	before := newCalendar(p.First, max(0, c.First.DaysSince(p.First)))
	left, planned := int64(0), int64(0)
	var of []int
	var costs []int64
	for i := range c.Flows {
		flow := &c.Flows[i]
		if i != p.Flow && flow.Line.budget != c.Flows[p.Flow].Line {
			continue
		}
		of = append(of, i)
		for day := begins; day < end; day++ {
			cost := max(0, -flow.Nets[day])
			left += cost
			costs = append(costs, cost)
		}
		passed := make([]int64, before.days)
		flow.Line.addTo(passed, before, flow.minor)
		for _, net := range passed {
			planned += max(0, -net)
		}
	}
	filled := left - min(left, max(0, planned+left-max(0, paid)-max(0, open)))
	for n, minor := range figures.Apportion(costs, filled) {
		c.Flows[of[n/(end-begins)]].Nets[begins+n%(end-begins)] += minor
	}
}
