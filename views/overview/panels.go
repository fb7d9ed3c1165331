package overview

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
)

// panel draws one panel in the given size, including the state of its figures.
func (s *Screen) panel(id panelID, width, height int) []string {
	f := panel.Frame{Width: width, Height: height, Focused: id == s.focus}
	var state resource.State
	now := s.env.Now()
	switch id {
	case balance:
		f.Title, state, f.Body = "Balance", s.data.Account.State(), s.balanceBody
		if a, ok := s.data.Account.Value(); ok {
			f.Note = figures.WithTime("synced", a.SyncedAt, now)
		}
	case runway:
		f.Title, state, f.Body = "Runway", s.data.Cash.State(), s.runwayBody
		if c, ok := s.data.Cash.Value(); ok {
			f.Note = figures.WithTime("as of", &c.AsOf, now)
		}
	case receivables:
		f.Title, state, f.Body = "Aged receivables", s.data.Aging.State(), s.agingBody
		if a, ok := s.data.Aging.Value(); ok {
			f.Note, f.EmptyText = figures.ReceivablesAsOf(a, now), figures.NoReceivables(a)
		}
	case months:
		f.Title, state, f.Body = figures.InCurrency("Money in and out by month", s.data.Currency()),
			s.data.Months.State(), s.monthsBody
		f.EmptyText = noMonths
		f.Note = readAt(s.data.Months.LoadedAt(), now)
	case latest:
		f.Title, state, f.Body = "Latest transactions", s.data.Latest.State(), s.latestBody
		f.EmptyText = "No transactions yet."
		f.Note = readAt(s.data.Latest.LoadedAt(), now)
	case events:
		f.Title, state, f.Body = "Latest events", s.data.Feed.State(), s.eventsBody
		f.EmptyText = "No events yet."
		f.Note = readAt(s.data.Feed.LastResponse(), now)
	}
	return panel.Draw(s.theme, f, state, now)
}

const noMonths = "No transactions in these months."

func readAt(at, now time.Time) string { return figures.WithTime("updated", &at, now) }

func (s *Screen) balanceBody(width, height int) []string {
	a, _ := s.data.Account.Value()
	lines, words := []string{s.theme.Unknown.Render(money.Dash)}, []string(nil)
	if a.Balance != nil {
		lines = fact.Lines(s.theme, fact.Balance(s.theme, a), width)
		words = fact.Wrap(s.theme, "Available is "+figures.AvailableMeaning+".", width)
	}
	for _, more := range [][]string{words, s.organization(a.OrgID, width)} {
		if room := height - len(lines) - len(more); len(more) > 0 && room >= 0 {
			lines = slices.Concat(lines, make([]string, min(1, room)), more)
		}
	}
	return lines
}

// organization draws the id of the organization in one line, which hidden amounts leave as it is,
// or nothing if it does not fit.
func (s *Screen) organization(id string, width int) []string {
	for _, text := range []string{"Organization " + id, id} {
		if id != "" && ansi.StringWidth(text) <= width {
			return []string{s.theme.Faint.Render(mask.Exempt(text))}
		}
	}
	return nil
}

// runwayBody draws cash on hand, runway, net burn and the zero-cash month. If the server gives no
// runway, its reason replaces the zero-cash month.
func (s *Screen) runwayBody(width, height int) []string {
	c, _ := s.data.CashFigures()
	t := s.theme
	cashFacts := fact.CashOf(t, c)
	facts := []fact.Fact{cashFacts.OnHand, cashFacts.Runway, cashFacts.NetBurn}
	if c.Runway != nil {
		facts = append(facts, cashFacts.ZeroCash)
	}
	note := fact.Wrap(t, cmp.Or(c.Note(), c.Reason), width)
	// The reason must not be truncated. If it needs more lines, it replaces figures that are
	// unknown.
	for i := len(facts) - 1; i >= 0 && c.Runway == nil && height < len(facts)+len(note); i-- {
		if facts[i].Value == money.Dash {
			facts = slices.Delete(facts, i, i+1)
		}
	}
	spendable := height > len(facts)+len(note)
	if spendable {
		facts = append(facts, cashFacts.Spendable)
	}
	lines := fact.Lines(t, facts, width)
	cash, runway := fact.CashMeaning(t, width), fact.SpendableMeaning(t, width)
	said := len(note)
	if caveat := fact.Wrap(t, c.Caveat(), width); len(caveat) > 0 {
		said = len(caveat) // the note's first sentence, before the caveat, repeats the runway
	}
	if spendable && height >= len(lines)+len(cash)+len(runway)+said {
		lines = slices.Concat(lines[:1], cash, lines[1:], runway)
	} else if all := facts[0].Label + " all feeds"; ansi.StringWidth(all+" "+masked.Text(t, facts[0].Value)) <= width {
		facts[0].Label = all
		lines = fact.Lines(t, facts, width)
	}
	if height > len(lines)+len(note) {
		lines = append(lines, "")
	}
	return append(lines, fact.Note(t, c, width, height-len(lines))...)
}

// agingBody draws the totals of the receivables, a bar of the aging buckets, and a line for each
// bucket. If not all of these lines fit, the oldest buckets get theirs.
func (s *Screen) agingBody(width, height int) []string {
	a, _ := s.data.Aging.Value()
	t := s.theme
	parts := figures.AgingOf(a).BucketCents()
	lines := fact.Lines(t, []fact.Fact{fact.Overdue(t, a), fact.Outstanding(t, a)}, width)
	lines = append(lines, chart.Stack(parts, t.Aging[:], width))
	buckets := fact.AgingBuckets(t, a)
	for i := range buckets {
		buckets[i].Mark, buckets[i].MarkStyle = chart.PartMark(i), t.Aging[i]
	}
	hidden := max(0, len(lines)+len(buckets)-height)
	return append(lines, fact.Lines(t, buckets[min(hidden, len(buckets)):], width)...)
}

// monthsShown is the number of months in the chart, including the current one.
const monthsShown = 12

func (s *Screen) monthsBody(width, height int) []string {
	of := chart.CacheKey{
		Width: width, Height: height, Loaded: [2]time.Time{s.data.Months.LoadedAt(), s.data.Cash.LoadedAt()},
	}
	return s.chart.Lines(of, func() []string { return s.monthsChart(width, height) })
}

func (s *Screen) monthsChart(width, height int) []string {
	known := s.months()
	shown := chartMonths(known, s.env.Now())
	if height < 10 {
		return chart.Months(s.theme, shown, width, height)
	}
	return append(chart.Months(s.theme, shown, width, height-1), s.thisMonth(known, width))
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

// thisMonth draws the sums of the newest of the months, which are ordered oldest first, in one
// line. It abbreviates the sums if they do not fit.
func (s *Screen) thisMonth(months []figures.Month, width int) string {
	last := months[len(months)-1]
	month, sums := last.Name(s.env.Now()), last.Flows()
	parts := sumParts(month, sums, figures.Total.String)
	if whole := strings.Join(parts, " · "); ansi.StringWidth(whole) > width {
		parts = sumParts(month, sums, figures.Total.Short)
	}
	for i := range parts {
		parts[i] = masked.Text(s.theme, parts[i])
	}
	return s.theme.Faint.Render(fact.Join(parts, width))
}

func sumParts(month string, sums figures.Flows, write func(figures.Total) string) []string {
	return []string{month + ": in " + write(sums.In), "out " + write(sums.Out), "net " + write(sums.Net)}
}

// excluded draws the footnotes, which say how many transactions and receivables are left out of the
// sums on the page.
func (s *Screen) excluded() []string {
	var transactions, receivables int64
	if s.data.Months.State().HasFigures() && slices.Contains(s.arranged(s.height).panels(), months) {
		transactions = figures.Unconverted(s.months())
	}
	if a, ok := s.data.Aging.Value(); ok && s.data.Aging.State().HasFigures() {
		receivables = figures.AgingOf(a).Excluded
	}
	lines := fact.Excluded(s.theme, s.width, s.height, transactions, receivables, s.data.Currency())
	if c, ok := s.data.CashFigures(); ok {
		lines = append(lines, fact.Unanswered(s.theme, c, s.width, s.height)...)
	}
	return lines
}

// balanceLine draws the balance in one line, or says why it is missing.
func (s *Screen) balanceLine() string {
	t, now, state := s.theme, s.env.Now(), s.data.Account.State()
	a, _ := s.data.Account.Value()
	switch {
	case state.Status == resource.Failed:
		return t.Caution.Render("Balance: " + problem.Reason(state.Err) + " · " + panel.RetryHint(state, now))
	case !state.HasFigures():
		return t.Caution.Render("Balance: " + strings.Join(panel.Lines(state, "", now), " "))
	case a.Balance == nil:
		return t.Faint.Render("Balance: available ") + t.Unknown.Render(money.Dash)
	}
	parts := record.Balance(a)
	available := t.Faint.Render("Balance: available ") + t.Strong.Render(masked.Text(t, parts[0].Text()))
	if state.Status == resource.Stale {
		const mark = " · ◌ "
		room := s.width - ansi.StringWidth(available+mark)
		return available + t.Caution.Render(mark+panel.NoticeWithin(state, now, room))
	}
	room := s.width - ansi.StringWidth(available)
	for _, write := range [...]func(*record.Field) string{(*record.Field).Text, (*record.Field).Short} {
		rest := ""
		for i := range parts[1:] {
			rest += ", " + strings.ToLower(parts[i+1].Label) + " " + write(&parts[i+1])
		}
		rest = masked.Text(t, rest)
		synced := " · " + figures.WithTime("synced", a.SyncedAt, now)
		if a.SyncedAt != nil && ansi.StringWidth(rest+synced) <= room {
			rest += synced
		}
		if ansi.StringWidth(rest) <= room {
			return available + t.Faint.Render(rest)
		}
	}
	return available
}

// unframed draws the main figures without frames, the most important first. In the lines left below
// them, it says why figures are missing and adds the server's note about the runway.
func (s *Screen) unframed(height int) []string {
	t, now := s.theme, s.env.Now()
	account, cash, aging := s.data.Account.State(), s.data.Cash.State(), s.data.Aging.State()
	facts := []fact.Fact{
		{Label: "Cash on hand"}, {Label: "Runway"}, {Label: "Net burn / mo"}, {Label: "Overdue"}, {Label: "Available"},
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
			lines = append(lines, t.Faint.Render(figures.WithTime("as of", &c.Position.AsOf, now)))
		}
	}
	return lines
}

// failures draws which figures could not be loaded and why. Figures that failed for the same reason
// share a sentence.
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

// missingReason says in a few words why a figure is missing, such as "loading…".
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
