package plain

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/draft"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/client/scenario"
	"tarmac/client/spending"
	reasons "tarmac/client/why"
	"tarmac/theme"
)

// runwayPage shows the runway and compares scenarios with it.
type runwayPage struct {
	cash         cached[figures.Cash]
	aging        cached[*apiclient.ReceivablesAging]
	set          scenario.Set
	file         *scenario.File // nil if scenarios are not saved
	restored     bool           // the file of scenarios has been read
	fileSequence uint64         // number of the latest write of the file
	weekly       forecastParts
	bills        billsPage
}

func (p *runwayPage) name() string { return "runway" }

func (p *runwayPage) commands(*session) []command {
	return []command{
		{"forecast", "[plan]", "the next thirteen weeks, an estimate; with plan, a case of it or the number of a scenario, " +
			"their effect", p.forecast},
		{"week", "NUMBER", "what the forecast expects in a week", p.week},
		{"suppose", "WORDS", "try a scenario: suppose " + scenario.Example, p.suppose},
		{"scenarios", "", "compare scenarios with the current plan", p.scenarios},
		{"forget", "", "delete all scenarios", p.forget},
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
	spendable := record.CashPosition(c).Get("runway_cash_cents")
	s.say("%s: %s, %s.%s", spendable.Label, s.value(&spendable), spendable.Meaning, why(&spendable))
	if s.past != nil && s.past.Progress().Complete {
		s.sayAlive(forecast.NewAlive(s.past.Ledger(), c.Position, s.today()))
		s.sayChanges(c, s.past.Ledger())
	} else {
		s.say("Type forecast for the next thirteen weeks and whether the company is default alive.")
	}
	if bills := p.bills.quietly(s); bills != nil && !s.masked {
		if text := reasons.PastDueText(&c, bills.PastDue); text != "" {
			s.say("%s", upperFirst(sentenceInWords(" " + text)[1:]))
		}
	}
	if p.restore(s); p.set.Count() > 0 {
		return p.scenarios(s, "")
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
	note := problem.Sentence(c.Note())
	if c.Runway == nil {
		s.say("Runway: %s. %s", unknown, cmp.Or(note, c.Reason))
		return
	}
	zero := unknown
	if month := o.Get("zero_cash_month"); month.Known() {
		zero = markedInWords(month.Text()+" (estimate)", month.Mark())
	}
	rating := s.runwayWord(c.Runway.Tenths())
	if s.masked {
		zero, rating = hidden, "rating "+hidden
	}
	s.say("Runway: %s, %s. Zero-cash month: %s.", markedInWords(runway.Text()+" months", runway.Mark()), rating, zero)
	if note != "" {
		s.say("Note: %s", note)
	}
}

// sayChanges prints why the runway and the net of the last full month changed, unless amounts are
// hidden: the sentences consist of them.
func (s *session) sayChanges(c figures.Cash, l *spending.Ledger) {
	if s.masked {
		return
	}
	basis := reasons.Basis{Cash: &c, Ledger: l, Begins: l.Begins(), Today: l.Coverage.KnownTo(s.today())}
	for _, sentence := range reasons.Sentences(basis) {
		if sentence.Subject == reasons.Lasts {
			continue // the figures above say so
		}
		s.say("%s", sentenceInWords(sentence.Text))
	}
}

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

// runwayWord returns one word that rates a runway, which is given in tenths of a month.
func (s *session) runwayWord(tenths int64) string {
	return theme.Theme{Thresholds: theme.Thresholds(s.Runway)}.RunwayWord(tenths)
}

func (p *runwayPage) suppose(s *session, args string) error {
	c, ok := p.knownCash(s)
	if !ok {
		return nil
	}
	one, err := scenario.Parse(args, s.today(), c.Position.Currency)
	if err != nil {
		return s.answer("%s", problem.Sentence(err.Error()))
	}
	p.restore(s)
	slot, free := p.set.Free()
	if !free {
		return s.answer("There are already %d scenarios. Type forget to delete them.", scenario.MaxScenarios)
	}
	p.set.Put(slot, one)
	p.save(s)
	return p.scenarios(s, "")
}

func (p *runwayPage) forget(s *session, _ string) error {
	p.restore(s)
	p.set = scenario.Set{}
	p.save(s)
	return s.answer("All scenarios deleted.")
}

// restore loads the saved scenarios, including those that the dashboard has saved. It does so only
// once. A file that cannot be read is never overwritten.
func (p *runwayPage) restore(s *session) {
	if p.restored || s.Options.Drafts == nil {
		return
	}
	ping, err := s.organization()
	if err != nil {
		return
	}
	p.restored = true
	file := scenario.NewFile(s.Options.Drafts, draft.OrgKey(s.server.Client.Origin(), ping.OrgID))
	set, err := file.Load()
	if err != nil {
		s.say("Saved scenarios could not be read, new ones are kept until you quit: %s", problem.Sentence(err.Error()))
		return
	}
	p.set.Merge(set)
	p.file = file
}

// save saves the scenarios to their file.
func (p *runwayPage) save(s *session) {
	if p.file == nil {
		return
	}
	p.fileSequence++
	if err := p.file.Save(p.fileSequence, p.set, s.today()); err != nil {
		s.say("Scenarios could not be saved, they are kept until you quit: %s", problem.Sentence(err.Error()))
	}
}

// scenarios prints the outcome of each scenario and compares it with the current plan.
func (p *runwayPage) scenarios(s *session, _ string) error {
	if p.restore(s); p.set.Count() == 0 {
		return s.answer("No scenarios yet. %s", problem.Sentence(scenario.ErrParse.Error()))
	}
	c, ok := p.knownCash(s)
	if !ok {
		return nil
	}
	start, err := scenario.BaselineOf(c, p.overdue(s))
	if err != nil {
		return s.answer("%s", problem.Sentence(err.Error()))
	}
	s.say("Current plan: %s.", scenario.Current(c, start).InWords())
	for i, one := range p.set.Slots {
		if one == nil {
			continue
		}
		name := one.Name
		if s.masked {
			name = "its description " + hidden
		}
		s.say("Scenario %d (hypothetical), %s: %s.", i+1, name, one.Outlook(start).InWords())
		for _, caveat := range one.Caveats(start, c.Burning == figures.IsBurning) {
			s.say("  %s", caveat)
		}
	}
	s.sayExcluded(0, start.Overdue.Excluded, start.Currency)
	return nil
}

// overdue returns the sum of overdue receivables. It requests them only if a scenario assumes that
// they are paid.
func (p *runwayPage) overdue(s *session) figures.Total {
	wanted := slices.ContainsFunc(p.set.Slots[:], func(one *scenario.Scenario) bool { return one != nil && one.Overdue })
	if wanted {
		if a, ok := p.aging.get(s, "Receivables", s.server.Client.ReceivablesAging); ok {
			return figures.AgingOf(a).Overdue
		}
	}
	return figures.Total{Unknown: true}
}
