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
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/plan"
)

// forecastParts are what a forecast is computed from, and the forecast.
type forecastParts struct {
	invoices cached[collections.List]
	shown    *forecast.Forecast // the one shown last; nil if there is none
}

// forecast prints the next thirteen weeks. args is "", the word plan, or the name or the number of
// a case of the plan.
func (p *runwayPage) forecast(s *session, args string) error {
	cash, ok := p.cash.get(s, "Runway", s.readCash)
	if !ok {
		return nil
	}
	var with *plan.Plan
	ofCase := ""
	if args != "" {
		if with, ofCase, ok = p.planFor(s, args); !ok {
			return nil
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
		f, err = f.WithPlan(l, with, ofCase, plan.BasisOf(cash, l, p.agingFor(s, with)))
	}
	if err != nil {
		s.say("No forecast: %s.", err)
		s.sayAlive(forecast.NewAlive(l, cash.Position, s.today()))
		return nil
	}
	p.weekly.shown = f
	s.sayForecast(f)
	if refused {
		s.say("%s", forecast.NoInvoices)
	}
	s.sayAlive(forecast.NewAlive(l, cash.Position, s.today()))
	s.sayChanges(cash, l)
	return s.answer("Type week and its number for what is expected in a week.")
}

// planFor returns the plan, and the name of the case that args names or whose number it is; "" for
// the word plan. It returns false if it has said that there is none.
func (p *runwayPage) planFor(s *session, args string) (of *plan.Plan, ofCase string, ok bool) {
	if of, ok = p.readPlan(s); !ok || args == plan.WholePlan {
		return of, "", ok
	}
	if n, err := strconv.Atoi(args); err == nil && n >= 1 && n <= len(of.Cases) {
		return of, of.Cases[n-1], true
	}
	if !slices.Contains(of.Cases, args) {
		s.say("The plan has no case %q. Type plan to list them.", args)
		return nil, "", false
	}
	return of, args, true
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

func (s *session) sayForecast(f *forecast.Forecast) {
	title := "Thirteen weeks, an estimate"
	if f.HasPlan() {
		title += ", hypothetical"
	}
	s.say("%s. Spendable cash now: %s.", sentenceInWords(title), sumInWords(f.Start))
	for i := range f.Weeks {
		w := f.Figures(i)
		owed, supposed, band := "", "", ""
		if f.KnowsBills() && !w.Bills.IsNothing() {
			owed = ", of which bills " + sumInWords(w.Bills)
		}
		if f.HasPlan() {
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
		s.say("  Test from %s: net %s, missed by %s; by net burn alone, %s.", f.Trials[i].Begins, sumInWords(t.Actual),
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
		s.say("  %s: %s, %s, usually %s%s, %s payments.", r.Day, counterparty.Display(r.Name), r.Rhythm,
			amountWithDirection(usual, r.Direction), counted, strconv.Itoa(len(r.Payments)))
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
	{regexp.MustCompile(` ÷ `), " divided by "},
}
