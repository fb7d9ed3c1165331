package plain

import (
	"cmp"
	"context"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/plan"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/client/spending"
	reasons "tarmac/client/why"
	"tarmac/internal/plural"
	"tarmac/theme"
)

// runwayPage shows the runway, and what the plan comes to.
type runwayPage struct {
	cash   cached[figures.Cash]
	aging  cached[*apiclient.ReceivablesAging]
	memory plan.Memory // the plan, if nothing is saved
	weekly forecastParts
	bills  billsPage
}

func (p *runwayPage) name() string { return "runway" }

func (p *runwayPage) commands(*session) []command {
	return []command{
		{"forecast", "[plan]", "the next thirteen weeks, an estimate; with plan, or the name of a case of it, their effect",
			p.forecast},
		{"week", "NUMBER", "what the forecast expects in a week", p.week},
		{"suppose", "WORDS", "add a case to the plan: suppose " + plan.WhatIfExample, p.suppose},
		{"forget", "[CASE]", "remove a case of the plan, or all", p.forget},
		{"plan", "[MONTH]", "what the plan comes to, and by when money must be there; with a month, against what came",
			p.plan},
		{"months", "", "money in and out of the last twelve months", (*session).months},
	}
}

func (p *runwayPage) show(s *session) error {
	s.say("%s.", s.title())
	c, ok := p.cash.get(s, "Runway", s.readCash)
	if !ok {
		return nil
	}
	s.sayRunway(c)
	if s.past != nil && s.past.Progress().Complete {
		s.sayAlive(forecast.NewAlive(s.past.Ledger(), c.Position, s.today()))
		s.sayChanges(c, s.past.Ledger())
	} else {
		s.say("Type forecast for the next thirteen weeks and whether the company is default alive.")
	}
	if bills := p.bills.quietly(s); bills != nil && !s.masked {
		if text := reasons.PastDueText(&c, bills.PastDue); text != "" {
			s.saySentence(text)
		}
	}
	if of, _, _, err := p.loadPlan(s, c); err == nil && of != nil && len(of.Lines) > 0 {
		return s.answer("There is a plan of %s. Type plan for what it comes to.", plural.Count(len(of.Lines), "line"))
	}
	return nil
}

// sayRunway prints cash, net burn and runway.
func (s *session) sayRunway(c figures.Cash) {
	o := record.CashPosition(c)
	cash, burn, runway := o.Get("cash_cents"), o.Get("monthly_burn_cents"), o.Get("runway_months")
	asOf := cmp.Or(figures.WithTime("as of", &c.Position.AsOf, s.Now()), "time unknown")
	s.say("%s: %s, %s; %s.%s", cash.Label, s.value(&cash), asOf, cash.Meaning, why(&cash))
	s.say("Net burn: %s.%s", strings.TrimSpace(s.value(&burn)+" "+burn.Unit), why(&burn))
	for _, f := range o.Listed() {
		text := s.value(&f)
		if f.Meaning != "" {
			text += ", " + f.Meaning
		}
		s.say("%s: %s.%s", f.Label, text, why(&f))
	}
	note := problem.Sentence(c.Note())
	if c.Runway == nil {
		s.say("Runway: %s. %s", unknown, cmp.Or(note, c.Reason))
		return
	}
	zero := unknown
	if month := o.Get("zero_cash_month"); month.Known() {
		zero = markedInWords(month.Text()+" (estimate)", month.Mark())
	}
	rating := s.runwayRating(c.Runway.Tenths())
	if s.masked {
		zero, rating = hidden, "rating "+hidden
	}
	s.say("Runway: %s, %s. Zero-cash month: %s.", markedInWords(runway.Text()+" months", runway.Mark()), rating, zero)
	if note != "" {
		s.say("Note: %s", note)
	}
}

// sayChanges prints why the runway or else the net of the last full month changed, unless amounts
// are hidden: the sentences consist of them.
func (s *session) sayChanges(c figures.Cash, l *spending.Ledger) {
	if s.masked {
		return
	}
	basis := reasons.Basis{Cash: &c, Ledger: l, Begins: l.Begins(), Today: l.Coverage.KnownTo(s.today())}
	for _, sentence := range reasons.OfRunway(reasons.Sentences(basis)) {
		if sentence.Subject == reasons.Lasts {
			continue // the figures above say so
		}
		s.saySentence(sentence.Text)
	}
}

// saySentence prints a sentence with words for its signs and marks.
func (s *session) saySentence(text string) { s.say("%s", upperFirst(sentenceInWords(" " + text)[1:])) }

// readCash reads the cash position.
func (s *session) readCash(ctx context.Context) (figures.Cash, error) {
	return cash.Read(ctx, s.server.Client)
}

// knownCash returns the cash position, which it reads unless it is known. It returns false if that
// fails.
func (p *runwayPage) knownCash(s *session) (figures.Cash, bool) {
	if p.cash.known() {
		return p.cash.value, true
	}
	return p.cash.get(s, "Runway", s.readCash)
}

// why returns a space and the sentence that says why a figure is unknown or what it leaves out,
// with the names of what that is. It returns "" if there is nothing to say.
func why(f *record.Field) string {
	text := f.Why()
	if names := f.Names(); names != "" {
		text = strings.TrimSuffix(text, ".") + ": " + names + "."
	}
	if text == "" {
		return ""
	}
	return " " + text
}

// runwayRating rates a runway, which is given in tenths of a month: "healthy (6 to 12 months)".
func (s *session) runwayRating(tenths int64) string {
	of := theme.Theme{Thresholds: theme.Thresholds(s.Runway)}
	return of.RunwayWord(tenths) + " (" + of.RunwayRule(tenths) + ")"
}
