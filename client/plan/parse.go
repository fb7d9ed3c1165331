package plan

import (
	"cmp"
	"fmt"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Limits of a text.
const (
	MaxBytes = 1 << 20
	MaxLines = 2000
	MaxCases = 9
	// largest is the largest amount of a line, in minor units, with the number of people.
	largest = 1 << 43
)

// wantFirst says what the first line is.
const wantFirst = `expected a first line such as "plan from 2026-11 in EUR"`

// Error says what is wrong with a line of a plan. Line and Column count from 1; Column counts
// characters.
type Error struct {
	Line, Column int
	Text         string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
}

// Parse reads a plan. It returns an *Error if a line is wrong; nothing of the plan counts then.
func Parse(text string) (*Plan, error) {
	if len(text) > MaxBytes {
		return nil, &Error{1, 1, "a plan is at most 1 MB"}
	}
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	if len(lines) > MaxLines {
		return nil, &Error{MaxLines + 1, 1, fmt.Sprintf("a plan has at most %d lines", MaxLines)}
	}
	p := &Plan{}
	for i, line := range lines {
		if err := p.add(i+1, strings.TrimSuffix(line, "\r")); err != nil {
			return nil, err
		}
	}
	if p.First.IsZero() {
		return nil, &Error{1, 1, wantFirst}
	}
	if err := p.link(); err != nil {
		return nil, err
	}
	return p, nil
}

// ParseLine reads one line as a line of the plan, which it does not change.
func (p *Plan) ParseLine(text string) (*Line, error) {
	with := &Plan{First: p.First, Currency: p.Currency, Lines: p.Lines[:len(p.Lines):len(p.Lines)], Cases: p.Cases}
	if strings.ContainsAny(text, "\r\n") {
		return nil, &Error{1, 1, "expected one line"}
	}
	if err := with.add(1, text); err != nil {
		return nil, err
	}
	if len(with.Lines) == len(p.Lines) {
		return nil, &Error{1, 1, expectedWord}
	}
	return with.Lines[len(p.Lines)], with.link()
}

// add reads a line of the text.
func (p *Plan) add(number int, text string) error {
	s, err := scan(number, text)
	if err != nil || s.done() {
		return err
	}
	if p.First.IsZero() {
		return p.readFirst(s)
	}
	l, err := p.readLine(s, "")
	if err == nil && !s.done() {
		err = s.fail(s.at, "expected the end of the line, not %q", s.peek())
	}
	if err != nil {
		return err
	}
	p.Lines = append(p.Lines, l)
	return nil
}

// readFirst reads "plan from MONTH in CURRENCY".
func (p *Plan) readFirst(s *scanner) error {
	if !s.word("plan") || !s.word("from") {
		return s.fail(s.at, wantFirst)
	}
	at := s.at
	month, ok := isoMonth(s.peek())
	if !ok {
		return s.fail(at, "expected a month with its year, such as 2026-11")
	}
	s.at++
	if !s.word("in") {
		return s.fail(s.at, wantFirst)
	}
	currency := strings.ToUpper(s.peek())
	if !money.IsCode(currency) {
		return s.fail(s.at, "expected a currency such as EUR")
	}
	s.at++
	if !s.done() {
		return s.fail(s.at, "expected the end of the line, not %q", s.peek())
	}
	p.First, p.Currency = month, currency
	return nil
}

func isoMonth(text string) (civil.Date, bool) {
	day, err := civil.Parse(text + "-01")
	return day, err == nil && len(text) == len("2026-11")
}

const expectedWord = "expected budget, hire, tax, cost, income, raise, lose, burn, overdue, floor or case"

// readLine reads a line after the first one, of a case unless its name is "".
func (p *Plan) readLine(s *scanner, ofCase string) (*Line, error) {
	l := &Line{Number: s.number, Case: ofCase}
	at := s.at
	word := s.next()
	switch l.Kind = Kind(word); l.Kind {
	case Overdue:
		return l, nil
	case Burn:
		return l, p.readBurn(s, l)
	case Floor:
		if ofCase != "" {
			return nil, s.fail(at, "a floor is for all cases")
		}
		return l, p.readAmount(s, l)
	case Budget, Hire, Tax, Cost, Income, Raise, Lose:
		return l, p.readAmountLine(s, l)
	}
	if word != "case" || ofCase != "" {
		return nil, s.fail(at, expectedWord+", not %q", word)
	}
	name, err := s.name()
	if err != nil {
		return nil, err
	}
	if !s.word(":") {
		return nil, s.fail(s.at, "expected a colon")
	}
	if len(p.Cases) == 0 || p.Cases[len(p.Cases)-1] != name {
		if !contains(p.Cases, name) {
			if len(p.Cases) == MaxCases {
				return nil, s.fail(at, "a plan has at most %d cases", MaxCases)
			}
			p.Cases = append(p.Cases[:len(p.Cases):len(p.Cases)], name)
		}
	}
	if s.done() {
		return nil, s.fail(s.at, expectedWord)
	}
	return p.readLine(s, name)
}

func contains(all []string, one string) bool {
	for _, other := range all {
		if other == one {
			return true
		}
	}
	return false
}

func (p *Plan) readBurn(s *scanner, l *Line) error {
	at := s.at
	percent, ok := percentOf(s.next())
	if !ok {
		return s.fail(at, "expected a whole percentage from -100%% to +1000%%, such as -10%%")
	}
	l.Percent, l.From = percent, p.First
	for !s.done() {
		if !s.word("from") {
			return s.fail(s.at, "expected from and a month")
		}
		var err error
		if l.From, err = p.month(s, p.First); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plan) readAmountLine(s *scanner, l *Line) error {
	if l.Kind == Hire {
		l.Count = 1
		if count, ok := number(s.peek(), 10_000); ok && count > 0 {
			l.Count = int64(count)
			s.at++
		}
	}
	var err error
	if l.Name, err = s.name(); err != nil {
		return err
	}
	begins := s.at
	if err := p.readAmount(s, l); err != nil {
		return err
	}
	l.From = p.First
	var to, from bool
	for !s.done() {
		at := s.at
		switch word := s.next(); word {
		case "every":
			err = l.readEvery(s, at)
		case "on":
			err = p.readDays(s, l)
		case "from":
			l.From, err = p.month(s, p.First)
			from = true
		case "to":
			l.To, err = p.month(s, l.From)
			to = true
		case "in":
			if l.Kind != Hire {
				return s.fail(at, "only a hire is in a budget")
			}
			l.In, err = s.name()
		case ":":
			err = l.readNames(s)
		case ",":
			err = p.readClause(s, l)
		default:
			return s.fail(at, "expected %s, not %q", l.words(), word)
		}
		if err != nil {
			return err
		}
	}
	return l.check(s, begins, from || to)
}

// words names what may follow the amount of a line.
func (l *Line) words() string {
	switch l.Kind {
	case Cost:
		return "on and a day, or a colon and names"
	case Raise:
		return `on and a day, or ", takes 10 weeks"`
	case Hire:
		return "on, from, to, in or the end"
	}
	return "every, on, from, to, or a colon and names"
}

// check finds what a line lacks. Errors name the place where its amount begins.
func (l *Line) check(s *scanner, begins int, hasMonths bool) error {
	once := !l.On.IsZero()
	switch {
	case l.Amount.Minor > largest/max(1, l.Count):
		return s.fail(begins, "the amount is too large")
	case (l.Kind == Raise || l.Kind == Cost) && !once:
		return s.fail(begins, "a %s needs a day, such as on %s-15", l.Kind, l.From.String()[:7])
	case (l.Kind == Raise || l.Kind == Cost) && l.Rhythm != Once:
		return s.fail(begins, "a %s comes once; write the amount alone", l.Kind)
	case once && l.Rhythm != Once:
		return s.fail(begins, "an amount that comes again is on days of a month, such as on 15")
	case once && hasMonths:
		return s.fail(begins, "an amount that comes once has a day and no months")
	case once && (l.Kind == Budget || l.Kind == Hire || l.Kind == Lose), l.Rhythm == Once && !once:
		return s.fail(begins, "expected how often, such as %s/month", "9k")
	case len(l.Names) > 0 && (l.Kind == Raise || l.Kind == Lose || l.In != ""):
		return s.fail(begins, "names of counterparties are for budgets, hires of their own, taxes, costs and income")
	case l.Takes.Count > 0 && l.Kind != Raise:
		return s.fail(begins, "only a raise takes time")
	case !l.Since.IsZero() && !once && l.Rhythm != Monthly:
		return s.fail(begins, "only amounts of a month, and those that come once, are confirmed")
	case !l.To.IsZero() && l.To.Before(l.From):
		return s.fail(begins, "it ends before it begins")
	}
	return nil
}

// link finds the budgets of hires, and names that are used twice.
func (p *Plan) link() error {
	type named struct{ of, name string }
	lines, floor, burns := map[named]*Line{}, 0, map[string]bool{}
	for _, l := range p.Lines {
		if l.Kind == Floor {
			if floor++; floor > 1 {
				return &Error{l.Number, 1, "there is a floor already"}
			}
		}
		if l.Kind == Burn {
			if burns[l.Case] {
				return &Error{l.Number, 1, "there is a burn already"}
			}
			burns[l.Case] = true
		}
		if l.Name == "" {
			continue
		}
		other := lines[named{l.Case, l.Name}]
		if other == nil {
			other = lines[named{"", l.Name}]
		}
		if other != nil {
			return &Error{l.Number, 1, fmt.Sprintf("the name %q is in line %d already", l.Name, other.Number)}
		}
		lines[named{l.Case, l.Name}] = l
	}
	for _, l := range p.Lines {
		if l.In == "" {
			continue
		}
		// A line that is linked already is not written: others may be reading it.
		if budget := cmp.Or(lines[named{l.Case, l.In}], lines[named{"", l.In}]); budget != l.budget {
			l.budget = budget
		}
		if l.budget == nil || l.budget.Kind != Budget {
			return &Error{l.Number, 1, fmt.Sprintf("there is no budget %q", l.In)}
		}
	}
	return nil
}
