package plan

import (
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Course is what the lines of a plan bring and cost on each of some days, and whose expected
// payments they replace.
type Course struct {
	First   civil.Date
	Days    int
	Flows   []Flow
	LeftOut string   // why sums leave lines out, or ""
	Notes   []string // sentences about what is not counted, or not as it stands there
}

// Flow is what a line brings and costs.
type Flow struct {
	Line *Line
	Nets []int64 // of each day of the course, in minor units; negative for money out

	match *match // nil if the line replaces nothing
	minor int64  // the amount each time, as in Nets
}

// Over returns the course of some days, which begin with first: of the plan itself, with the lines
// of a case unless its name is "".
func Over(p *Plan, name string, b Basis, first civil.Date, days int) *Course {
	e := newEvaluator(p, b)
	e.matchLines()
	c, calendar := &Course{First: first, Days: days}, newCalendar(first, days)
	lines := p.Of(name)
	for _, l := range lines {
		flow := Flow{Line: l, Nets: make([]int64, days), match: e.matches[l]}
		switch {
		case l.Kind == Overdue:
			c.addOverdue(&flow, b.Overdue)
		case l.Kind == Burn && e.unknown() != "":
			c.LeftOut = e.unknown()
		case l.Kind == Burn:
			e.addSaved(&flow, calendar, lines)
		case !l.IsCash() || l.Rhythm == Once && !l.On.After(b.Day):
			continue
		default:
			minor, known := e.amount(l)
			if !known {
				c.LeftOut = "A line of the plan has no " + figures.Rate(b.Currency) + "."
			}
			flow.minor = minor
			l.addTo(flow.Nets, calendar, minor)
		}
		c.Flows = append(c.Flows, flow)
	}
	if e.huge {
		c.LeftOut = "The amounts are too large."
	}
	e.noteConfirmations()
	c.Notes = e.Notes
	return c
}

// addOverdue adds the overdue receivables to the first day.
func (c *Course) addOverdue(flow *Flow, overdue figures.Total) {
	switch {
	case overdue.Unknown || overdue.Minor < 0:
		c.LeftOut = "The overdue total is unknown."
	default:
		flow.Nets[0] = min(overdue.Minor, mostCash)
		if why := overdue.Why(); why != "" {
			c.LeftOut = why
		}
	}
}

// addSaved adds by how much less the net burn is in the months of a line that changes it.
func (e *evaluator) addSaved(flow *Flow, c *calendar, lines []*Line) {
	var before []*Line // of several such lines, each changes what those before it leave
	for _, l := range lines {
		if l.Kind != Burn || l.Number < flow.Line.Number {
			before = append(before, l)
		}
	}
	with := append(before[:len(before):len(before)], flow.Line)
	for i := range c.months {
		m := &c.months[i]
		saved := e.burnIn(m.first, before) - e.burnIn(m.first, with)
		for day := max(0, -m.begins); day < m.days && m.begins+day < c.days; day++ {
			flow.Nets[m.begins+day] += evenly(saved, day, m.days)
		}
	}
}

// Replaces returns the flow that replaces what is expected of a counterparty on a day.
func (c *Course) Replaces(key string, day civil.Date) (flow int, ok bool) {
	for i := range c.Flows {
		if m := c.Flows[i].match; m != nil && contains(m.keys, key) && m.appliesTo(day.FirstOfMonth()) {
			return i, true
		}
	}
	return 0, false
}

// ReplacesRow returns the flow that replaces on a day what is expected of the counterparty of a
// row.
func (c *Course) ReplacesRow(r *spending.Row, day civil.Date) (flow int, ok bool) {
	if flow, ok = c.Replaces(r.Key, day); !ok {
		flow, ok = c.Replaces(keyOf(r), day)
	}
	return flow, ok
}

// Changes reports whether other counterparties are replaced on one day than on the other.
func (c *Course) Changes(one, other civil.Date) bool {
	for i := range c.Flows {
		if m := c.Flows[i].match; m != nil && m.appliesTo(one.FirstOfMonth()) != m.appliesTo(other.FirstOfMonth()) {
			return true
		}
	}
	return false
}
