package plain

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// plan prints what the plan comes to. args is "" or a month, which is compared with the plan.
func (p *runwayPage) plan(s *session, args string) error {
	var month civil.Date
	if args != "" {
		period, err := civil.ParsePeriod(args, s.today())
		var whole bool
		if month, whole = period.Month(); err != nil || !whole {
			return s.answer("Type plan and a month, such as plan october.")
		}
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
	s.say("The plan, %s, hypothetical, as of %s.", p.planStore(s).Place(), b.Day)
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

// planStore returns what keeps the plan.
func (p *runwayPage) planStore(s *session) plan.Store {
	switch {
	case s.server.Plan != nil:
		return s.server.Plan
	case s.server.PlanFile != "":
		return plan.File{Path: s.server.PlanFile}
	case s.Options.Drafts != nil:
		return plan.DocumentOf(s.Options.Drafts, s.server.Client.Origin())
	}
	return &p.memory
}

// loadPlan reads the plan, with the what-ifs of earlier versions as cases. stored is the text as it
// is stored, without them. loadPlan returns nil if there is no plan.
func (p *runwayPage) loadPlan(s *session, c figures.Cash) (of *plan.Plan, text, stored string, err error) {
	of, stored, err = p.planStore(s).Read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", "", err
	}
	ping, err := s.organization()
	if err != nil || c.Position.Currency == "" {
		return of, stored, stored, nil
	}
	text = plan.CarryOver(stored, s.Options.Drafts, s.server.Client.Origin(), ping.OrgID, c.Position.Currency)
	if text == stored {
		return of, text, stored, nil
	}
	of, err = plan.Parse(text)
	return of, text, stored, err
}

// readPlan reads the plan. If there is none, it says so and returns false.
func (p *runwayPage) readPlan(s *session) (of *plan.Plan, ok bool) {
	c, ok := p.knownCash(s)
	if !ok {
		return nil, false
	}
	of, _, _, err := p.loadPlan(s, c)
	switch {
	case err != nil:
		s.say("The plan: %s", problem.Sentence(err.Error()))
	case of == nil:
		s.say("There is no plan. Type suppose and a line, or begin one with the command tarmac plan add.")
	default:
		return of, true
	}
	return nil, false
}

// suppose adds lines to the plan, as a case of their own.
func (p *runwayPage) suppose(s *session, args string) error {
	return p.changePlan(s, func(of *plan.Plan, text string) (string, error) {
		name, free := of.FreeCase()
		if !free {
			return "", errors.New("the plan has as many cases as it may have; type forget to remove them")
		}
		_, lines, err := of.With(args, name, s.today())
		return text + strings.Join(lines, "\n") + "\n", err
	})
}

// forget removes the lines of a case, or of all cases.
func (p *runwayPage) forget(s *session, args string) error {
	return p.changePlan(s, func(of *plan.Plan, text string) (string, error) {
		if args != "" && !slices.Contains(of.Cases, args) {
			return "", fmt.Errorf("the plan has no case %q", args)
		}
		for _, l := range slices.Backward(of.Lines) {
			if l.Case != "" && (args == "" || l.Case == args) {
				text = plan.Without(text, l.Number)
			}
		}
		return text, nil
	})
}

// changePlan writes another text of the plan, and prints what it comes to.
func (p *runwayPage) changePlan(s *session, change func(of *plan.Plan, text string) (string, error)) error {
	c, ok := p.knownCash(s)
	if !ok {
		return nil
	}
	of, text, stored, err := p.loadPlan(s, c)
	switch {
	case err != nil:
		return s.answer("The plan: %s", problem.Sentence(err.Error()))
	case of == nil:
		text = plan.Begin(s.today(), c.Position.Currency)
		of, err = plan.Parse(text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if err == nil {
		text, err = change(of, text)
	}
	if err == nil {
		err = p.planStore(s).Replace(stored, text)
	}
	if err != nil {
		return s.answer("%s", problem.Sentence(err.Error()))
	}
	return p.plan(s, "")
}

// planBasis reads what a plan is computed from. ok is false if that fails, which it has said then.
func (p *runwayPage) planBasis(s *session, of *plan.Plan) (b plan.Basis, ok bool, err error) {
	c, ok := p.cash.get(s, "Runway", s.readCash)
	if !ok {
		return b, false, nil
	}
	aging := p.agingFor(s, of)
	past, err := s.readPast(s.ctx, 0)
	if err != nil {
		return b, false, s.failed("Transactions", err)
	}
	return plan.BasisOf(c, past.Ledger, aging), true, nil
}

// agingFor returns the aging report, or nil. It requests the report only if a line of the plan
// assumes that overdue receivables are paid.
func (p *runwayPage) agingFor(s *session, of *plan.Plan) *apiclient.ReceivablesAging {
	if !of.NeedsOverdue() {
		return nil
	}
	if a, known := p.aging.get(s, "Receivables", s.server.Client.ReceivablesAging); known {
		return a
	}
	return nil
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
		s.say("  Not planned, %s: %s.", counterparty.Display(a.Unplanned[i].Name), sumInWords(a.Unplanned[i].Net))
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
