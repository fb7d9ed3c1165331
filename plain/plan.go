package plain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"tarmac/client/answer"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/client/problem"
)

// planStore returns what keeps the plan.
func (s *session) planStore() plan.Store {
	switch {
	case s.server.Plan != nil:
		return s.server.Plan
	case s.server.PlanFile != "":
		return plan.File{Path: s.server.PlanFile}
	case s.Options.Drafts != nil:
		return plan.DocumentOf(s.Options.Drafts, s.server.Client.Origin())
	}
	return &s.memory
}

// savedPlan is a plan as it is stored.
type savedPlan struct {
	*plan.Plan        // nil without a plan
	text       string // with the what-ifs of earlier versions as cases
	stored     string // as it is stored, without them
	currency   string // of the company
}

// loadPlan reads the plan.
func (s *session) loadPlan() (p savedPlan, err error) {
	position, err := s.cash.current(s, func(ctx context.Context) (figures.Cash, error) {
		return cash.Read(ctx, s.server.Client)
	})
	if err != nil {
		return p, err
	}
	p.currency = position.Position.Currency
	p.Plan, p.stored, err = s.planStore().Read()
	p.text = p.stored
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return p, &answer.InputError{Text: err.Error()}
	}
	ping, err := s.organization()
	if err != nil || p.currency == "" {
		return p, nil
	}
	p.text = plan.CarryOver(p.stored, s.Options.Drafts, s.server.Client.Origin(), ping.OrgID, p.currency)
	if p.text != p.stored {
		p.Plan, err = plan.Parse(p.text)
	}
	return p, err
}

// readPlan returns the plan. Having none is an error.
func (s *session) readPlan() (*plan.Plan, error) {
	p, err := s.loadPlan()
	if err == nil && p.Plan == nil {
		err = &answer.InputError{Text: "there is no plan yet; type suppose and a line, or use the command tarmac plan add"}
	}
	return p.Plan, err
}

// suppose adds lines to the plan, as a case of their own.
func (s *session) suppose(args string) error {
	return s.changePlan(func(p savedPlan) (string, error) {
		name, free := p.FreeCase()
		if !free {
			return "", errors.New("the plan has as many cases as it may have; type forget to remove them")
		}
		_, lines, err := p.With(args, name, s.today())
		return p.text + strings.Join(lines, "\n") + "\n", err
	})
}

// forget removes the lines of a case, or of all cases.
func (s *session) forget(args string) error {
	return s.changePlan(func(p savedPlan) (string, error) {
		if args != "" && !slices.Contains(p.Cases, args) {
			return "", fmt.Errorf("the plan has no case %q", args)
		}
		text := p.text
		for _, l := range slices.Backward(p.Lines) {
			if l.Case != "" && (args == "" || l.Case == args) {
				text = plan.Without(text, l.Number)
			}
		}
		return text, nil
	})
}

// changePlan replaces the text of the plan, and shows the plan.
func (s *session) changePlan(change func(savedPlan) (string, error)) error {
	p, err := s.loadPlan()
	if err == nil && p.Plan == nil {
		p.text = plan.Begin(s.today(), p.currency)
		p.Plan, err = plan.Parse(p.text)
	}
	text := ""
	if err == nil {
		if !strings.HasSuffix(p.text, "\n") {
			p.text += "\n"
		}
		text, err = change(p)
	}
	if err == nil {
		err = s.planStore().Replace(p.stored, text)
	}
	if err != nil {
		return s.answer("The plan: %s", problem.Sentence(err.Error()))
	}
	if store := s.planStore(); store.IsKept() {
		s.say("Saved in %s.", store.Place())
	} else {
		s.say("Saved until you quit.")
	}
	return s.execute("plan")
}
