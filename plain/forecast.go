package plain

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/plan"
	"tarmac/client/scenario"
)

// forecastParts are what a forecast is computed from, and the forecast.
type forecastParts struct {
	invoices cached[collections.List]
	shown    *forecast.Forecast // the one shown last; nil if there is none
}

// forecast prints the next thirteen weeks. args is "", the word plan, the name of a case of the
// plan, or the number of a scenario.
func (p *runwayPage) forecast(s *session, args string) error {
	p.restore(s)
	with, ofCase, ok := p.planFor(s, args)
	if !ok {
		return nil
	}
	if with != nil {
		args = ""
	}
	one, ok := p.numbered(s, args)
	if !ok {
		return nil
	}
	cash, ok := p.cash.get(s, "Runway", s.readCash)
	if !ok {
		return nil
	}
	if one != nil {
		if text := one.CurrencyProblem(cash.Position.Currency); text != "" {
			return s.answer("No scenario. %s", text)
		}
	}
	invoices, refused := p.readInvoices(s)
	l, ok, err := s.readHistory()
	if !ok || err != nil {
		return err
	}
	bills, _ := p.bills.read(s)
	f, err := forecast.New(l, invoices, cash.Position, s.today())
	if err == nil {
		f, err = f.WithBills(l, bills)
	}
	if err == nil && with != nil {
		f, err = f.WithPlan(l, with, ofCase, plan.BasisOf(cash, l, p.overdueFor(s, with)))
	}
	if err != nil {
		s.say("No forecast: %s.", err)
		s.sayAlive(forecast.NewAlive(l, cash.Position, s.today()))
		return nil
	}
	if one != nil {
		start, err := scenario.BaselineOf(cash, p.overdue(s))
		if err != nil {
			return s.answer("%s.", upperFirst(err.Error()))
		}
		with, ok := f.Suppose(one.Changes, start)
		if !ok {
			return s.answer("No scenario: a figure that it needs is unknown or too large.")
		}
		f = with
	}
	p.weekly.shown = f
	s.sayForecast(f, one)
	if refused {
		s.say("%s", forecast.NoInvoices)
	}
	s.sayAlive(forecast.NewAlive(l, cash.Position, s.today()))
	s.sayChanges(cash, l)
	return s.answer("Type week and its number for what is expected in a week.")
}

// planFor returns the plan with whose lines a forecast is wanted: those of the plan itself for the
// word plan, or those of a case with that name, too. It returns nil for other words, and false if
// it has said that there is no plan.
func (p *runwayPage) planFor(s *session, args string) (of *plan.Plan, ofCase string, ok bool) {
	if args == "" || s.server.PlanFile == "" {
		return nil, "", true
	}
	of, _, err := plan.File{Path: s.server.PlanFile}.Read()
	switch {
	case err == nil && args == plan.WholePlan:
		return of, "", true
	case err == nil && slices.Contains(of.Cases, args):
		return of, args, true
	case args != plan.WholePlan:
		return nil, "", true
	}
	_, _ = p.readPlan(s)
	return nil, "", false
}

// numbered returns the scenario with the number that the user typed. It returns nil if the user
// typed none. It prints what is wrong and returns false if there is no such scenario.
func (p *runwayPage) numbered(s *session, args string) (*scenario.Scenario, bool) {
	if args == "" {
		return nil, true
	}
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > len(p.set.Slots) || p.set.Slots[n-1] == nil {
		s.say("There is no scenario %q, and no case of the plan. Type scenarios or plan to list them.", args)
		return nil, false
	}
	return p.set.Slots[n-1], true
}

// readInvoices returns the invoices, or none if the token may not read them or they could not be
// read.
func (p *runwayPage) readInvoices(s *session) (list collections.List, refused bool) {
	list, err := p.weekly.invoices.renew(s, func(ctx context.Context) (collections.List, error) {
		return collections.Read(ctx, s.server.Client)
	})
	refused = errors.Is(err, apiclient.ErrForbidden)
	if err != nil && !refused {
		s.say("Invoices: %s The forecast does not know them.", errorInWords(err))
	}
	return list, refused
}

func (s *session) sayForecast(f *forecast.Forecast, one *scenario.Scenario) {
	title := "Thirteen weeks, an estimate"
	if one != nil {
		title += ", hypothetical: " + one.Summary()
	}
	s.say("%s. Spendable cash now: %s.", sentenceInWords(title), sumInWords(f.Start))
	for i := range f.Weeks {
		w := f.Figures(i)
		owed, supposed, band := "", "", ""
		if f.KnowsBills() && !w.Bills.IsNothing() {
			owed = ", of which bills " + sumInWords(w.Bills)
		}
		switch {
		case one != nil:
			supposed = ", scenario " + sumInWords(w.Supposed)
		case f.HasPlan():
			supposed = ", plan " + sumInWords(w.Supposed)
		}
		if !w.Band.Unknown {
			band = ", give or take " + sumInWords(w.Band)
		}
		s.say("  Week %d, until %s: in %s, out %s%s%s, cash %s%s.", i+1, f.Weeks[i].Last, sumInWords(w.In),
			sumInWords(w.Out), owed, supposed, sumInWords(w.Cash), band)
	}
	for _, sentence := range f.Sentences() {
		s.say("%s", sentenceInWords(sentence))
	}
	for i := range f.Trials {
		t := f.Trials[i].Figures()
		s.say("  Test from %s: net %s, missed by %s; by the straight line, %s.", f.Trials[i].Begins, sumInWords(t.Actual),
			sumInWords(t.Miss), sumInWords(t.LinearMiss))
	}
	for i := range f.Late {
		late := &f.Late[i]
		s.say("  Later than the customer ever paid: %s, %s, %s.", cmp.Or(late.Number, late.ID),
			cmp.Or(late.RecipientName, "no recipient"), amountInWords(late.Total))
	}
}

// sayAlive prints whether the company is default alive.
func (s *session) sayAlive(alive *forecast.Alive, err error) {
	for _, sentence := range forecast.AliveSentences(alive, err) {
		s.say("%s", sentenceInWords(sentence))
	}
}

// week prints what is expected in a week of the forecast.
func (p *runwayPage) week(s *session, args string) error {
	f := p.weekly.shown
	if f == nil {
		return s.answer("Type forecast first.")
	}
	i, ok := s.pick(args, len(f.Weeks))
	if !ok {
		return nil
	}
	w := &f.Weeks[i]
	sums := f.Figures(i)
	owed := ""
	if f.KnowsBills() && !sums.Bills.IsNothing() {
		owed = ", of which bills " + sumInWords(sums.Bills)
	}
	s.say("Week %d, %s to %s: in %s, out %s%s.", i+1, w.First, w.Last, sumInWords(sums.In), sumInWords(sums.Out), owed)
	for i := range w.Bills {
		s.say("  %s.", s.billInWords(&w.Bills[i]))
	}
	for i := range w.Planned {
		s.sayPlanned(w, &w.Planned[i], f.Basis.Currency)
	}
	for _, r := range w.Receipts {
		s.say("  %s: open invoice %s, %s, %s, not added to money in.", r.Day, cmp.Or(r.Number, r.ID),
			cmp.Or(r.RecipientName, "no recipient"), amountInWords(r.Total))
	}
	payments := slices.Clone(w.Payments)
	slices.SortStableFunc(payments, func(a, b forecast.Payment) int { return a.Day.Compare(b.Day) })
	for _, r := range payments {
		usual, counted := apiclient.NewAmount(r.Usual, r.Currency), ""
		if r.Cents != r.Usual {
			counted = ", of which " + amountInWords(apiclient.NewAmount(r.Cents, r.Currency)) + " count beside last year"
		}
		s.say("  %s: %s, %s, usually %s%s, %s payments.", r.Day, r.Name, r.Rhythm, amountWithDirection(usual, r.Direction),
			counted, strconv.Itoa(len(r.Payments)))
	}
	if f.Basis.LastYear == 0 {
		return s.answer("The rest of the week is an average.")
	}
	return s.answer("The rest of the week is an average, and last year's same week.")
}

// sayPlanned prints what a line of the plan brings or costs in a week.
func (s *session) sayPlanned(w *forecast.Week, p *forecast.Planned, currency string) {
	day := w.First.String() + " to " + w.Last.String()
	if !p.Day.IsZero() {
		day = p.Day.String()
	}
	net := figures.Total{Minor: p.Cents, Currency: currency, Kind: figures.Net}
	s.say("  %s: planned, %s %s, %s.", day, p.Line.Kind, p.Line.Name, sumInWords(net))
}

// sentenceInWords replaces signs and marks in a sentence by words.
func sentenceInWords(text string) string {
	for _, one := range signs {
		text = one.form.ReplaceAllString(text, one.words)
	}
	return text
}

// signs are the signs before amounts, after a mark or a space, and the marks.
var signs = []struct {
	form  *regexp.Regexp
	words string
}{
	{regexp.MustCompile(`( ` + figures.Partial.Sign() + `?)-([\p{Sc}\d])`), "${1}minus ${2}"},
	{regexp.MustCompile(`( ` + figures.Partial.Sign() + `?)\+([\p{Sc}\d])`), "${1}plus ${2}"},
	{regexp.MustCompile(` ` + figures.AtLeast.Sign()), " at least "},
	{regexp.MustCompile(` ` + figures.AtMost.Sign()), " at most "},
	{regexp.MustCompile(` ` + figures.Partial.Sign()), " about "},
}
