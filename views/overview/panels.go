package overview

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/internal/termtext"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
)

// panel draws one panel in the given size, including the state of its figures.
func (s *Screen) panel(id panelID, width, height int, open bool) []string {
	f := panel.Frame{Width: width, Height: height, Focused: id == s.focus, Open: open}
	var state resource.State
	switch id {
	case cash:
		state = s.fillCash(&f)
	case owed:
		f.Title, state, f.Body = "Owed to us", s.data.Aging.State(), s.owedBody
		if s.leads() {
			f.Body = s.owedCard
		}
		if a, ok := s.data.Aging.Value(); ok {
			f.EmptyText = figures.NoReceivables(a)
			if total := fact.Outstanding(s.theme, a); state.HasFigures() {
				f.Briefs, f.Marked = []string{f.Title + " " + masked.Text(s.theme, total.Short)}, total.Sign != ""
				f.Title += " " + masked.Text(s.theme, total.Value)
			}
		}
	case months:
		f.Title, state, f.Body = "Money out a month", s.data.Months.State(), s.monthsBody
		f.EmptyText = noMonths
		shown := chartMonths(s.months(), s.env.Now())
		if unit := chart.MoneyOutUnit(shown); state.HasFigures() && unit != "" && !s.theme.Masked {
			f.Title, f.Marked = f.Title+", "+unit, chart.AllLack(shown)
			f.Legend = chart.MoneyOutLegend(s.theme)
			f.Note = chart.SoFar(shown)
		}
	case changes:
		state = resource.State{Status: resource.Ready}
		if !s.changesPanel(&f) {
			return panel.Box(nil, width, height)
		}
	case latest:
		f.Title, state, f.Body = "Latest", s.data.Latest.State(), s.latestBody
		f.EmptyText = "No transactions yet."
	case events:
		f.Title, state, f.Body = "Latest events", s.data.Feed.State(), s.eventsBody
		f.EmptyText = "No events yet."
	}
	return panel.Draw(s.theme, f, state, s.env.Now())
}

const noMonths = "No transactions in these months."

// fillCash sets the title and the body of the panel Cash. While the cash position is missing, the
// panel shows the account's balance.
func (s *Screen) fillCash(f *panel.Frame) resource.State {
	f.Title = "Cash"
	state, account := s.data.Cash.State(), s.data.Account.State()
	if !state.HasFigures() && account.HasFigures() {
		f.Title, f.Body = "Balance", func(width, height int) []string {
			a, _ := s.data.Account.Value()
			return fact.Lines(s.theme, fact.Balance(s.theme, a), width)
		}
		return account
	}
	if s.leads() {
		s.cashCard(f)
		return state
	}
	facts := s.cashFacts()
	f.Title, f.Marked = fact.Title(f.Title, facts)
	f.Body = func(width, height int) []string {
		lines := fact.Lines(s.theme, facts, width)
		if why := s.noBalance(); why != "" { // replaces the pending money
			lines[pendingFact] = s.theme.Caution.Render(termtext.Fit(why, width))
		}
		return lines
	}
	return state
}

// pendingFact is the index of the pending money in cashFacts.
const pendingFact = 3

// cashFacts returns the figures of the panel Cash.
func (s *Screen) cashFacts() []fact.Fact {
	c, ok := s.data.CashFigures()
	if !ok {
		return nil
	}
	l, f := figures.LadderOf(c, s.account()), fact.CashOf(s.theme, c)
	return []fact.Fact{
		f.Spendable, f.Held, f.OnHand,
		fact.Sum(s.theme, "Pending, not counted", l.Pending), f.NetBurn,
	}
}

// account returns the account, or nil if it is unknown.
func (s *Screen) account() *apiclient.Account {
	if a, ok := s.data.Account.Value(); ok && s.data.Account.State().HasFigures() {
		return a
	}
	return nil
}

// noBalance returns why the account's balance is missing, or "".
func (s *Screen) noBalance() string {
	state, now := s.data.Account.State(), s.env.Now()
	switch {
	case state.Status == resource.Failed:
		return "Balance: " + problem.Reason(state.Err) + " · " + panel.RetryHint(state, now)
	case !state.HasFigures() && state.Status != resource.Loading:
		return "Balance: " + strings.Join(panel.Lines(state, "", now), " ")
	}
	return ""
}

// drawBreakdown draws how the balances add up to cash on hand, and what they mean.
func (s *Screen) drawBreakdown() []string {
	c, ok := s.data.CashFigures()
	if !s.breakdown || !ok {
		return nil
	}
	t, l := s.theme, figures.LadderOf(c, s.account())
	f := panel.Frame{
		Title: "Cash, step by step", Width: s.width, Height: s.height, Focused: true, Open: panel.IsOpen(s.height),
	}
	facts := []fact.Fact{
		fact.Sum(t, "  Available", l.Available), fact.Sum(t, "+ Linked banks", l.Linked),
		fact.Sum(t, "= Spendable", l.Spendable), fact.Sum(t, "+ Held and locked", l.Held),
		fact.Sum(t, "= Cash on hand", l.OnHand), fact.Sum(t, "  Pending, not counted", l.Pending),
	}
	facts[2].Style, facts[4].Style = t.Strong, t.Strong
	f.Title, f.Marked = fact.Title(f.Title, facts)
	f.Body = func(width, height int) []string {
		lines := append(fact.Lines(t, facts, width), "")
		for _, sentence := range []string{
			"Available is " + figures.AvailableMeaning + ".", "Spendable is " + figures.SpendableMeaning + ".",
			"Cash on hand is " + figures.CashMeaning + ".", c.Note(), c.Unanswered(), s.times(),
		} {
			lines = append(lines, fact.Wrap(t, sentence, min(width, 100))...)
		}
		return append(lines, s.organization(width)...)
	}
	return panel.Draw(t, f, s.data.Cash.State(), s.env.Now())
}

// times says when the balance and the cash position were computed.
func (s *Screen) times() string {
	c, _ := s.data.CashFigures()
	now := s.env.Now()
	text := c.AsOf("Cash as of", now)
	if a := s.account(); a != nil && a.SyncedAt != nil {
		text += " · " + figures.WithTime("balance synced", a.SyncedAt, now)
	}
	return text
}

// organization draws the ID of the organization, unmasked, in one line. It returns nil if the ID
// doesn't fit.
func (s *Screen) organization(width int) []string {
	a := s.account()
	if a == nil || a.OrgID == "" {
		return nil
	}
	for _, text := range []string{"Organization " + a.OrgID, a.OrgID} {
		if ansi.StringWidth(text) <= width {
			return []string{s.theme.Faint.Render(mask.Exempt(text))}
		}
	}
	return nil
}

// owedBody draws the aging buckets with bars of one scale.
func (s *Screen) owedBody(width, _ int) []string {
	a, _ := s.data.Aging.Value()
	t, aging := s.theme, figures.AgingOf(a)
	amounts, widest := make([]string, len(aging.Buckets)), 0
	for i, sum := range aging.Buckets {
		amounts[i] = masked.Text(t, figures.Unmarked(sum.String()))
		widest = max(widest, ansi.StringWidth(amounts[i]))
	}
	labels, shareWidth := ansi.StringWidth(figures.BucketLabels[4]), len(" 100.0%")
	if width < labels+2+widest+shareWidth {
		shareWidth = 0
	}
	bar := min(chart.MostBar, width-labels-widest-shareWidth-3)
	largest := slices.Max(aging.BucketCents())
	lines := make([]string, len(aging.Buckets))
	for i, cents := range aging.BucketCents() {
		line := t.Faint.Render(termtext.Fit(figures.BucketLabels[i], labels)) + "  "
		if bar >= 4 && !t.Masked {
			line += chart.Bar(cents, largest, t.Aging[i], bar) + " "
		}
		style := t.Text
		if cents == 0 {
			style = t.Faint
		}
		line += style.Render(strings.Repeat(" ", widest-ansi.StringWidth(amounts[i])) + amounts[i])
		if share := masked.Text(t, figures.Unmarked(aging.Share(i))); shareWidth > 0 {
			line += t.Faint.Render(strings.Repeat(" ", max(0, shareWidth-ansi.StringWidth(share))) + share)
		}
		lines[i] = line
	}
	return lines
}

// monthsShown is the number of months in the chart, including the current one.
const monthsShown = 12

func (s *Screen) monthsBody(width, height int) []string {
	of := chart.CacheKey{
		Width: width, Height: height, Loaded: [2]time.Time{s.data.Months.LoadedAt(), s.data.Cash.LoadedAt()},
	}
	return s.chart.Lines(of, func() []string {
		return chart.MoneyOut(s.theme, chartMonths(s.months(), s.env.Now()), width, height)
	})
}

// months returns the last monthsShown months of the snapshot.
func (s *Screen) months() []figures.Month {
	known := s.data.MonthFigures()
	return known[max(0, len(known)-monthsShown):]
}

func chartMonths(known []figures.Month, now time.Time) []chart.Month {
	shown := make([]chart.Month, len(known))
	for i, m := range known {
		sums := m.Flows()
		shown[i] = chart.Month{First: m.First, In: sums.In, Out: sums.Out, Net: sums.Net,
			SoFar: figures.IsCurrentMonth(m.First, now)}
	}
	return shown
}

func sumParts(month string, sums figures.Flows, write func(figures.Total) string) []string {
	return []string{month + ": in " + write(sums.In), "out " + write(sums.Out), "net " + write(sums.Net)}
}

// plainFigures draws the main figures without frames, the most important first. The lines below say
// why figures are missing, and repeat the server's note about the runway.
func (s *Screen) plainFigures(height int) []string {
	t, now := s.theme, s.env.Now()
	account, cash, aging := s.data.Account.State(), s.data.Cash.State(), s.data.Aging.State()
	facts := []fact.Fact{
		{Label: "Cash on hand"}, {Label: "Runway"}, {Label: "Net burn a month"}, {Label: "Overdue"}, {Label: "Available"},
		{Label: "Zero-cash (est.)"},
	}
	states := []resource.State{cash, cash, cash, aging, account, cash}
	if c, ok := s.data.CashFigures(); ok {
		f := fact.CashOf(t, c)
		facts = slices.Replace(facts, 0, 3, f.OnHand, f.Runway, f.NetBurn)
		facts[5] = f.ZeroCash
	}
	if a, ok := s.data.Aging.Value(); ok && aging.HasFigures() {
		facts[3] = fact.Overdue(t, a)
	}
	if a, ok := s.data.Account.Value(); ok && account.HasFigures() {
		facts[4] = fact.Available(t, a)
	}
	for i, state := range states {
		switch {
		case !state.HasFigures():
			facts[i].Value, facts[i].Style = missingReason(state, now), t.Faint
		case state.Status == resource.Stale:
			facts[i].After, facts[i].Style = "◌ "+panel.Age(now.Sub(state.LoadedAt))+" old", t.Caution
		}
	}
	lines := fact.Lines(t, facts, s.width)
	lines = append(lines, fact.FirstLines(t, s.failures(), height-len(lines))...)
	if c, ok := s.data.CashFigures(); ok {
		note := cmp.Or(c.Note(), c.Reason)
		if c.Runway != nil {
			note = c.Caveat()
		}
		lines = append(lines, fact.FirstLines(t, fact.Wrap(t, note, s.width), height-len(lines))...)
		if len(lines) < height {
			lines = append(lines, t.Faint.Render(c.AsOf("as of", now)))
		}
	}
	return lines
}

// failures draws why figures could not be loaded, with one sentence for each reason.
func (s *Screen) failures() []string {
	var reasons []string
	names := make(map[string][]string)
	for _, part := range []struct {
		name string
		err  error
	}{
		{"balance", s.data.Account.State().Err}, {"runway", s.data.Cash.State().Err},
		{"overdue", s.data.Aging.State().Err},
	} {
		reason := problem.Reason(part.err)
		if reason == "" {
			continue
		}
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], part.name)
	}
	var lines []string
	for _, reason := range reasons {
		sentence := problem.Sentence(strings.Join(names[reason], ", ") + ": " + reason)
		for _, line := range strings.Split(ansi.Wrap(sentence, max(1, s.width), ""), "\n") {
			lines = append(lines, s.theme.Caution.Render(line))
		}
	}
	return lines
}

// missingReason returns why a figure is missing, such as "loading…".
func missingReason(state resource.State, now time.Time) string {
	switch state.Status {
	case resource.Loading:
		return "loading…"
	case resource.Empty:
		return "none"
	case resource.NotOpen:
		return "no account"
	case resource.NotAllowed:
		return "not allowed"
	}
	if problem.Lasts(state.Err) {
		return "unknown"
	}
	return panel.Countdown(state.RetryAt, now)
}
