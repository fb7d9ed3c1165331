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
	"tarmac/theme"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
)

// arrangement holds the heights of the page's panels in lines. A panel of height 0 is hidden.
type arrangement struct {
	open                         bool // panels have no frames
	above                        int  // lines of the sentence
	buckets, customers, invoices int
}

// side returns the number of cells between the edge of a panel and its text.
func (a arrangement) side() int {
	if a.open {
		return 0
	}
	return 2
}

// arrange divides the page's height among the panels. They do not get the lines at the bottom that
// the method missing returns.
func (s *Screen) arrange() arrangement {
	needed := needs{sentence: len(s.answered()), customers: len(s.all), invoices: s.mostInvoices}
	return needed.divide(s.Width, s.room(), panel.IsOpen(s.Height), s.pair.Inside)
}

// needs are the lines that the parts of the page need: the sentence, all customers, and the open
// invoices of the customer with most of them, so that no step of the cursor moves a panel.
type needs struct{ sentence, customers, invoices int }

// divide divides a height among the panels. inside says that the cursor is in the lowest table.
func (n needs) divide(width, height int, open, inside bool) arrangement {
	const buckets, leastRows = len(figures.BucketNames), 2
	a := arrangement{open: open}
	frame := 2
	if a.open {
		frame = 1
	}
	if width < 40 || height < buckets+frame+1 {
		return arrangement{}
	}
	if height-n.sentence >= buckets+frame {
		a.above = n.sentence
	}
	a.buckets = buckets + frame
	rest := height - a.above - a.buckets
	if rest < leastRows+1+frame {
		a.buckets += rest
		return a
	}
	switch {
	case rest >= 18:
		most := max(8, rest/3)
		if rest >= 40 {
			most = rest * 2 / 5
		}
		const header = 1
		a.invoices = min(max(leastRows, n.invoices)+header+frame, most)
		a.invoices = max(a.invoices, rest-(n.customers+header+frame))
	case inside:
		a.invoices = rest // in place of the customers
	}
	a.customers = rest - a.invoices
	return a
}

// answered draws the sentence at the top of the page, in at most two lines. It
// returns nil while amounts are hidden.
func (s *Screen) answered() []string {
	const most = 2
	if s.Theme.Masked {
		return nil
	}
	return fact.FirstLines(s.Theme, fact.WrapIn(s.Theme, s.Theme.Accent, s.sentence, s.Width), most)
}

// missing returns the lines at the bottom of the page: how many receivables the sums lack for want
// of an exchange rate. It returns nil if the sums are complete or unknown.
func (s *Screen) missing() []string {
	a, known := s.Snapshot.Aging.Value()
	if !known || !s.Snapshot.Aging.State().HasFigures() {
		return nil
	}
	m := fact.Missing{Receivables: figures.AgingOf(a).Excluded, Currency: a.Currency}
	return m.Lines(s.Theme, s.Width, s.Height)
}

func (s *Screen) room() int { return s.Height - len(s.missing()) }

func (s *Screen) panels() []string {
	a := s.arrange()
	now, state := s.Now(), s.Snapshot.Aging.State()
	if a.buckets == 0 {
		return s.unframed(state, now)
	}
	if !state.HasFigures() {
		// One panel is enough to say why figures are missing.
		return panel.Draw(s.Theme, panel.Frame{
			Title: "Owed to us", EmptyText: s.emptyText(), Width: s.Width, Height: s.room(), Open: a.open,
		}, state, now)
	}
	lines := panel.Box(s.answered(), s.Width, a.above)
	return slices.Concat(lines, s.bucketsPanel(a), s.customersPanel(a, now), s.invoicesPanel(a, now))
}

// bucketsPanel draws the aging buckets. The title has their total.
func (s *Screen) bucketsPanel(a arrangement) []string {
	aging, _ := s.Snapshot.Aging.Value()
	total := fact.Outstanding(s.Theme, aging)
	var counts []string
	for _, f := range [...]struct {
		n    *int64
		what string
	}{{aging.Totals.InvoiceCount, "open"}, {aging.Totals.OverdueCount, "overdue"}} {
		if f.n != nil {
			counts = append(counts, money.Count(*f.n)+" "+f.what)
		}
	}
	note := strings.Join(counts, ", ")
	if day := figures.ListDay(aging); day != "" {
		note = strings.TrimPrefix(note+" · "+s.asOf(s.Now()), " · ")
	}
	return panel.Draw(s.Theme, panel.Frame{
		Title:  "Owed to us " + masked.Text(s.Theme, total.Value),
		Briefs: []string{"Owed to us " + masked.Text(s.Theme, total.Short)},
		Marked: total.Sign != "", Note: note,
		Width: s.Width, Height: a.buckets, Open: a.open, Focused: s.bucket > 0, Body: s.bucketsBody,
	}, s.Snapshot.Aging.State(), s.Now())
}

// customersPanel draws the customers. Without invoices it says why habits are missing.
func (s *Screen) customersPanel(a arrangement, now time.Time) []string {
	if a.customers == 0 {
		return nil
	}
	state, note := s.Snapshot.Aging.State(), ""
	list, _ := s.invoices.Value()
	switch invoices := s.invoices.State(); {
	case invoices.HasFigures():
		state = invoices
		if !list.Since.IsZero() {
			since := civil.Of(list.Since).String()
			note = "paid invoices since " + since + " · the API lists " + money.Count(collections.ListLimit)
		}
	case invoices.Err != nil:
		note = "no habits: " + problem.Reason(invoices.Err) + " · " + panel.RetryHint(invoices, now)
	case invoices.Waiting:
		note = "loading invoices…"
	}
	s.customers.Table.SetSize(panel.InnerOf(a.open, s.Width, a.customers))
	more := s.customers.Table.More()
	return panel.Draw(s.Theme, panel.Frame{
		Title: s.customersTitle(true) + more, Briefs: []string{s.customersTitle(false) + more, "Customers" + more},
		Note: note, Width: s.Width, Height: a.customers, Open: a.open, Focused: s.bucket == 0 && !s.pair.Inside,
		Body: s.customersBody,
	}, state, now)
}

// invoicesPanel draws the open invoices of the selected customer.
func (s *Screen) invoicesPanel(a arrangement, now time.Time) []string {
	if a.invoices == 0 {
		return nil
	}
	state := s.Snapshot.Aging.State()
	if invoices := s.invoices.State(); invoices.HasFigures() {
		state = invoices
	}
	s.open.Table.SetSize(panel.InnerOf(a.open, s.Width, a.invoices))
	more := s.open.Table.More()
	return panel.Draw(s.Theme, panel.Frame{
		Title: s.invoicesTitle() + more, Briefs: []string{"Open invoices" + more}, Note: s.invoicesNote(), Width: s.Width,
		Height: a.invoices, Focused: s.pair.Inside, Open: a.open, Body: s.invoicesBody,
	}, state, now)
}

// invoicesNote explains the expected days of the invoices. It explains their totals, too, unless
// these are known to be what is still owed.
func (s *Screen) invoicesNote() string {
	const estimate = "expected days are estimates"
	c := s.customers.Current()
	switch {
	case c == nil || len(c.Open) == 0:
		return ""
	case c.IsConfirmed || c.OverdueCount() == 0:
		return estimate
	}
	return "totals before part payments · " + estimate
}

// emptyText says why the list of receivables is empty.
func (s *Screen) emptyText() string {
	a, known := s.Snapshot.Aging.Value()
	if !known {
		return ""
	}
	return figures.NoReceivables(a)
}

// asOf says of when the figures are: the day of the imported list, or when the server computed
// them. If the server does not send that time, asOf says when they were fetched.
func (s *Screen) asOf(now time.Time) string {
	a, ok := s.Snapshot.Aging.Value()
	if !ok {
		return ""
	}
	if a.AsOf != nil || figures.ListDay(a) != "" {
		return figures.ReceivablesAsOf(a, now)
	}
	at := s.Snapshot.Aging.LoadedAt()
	return figures.WithTime("updated", &at, now)
}

func (s *Screen) totals(a *apiclient.ReceivablesAging) []fact.Fact {
	t := s.Theme
	facts := []fact.Fact{
		fact.Outstanding(t, a), fact.Overdue(t, a),
		fact.Count(t, "Open invoices", a.Totals.InvoiceCount), fact.Count(t, "Overdue invoices", a.Totals.OverdueCount),
	}
	if a.Totals.UnconvertedCount != nil {
		facts = append(facts, fact.Count(t, "No "+figures.Rate(a.Currency)+" (excluded)", a.Totals.UnconvertedCount))
	}
	return facts
}

// shareWidth is the width of a percentage and the gap before it in cells.
const shareWidth = len(" 100.0%")

func (s *Screen) bucketsBody(width, _ int) []string {
	a, _ := s.Snapshot.Aging.Value()
	return bucketLines(s.Theme, figures.AgingOf(a), s.bucket-1, width)
}

// bucketLines draws aging buckets as a table with a bar for each bucket, all on one scale. selected
// is the index of the selected bucket, or -1.
func bucketLines(t theme.Theme, aging figures.Aging, selected, width int) []string {
	parts := aging.BucketCents()
	whole := slices.Max(parts)
	amounts, widest := amountTexts(aging.Buckets[:])
	labels := ansi.StringWidth(figures.BucketLabels[4])
	const shadeAndGaps = 6
	bar := min(chart.MostBar, width-labels-widest-shareWidth-shadeAndGaps)
	lines := make([]string, len(parts))
	for i, cents := range parts {
		name := termtext.Fit(figures.BucketLabels[i], labels)
		if i == selected {
			name = t.Selected.Render(name)
		}
		line := t.Aging[i].Render(chart.PartMark(i)) + " " + name
		if bar >= chart.LeastBar && !t.Masked {
			line += "  " + chart.Bar(cents, whole, t.Aging[i], bar)
		}
		share := cmp.Or(figures.Unmarked(aging.Share(i)), money.Dash)
		lines[i] = line + "  " + padLeft(amounts[i], widest) + padLeft(share, shareWidth)
	}
	return lines
}

func amountTexts(sums []figures.Total) (texts []string, widest int) {
	for _, sum := range sums {
		texts = append(texts, figures.Unmarked(sum.String()))
		widest = max(widest, ansi.StringWidth(texts[len(texts)-1]))
	}
	return texts, widest
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-ansi.StringWidth(s))) + s
}

// unframed draws the figures without panels. If figures are missing, it draws one panel that
// says why.
func (s *Screen) unframed(state resource.State, now time.Time) []string {
	if !state.HasFigures() {
		return panel.Draw(s.Theme, panel.Frame{
			Title: "Receivables", EmptyText: s.emptyText(), Width: s.Width, Height: s.room(),
		}, state, now)
	}
	a, _ := s.Snapshot.Aging.Value()
	t := s.Theme
	facts := []fact.Fact{fact.Overdue(t, a), fact.Outstanding(t, a)}
	for i, sum := range figures.AgingOf(a).Buckets {
		facts = append(facts, fact.Sum(t, figures.BucketLabels[i], sum))
	}
	lines := fact.Lines(t, facts, s.Width)
	if notice := panel.NoticeWithin(state, now, s.Width-2); notice != "" {
		return append(lines, t.Caution.Render("◌ "+notice))
	}
	return append(lines, t.Faint.Render(s.asOf(now)))
}
