package plain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
)

type runwayPage struct {
	cash     kept[*apiclient.CashPosition]
	aging    kept[*apiclient.ReceivablesAging]
	supposed []supposition
}

// supposition is a scenario in the words that were typed.
type supposition struct {
	words string
	what  figures.WhatIf
}

func (p *runwayPage) name() string { return "runway" }

func (p *runwayPage) commands(*session) []command {
	return []command{
		{"suppose", "WORDS", "what if, such as: suppose burn -10; monthly -8k from January; once +500,000 in 2027-03; overdue; customer 12,000 from 2027-02", p.suppose},
		{"scenarios", "", "what was supposed, beside what is", p.scenarios},
		{"forget", "", "drop the scenarios", func(s *session, _ string) error {
			p.supposed = nil
			s.say("There are no scenarios any more.")
			return nil
		}},
		{"months", "", "money in and out of the last twelve months", (*session).months},
	}
}

func (p *runwayPage) show(s *session) error {
	s.say("%s.", s.title())
	c, ok := p.cash.get(s, "Runway", s.server.Client.CashPosition)
	if !ok {
		return nil
	}
	s.runwayFigures(c)
	if c.RunwayCashCents != nil {
		s.say("Spendable: %s. It is %s.", usd(*c.RunwayCashCents), figures.SpendableMeans)
	} else {
		s.say("Spendable: %s.", unknown)
	}
	if len(p.supposed) > 0 {
		return p.scenarios(s, "")
	}
	return nil
}

// runwayFigures says cash, runway and burn.
func (s *session) runwayFigures(c *apiclient.CashPosition) {
	if c.Status == apiclient.AccountNotOpen {
		s.say("No account is open yet: cash is from linked feeds alone.")
	}
	s.say("Cash on hand: %s, %s. It is %s.", usd(c.CashCents), or(figures.At("as of", &c.AsOf, s.Now()), "time unknown"), figures.CashMeans)
	burn := usd(c.MonthlyBurnCents) + " a month"
	switch {
	case !c.Sufficient:
		burn = unknown + ", for want of history"
	case !c.IsBurning:
		burn = "not burning"
	}
	s.say("Net burn: %s.", burn)
	switch {
	case c.RunwayMonths == nil && c.RunwayNote != "":
		s.say("Runway: %s. %s", unknown, sentence(c.RunwayNote))
	case c.RunwayMonths == nil:
		s.say("Runway: %s; the server gives none.", unknown)
	default:
		s.say("Runway: %s months, %s. %s", c.RunwayMonths, s.runwayWord(c.RunwayMonths.Tenths()), gone(figures.ZeroMonth(c)))
	}
	if c.RunwayMonths != nil && c.RunwayNote != "" {
		s.say("The server notes: %s", sentence(c.RunwayNote))
	}
}

// gone says when the cash would be.
func gone(month string) string {
	if month == money.Dash {
		return "The month in which the cash would be gone is unknown."
	}
	return "The cash would be gone in " + month + ", an estimate."
}

func (s *session) runwayWord(tenths int64) string {
	return theme.Theme{Thresholds: theme.Thresholds(s.Runway)}.RunwayWord(tenths)
}

var errSuppose = errors.New("say it like: burn -10; monthly -8k from January; once +500,000 in 2027-03; overdue; customer 12,000 from 2027-02")

// parseSuppose reads a scenario: parts with semicolons between them, each a word and
// its figures. A month left out is the present one.
func parseSuppose(text string, today civil.Date) (figures.WhatIf, error) {
	var w figures.WhatIf
	for part := range strings.SplitSeq(text, ";") {
		what, month, err := splitMonth(part, today)
		if err != nil {
			return w, err
		}
		word, figure, _ := strings.Cut(what, " ")
		switch {
		case what == "":
			continue
		case word == "overdue" && !strings.Contains(figure, " "):
			w.Overdue = true
		case word == "burn":
			w.BurnPercent, err = strconv.ParseInt(strings.TrimSuffix(figure, "%"), 10, 64)
			if err != nil || w.BurnPercent < figures.LeastBurnPercent || w.BurnPercent > figures.MostBurnPercent {
				err = errors.New("burn takes a whole number of percent from -100 to 1000, such as burn -10")
			}
		case word == "monthly":
			w.MonthlyFrom = month
			w.Monthly, err = money.ParseSigned(figure, "USD")
		case word == "once":
			w.OnceIn = month
			w.Once, err = money.ParseSigned(figure, "USD")
		case word == "customer":
			w.CustomerGone = month
			w.Customer, err = money.Parse(figure, "USD")
		default:
			err = errSuppose
		}
		if errors.Is(err, money.ErrSigned) || errors.Is(err, money.ErrAmount) {
			err = fmt.Errorf("%q %w", or(figure, word), err)
		}
		if err != nil {
			return w, err
		}
	}
	if w == (figures.WhatIf{}) {
		return w, errSuppose
	}
	return w, nil
}

// splitMonth takes the month off a part of a scenario, which from or in is before.
func splitMonth(part string, today civil.Date) (what string, month civil.Date, err error) {
	words := strings.Fields(strings.ToLower(part))
	at := slices.IndexFunc(words, func(word string) bool { return word == "from" || word == "in" })
	if at < 0 {
		return strings.Join(words, " "), today.FirstOfMonth(), nil
	}
	named := strings.Join(words[at+1:], " ")
	month, err = civil.ParseMonth(named, today)
	if err == nil && named == "" {
		err = civil.ErrMonth
	}
	if err != nil {
		err = fmt.Errorf("%q %w", or(named, words[at]), err)
	}
	return strings.Join(words[:at], " "), month, err
}

const mostScenarios = 3

func (p *runwayPage) suppose(s *session, args string) error {
	what, err := parseSuppose(args, s.today())
	if err != nil {
		s.say("%s", sentence(err.Error()))
		return nil
	}
	if len(p.supposed) == mostScenarios {
		s.say("There are %d scenarios already; forget drops them.", mostScenarios)
		return nil
	}
	p.supposed = append(p.supposed, supposition{termtext.Line(args), what})
	return p.scenarios(s, "")
}

// scenarios says where each leads to, against what is.
func (p *runwayPage) scenarios(s *session, _ string) error {
	if len(p.supposed) == 0 {
		s.say("Nothing is supposed yet. %s", sentence(errSuppose.Error()))
		return nil
	}
	if !p.cash.known() {
		if _, ok := p.cash.get(s, "Runway", s.server.Client.CashPosition); !ok {
			return nil
		}
	}
	c := p.cash.value
	switch {
	case !c.Sufficient || c.RunwayCashCents == nil:
		s.say("There is too little history to suppose anything: it would look like knowledge.")
		return nil
	case !figures.Dated(c.AsOf):
		s.say("The server gives no usable date for the cash: nothing can be supposed from it.")
		return nil
	}
	start := figures.Start{Day: civil.Of(c.AsOf), Cash: *c.RunwayCashCents, Overdue: p.overdue(s)}
	if c.IsBurning {
		start.Burn = c.MonthlyBurnCents
	}
	if path, ok := (figures.WhatIf{}).Ahead(start); ok {
		s.say("As it is: %s.", outlook(path))
	}
	for i, one := range p.supposed {
		words := one.words
		if s.masked {
			words = "its words " + hidden
		}
		path, ok := one.what.Ahead(start)
		if !ok {
			s.say("Hypothetical %d, %s: %s; a figure that it needs is not known or too large.", i+1, words, unknown)
			continue
		}
		s.say("Hypothetical %d, %s: %s.", i+1, words, outlook(path))
	}
	s.explain(0, start.Overdue.Excluded)
	return nil
}

// overdue is what is overdue in all, asked for only where it is supposed to be paid.
func (p *runwayPage) overdue(s *session) figures.Sum {
	wanted := false
	for _, one := range p.supposed {
		wanted = wanted || one.what.Overdue
	}
	if wanted {
		if a, ok := p.aging.get(s, "Receivables", s.server.Client.ReceivablesAging); ok {
			return figures.AgingOf(a).Overdue
		}
	}
	return figures.Sum{Unknown: true}
}

func outlook(path figures.Path) string {
	if !path.Ends {
		return "the cash lasts for over 100 years"
	}
	least, later := "", ""
	if path.Mark() != "" {
		least, later = "at least ", " or later"
	}
	gone := figures.YearMonth(path.Balances[len(path.Balances)-1].Day)
	return least + path.Runway.String() + " months, gone in " + gone + later
}
