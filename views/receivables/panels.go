package receivables

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
)

// arrangement holds the heights of the page's panels in lines. A panel of height 0 is hidden.
type arrangement struct {
	beside                       bool // the totals appear beside the buckets
	buckets, customers, invoices int
}

// tableFrame is the number of lines of the customers table besides its rows: the frame and the
// column titles.
const tableFrame = 3

// totalsWidth is the width, in cells, of the totals panel beside the buckets.
const totalsWidth = 40

// arrange divides the page's height among the panels. The panels do not get the lines at the bottom
// that the method excluded returns.
func (s *Screen) arrange() arrangement {
	const bucketsHeight = 10 // the frame, the stacked bar, a blank line, five buckets, the totals
	width, height := s.width, s.room()
	switch {
	case width < 40 || height < bucketsHeight:
		return arrangement{}
	case height < bucketsHeight+tableFrame+2:
		return arrangement{buckets: height, beside: width >= 100}
	}
	a := arrangement{beside: width >= 100, buckets: bucketsHeight}
	if height >= 50 {
		a.buckets += 5 // room for a blank line after each bucket
	}
	rest := height - a.buckets
	switch {
	case rest >= 18:
		a.invoices = max(8, rest*2/5)
	case s.inside:
		a.invoices = rest // in place of the customers
	}
	a.customers = rest - a.invoices
	return a
}

// excluded returns the lines at the bottom of the page. They say how many receivables are left out
// of the sums because they have no exchange rate. It returns nil if none are left out or there are
// no sums.
func (s *Screen) excluded() []string {
	a, known := s.data.Aging.Value()
	if !known || !s.data.Aging.State().HasFigures() {
		return nil
	}
	return fact.Excluded(s.theme, s.width, s.height, 0, figures.AgingOf(a).Excluded, a.Currency)
}

func (s *Screen) room() int { return s.height - len(s.excluded()) }

func (s *Screen) draw() []string {
	return append(panel.Box(s.panels(), s.width, s.room()), s.excluded()...)
}

func (s *Screen) panels() []string {
	a := s.arrange()
	now, state := s.env.Now(), s.data.Aging.State()
	if a.buckets == 0 {
		return s.unframed(state, now)
	}
	if !state.HasFigures() {
		// One panel is enough to say why there are no figures.
		return s.frame("Aged receivables", s.width, s.room(), state, now, nil)
	}
	title := figures.InCurrency("Aged receivables", s.data.Currency())
	buckets := s.frame(title, s.width, a.buckets, state, now, s.bucketsBody)
	if a.beside {
		buckets = panel.Beside(
			s.frame("Totals", totalsWidth, a.buckets, state, now, s.totalsBody),
			s.frame(title, s.width-totalsWidth, a.buckets, state, now, s.bucketsBody),
		)
	}
	return slices.Concat(buckets, s.customersPanel(a.customers, now), s.invoicesPanel(a.invoices, now))
}

// customersPanel draws the customers. Without invoices it says why there are no habits.
func (s *Screen) customersPanel(height int, now time.Time) []string {
	if height == 0 {
		return nil
	}
	state, note := s.data.Aging.State(), ""
	list, _ := s.invoices.Value()
	switch invoices := s.invoices.State(); {
	case invoices.HasFigures():
		state = invoices
		if !list.Since.IsZero() {
			since := civil.Of(list.Since).String()
			note = "paid invoices since " + since + ": the API lists " + money.Count(collections.ListLimit)
		}
	case invoices.Err != nil:
		note = "no habits: " + problem.Reason(invoices.Err) + " · " + panel.RetryHint(invoices, now)
	case invoices.Waiting:
		note = "loading invoices…"
	}
	return panel.Draw(s.theme, panel.Frame{
		Title: s.customersTitle(s.width), Note: note, Width: s.width, Height: height,
		Focused: s.bucket == 0 && !s.inside, Body: s.customersBody,
	}, state, now)
}

// invoicesPanel draws the open invoices of the selected customer.
func (s *Screen) invoicesPanel(height int, now time.Time) []string {
	if height == 0 {
		return nil
	}
	state := s.data.Aging.State()
	if invoices := s.invoices.State(); invoices.HasFigures() {
		state = invoices
	}
	return panel.Draw(s.theme, panel.Frame{
		Title: s.invoicesTitle(), Note: s.invoicesNote(), Width: s.width, Height: height, Focused: s.inside,
		Body: s.invoicesBody,
	}, state, now)
}

// invoicesNote explains the expected days of the invoices. It explains their totals, too, unless
// these are known to be what is still owed.
func (s *Screen) invoicesNote() string {
	const estimate = "expected days are estimates"
	c, ok := s.customer()
	switch {
	case !ok || len(c.Open) == 0:
		return ""
	case c.IsConfirmed || c.OverdueCount() == 0:
		return estimate
	}
	return "totals before part payments · " + estimate
}

func (s *Screen) frame(
	title string,
	width, height int,
	state resource.State,
	now time.Time,
	body func(int, int) []string,
) []string {
	return panel.Draw(s.theme, panel.Frame{
		Title: title, Note: s.asOf(now), EmptyText: s.emptyText(), Width: width, Height: height, Body: body,
	}, state, now)
}

// emptyText says why there are no receivables.
func (s *Screen) emptyText() string {
	a, known := s.data.Aging.Value()
	if !known {
		return ""
	}
	return figures.NoReceivables(a)
}

// asOf says of when the figures are: the day of the imported list, or when the server computed
// them. If the server does not send that time, asOf says when they were fetched.
func (s *Screen) asOf(now time.Time) string {
	a, ok := s.data.Aging.Value()
	if !ok {
		return ""
	}
	if a.AsOf != nil || figures.ListDay(a) != "" {
		return figures.ReceivablesAsOf(a, now)
	}
	at := s.data.Aging.LoadedAt()
	return figures.WithTime("updated", &at, now)
}

func (s *Screen) totals(a *apiclient.ReceivablesAging) []fact.Fact {
	t := s.theme
	facts := []fact.Fact{
		fact.Outstanding(t, a), fact.Overdue(t, a),
		fact.Count(t, "Open invoices", a.Totals.InvoiceCount), fact.Count(t, "Overdue invoices", a.Totals.OverdueCount),
	}
	if a.Totals.UnconvertedCount != nil {
		facts = append(facts, fact.Count(t, "No "+figures.Rate(a.Currency)+" (excluded)", a.Totals.UnconvertedCount))
	}
	return facts
}

func (s *Screen) totalsBody(width, _ int) []string {
	a, _ := s.data.Aging.Value()
	return fact.Lines(s.theme, s.totals(a), width)
}

// markAndGaps is the width of the parts around a bucket's bar: its mark, its percentage and the
// gaps between them. shareWidth is the width of the percentage and the gap before it. Both are in
// cells.
const (
	markAndGaps = 14
	shareWidth  = len(" ~100.0%")
)

// bucketsBody draws the aging buckets as one stacked bar, and below it a table with a bar for each
// bucket.
func (s *Screen) bucketsBody(width, height int) []string {
	a, _ := s.data.Aging.Value()
	t := s.theme
	aging := figures.AgingOf(a)
	parts := aging.BucketCents()
	lines := []string{s.stack(parts, width)}
	spread := height >= 2+2*len(parts)+1
	whole := slices.Max(parts)
	amounts, widest := amountTexts(aging.Buckets[:])
	labels := ansi.StringWidth(figures.BucketLabels[2])
	bar := width - labels - widest - markAndGaps
	for i, cents := range parts {
		if spread || i == 0 && height > len(parts)+2 {
			lines = append(lines, "")
		}
		name := termtext.Fit(figures.BucketLabels[i], labels)
		if i == s.bucket-1 {
			name = t.Selected.Render(name)
		}
		line := t.Aging[i].Render(chart.PartMark(i)) + " " + name
		if bar >= 8 && !t.Masked {
			line += "  " + chart.Bar(cents, whole, t.Aging[i], bar)
		}
		line += "  " + padLeft(amounts[i], widest) + padLeft(cmp.Or(aging.Share(i), money.Dash), shareWidth)
		lines = append(lines, line)
	}
	if height > len(lines) && !s.arrange().beside {
		lines = append(lines, t.Faint.Render(s.sumLine(a, width)))
	}
	return lines
}

// stack draws the buckets as one bar. While amounts are hidden, it returns a text instead, because
// the lengths show the shares.
func (s *Screen) stack(parts []int64, width int) string {
	if s.theme.Masked {
		return s.theme.Faint.Render("bars are hidden with the amounts")
	}
	return chart.Stack(parts, s.theme.Aging[:], width)
}

// sumLine returns as many of the totals as fit into one line of width cells.
func (s *Screen) sumLine(a *apiclient.ReceivablesAging, width int) string {
	var words []string
	for _, f := range s.totals(a) {
		line := f.Label + " " + f.Value
		if f.After != "" {
			line += " (" + f.After + ")"
		}
		words = append(words, line)
	}
	return fact.Join(words, width)
}

func amountTexts(sums []figures.Total) (texts []string, widest int) {
	for _, sum := range sums {
		texts = append(texts, sum.String())
		widest = max(widest, ansi.StringWidth(sum.String()))
	}
	return texts, widest
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-ansi.StringWidth(s))) + s
}

// unframed draws the figures without panels. If there are no figures, it draws one panel that says
// why.
func (s *Screen) unframed(state resource.State, now time.Time) []string {
	if !state.HasFigures() {
		return s.frame("Receivables", s.width, s.room(), state, now, nil)
	}
	a, _ := s.data.Aging.Value()
	t := s.theme
	facts := []fact.Fact{fact.Overdue(t, a), fact.Outstanding(t, a)}
	for i, sum := range figures.AgingOf(a).Buckets {
		facts = append(facts, fact.Sum(t, figures.BucketLabels[i], sum))
	}
	lines := fact.Lines(t, facts, s.width)
	if notice := panel.NoticeWithin(state, now, s.width-2); notice != "" {
		return append(lines, t.Caution.Render("◌ "+notice))
	}
	return append(lines, t.Faint.Render(s.asOf(now)))
}
