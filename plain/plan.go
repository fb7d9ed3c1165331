package plain

import (
	"errors"
	"io/fs"

	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// plan prints what the plan comes to. args is "" or a month, which is compared with the plan.
func (p *runwayPage) plan(s *session, args string) error {
	var month civil.Date
	if args != "" {
		period, err := civil.ParsePeriod(args, s.today())
		if err != nil || period.From.Day() != 1 || period.To != period.From.LastOfMonth() {
			return s.answer("Type plan and a month, such as plan october.")
		}
		month = period.From
	}
	of, ok := p.readPlan(s)
	if !ok {
		return nil
	}
	b, ok, err := p.planBasis(s, of)
	if !ok || err != nil {
		return err
	}
	if !month.IsZero() {
		return p.sayAgainst(s, plan.Compare(of, b, month))
	}
	o := plan.Evaluate(of, b)
	s.say("The plan of %s, hypothetical, as of %s.", termtext.Line(s.server.PlanFile), b.Day)
	for i := range o.Columns {
		c := &o.Columns[i]
		r := record.PlanColumn(c)
		name := r.Get("column")
		text := upperFirst(name.Text()) + ": "
		for at, months := range plan.CashMonths {
			text += "cash in " + plural.Count(months, "month") + " " + sumInWords(c.Cash[at]) + ", "
		}
		zero, runway := r.Get("zero_cash_month"), r.Get("runway_months")
		if runway.Known() && !s.masked {
			text += "runway " + markedInWords(runway.Text()+" months", runway.Mark()) + ", "
		}
		if s.masked {
			text += "zero-cash " + hidden
		} else {
			text += "zero-cash " + zero.TextOrDash()
		}
		s.say("  %s.", text)
	}
	if !s.masked {
		s.say("%s", sentenceInWords(o.Decision.Text))
	}
	for _, note := range o.Notes {
		s.say("%s", sentenceInWords(note))
	}
	return s.answer("Type plan and a month to compare it with what came.")
}

// readPlan reads the plan. It returns false if there is none, which it has said then.
func (p *runwayPage) readPlan(s *session) (of *plan.Plan, ok bool) {
	of, _, err := plan.File{Path: s.server.PlanFile}.Read()
	switch {
	case s.server.PlanFile == "" || errors.Is(err, fs.ErrNotExist):
		s.say("There is no plan. The command tarmac plan add begins one.")
	case err != nil:
		s.say("The plan: %s", problem.Sentence(err.Error()))
	default:
		return of, true
	}
	return nil, false
}

// planBasis reads what a plan is computed from. ok is false if that fails, which it has said then.
func (p *runwayPage) planBasis(s *session, of *plan.Plan) (b plan.Basis, ok bool, err error) {
	c, ok := p.cash.get(s, "Runway", s.readCash)
	if !ok {
		return b, false, nil
	}
	overdue := p.overdueFor(s, of)
	l, ok, err := s.readHistory()
	return plan.BasisOf(c, l, overdue), ok, err
}

// overdueFor returns the sum of overdue receivables. It requests them only if a line of the plan
// assumes that they are paid.
func (p *runwayPage) overdueFor(s *session, of *plan.Plan) figures.Total {
	if of.NeedsOverdue() {
		if a, known := p.aging.get(s, "Receivables", s.server.Client.ReceivablesAging); known {
			return figures.AgingOf(a).Overdue
		}
	}
	return figures.Total{Unknown: true}
}

// sayAgainst prints a month against the plan.
func (p *runwayPage) sayAgainst(s *session, a *plan.Against) error {
	s.say("%s against the plan. Money out is minus.", figures.YearMonth(a.Month))
	for i := range a.Lines {
		l := &a.Lines[i]
		s.say("  %s: planned %s, actual %s, variance %s.", l.Line.Name, sumInWords(l.Planned), sumInWords(l.Actual),
			sumInWords(l.Variance))
	}
	for i := range a.Unplanned {
		s.say("  Not planned, %s: %s.", a.Unplanned[i].Name, sumInWords(a.Unplanned[i].Net))
	}
	s.say("  Own movements: %s. Financing: planned %s, actual %s.", sumInWords(a.Own.Net),
		sumInWords(a.Financing.Planned), sumInWords(a.Financing.Actual))
	s.say("  Net: %s.", sumInWords(a.Net))
	s.sayWhy(a.Net)
	for _, note := range a.Notes {
		s.say("%s", sentenceInWords(note))
	}
	return s.answer("End of list.")
}
