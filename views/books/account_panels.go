package books

import (
	"slices"

	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/panel"
)

// Minimum sizes in cells.
const (
	leastFacts = 44 // width of an account's facts next to its months
	leastChart = 8  // height of the chart
)

// accountBeside returns the selected account if a panel with its months fits next to its facts, in
// the given height. Opened details must show all months, because that panel doesn't scroll.
func (s *Screen) accountBeside(height int) (a *ownbooks.Account, ok bool) {
	a = s.selectedAccount()
	if a == nil || len(a.Months) == 0 || height < leastChart || panel.IsOpen(s.height) {
		return nil, false
	}
	if _, rows := s.inner(s.width, height); s.opened && len(a.Months)+1 > rows {
		return nil, false
	}
	return a, s.width-s.monthsWidth(a) >= leastFacts
}

// monthsWidth returns the width of the panel with the months of an account.
func (s *Screen) monthsWidth(a *ownbooks.Account) int {
	inner, _ := s.inner(s.width, s.height)
	return s.monthTable(a).width + s.width - inner
}

// accountLayout is the layout of an account's panels. The months are on the right of the facts. The
// chart is below the facts, or below both.
type accountLayout struct {
	right                int  // width of the months; 0 if they are hidden
	facts, months, chart int  // heights
	across               bool // the chart is below both
}

// layAccountOut divides a height among the panels of an account, and sets the size of its facts.
func (s *Screen) layAccountOut(a *ownbooks.Account, height int) {
	l := accountLayout{right: s.monthsWidth(a), facts: height, months: height}
	left := s.width - l.right
	s.detail.SetSize(left, height)
	full := s.detail.Full()
	both := max(full, len(a.Months)+s.frameLines())
	switch {
	case chart.MonthsUnit(s.chartMonths(a, left)) == "":
	case height-both >= leastChart:
		l.facts, l.months, l.chart, l.across = both, both, height-both, true
	case height-full >= leastChart:
		l.facts, l.chart = full, height-full
	}
	s.detail.SetSize(left, l.facts)
	s.layout = l
}

// accountPanels draws the facts, the months and the chart of an account.
func (s *Screen) accountPanels(a *ownbooks.Account) []string {
	l := s.layout
	left, right := s.detail.Lines(), s.monthsPanel(a, l.right, l.months)
	if l.across {
		return slices.Concat(panel.Beside(left, right), s.chartPanel(a, s.width, l.chart))
	}
	return panel.Beside(slices.Concat(left, s.chartPanel(a, s.width-l.right, l.chart)), right)
}

// chartPanel draws the money in and out of an account a month.
func (s *Screen) chartPanel(a *ownbooks.Account, width, height int) []string {
	if height <= 0 {
		return nil
	}
	months := s.chartMonths(a, width)
	frame := panel.Frame{
		Title: "In and out a month", Legend: chart.MonthsLegend(s.theme), Note: chart.SoFar(months),
		Width: width, Height: height,
		Body: func(width, height int) []string { return chart.Months(s.theme, months, width, height) },
	}
	if !s.theme.Masked {
		frame.Title += ", " + chart.MonthsUnit(months)
	}
	return panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now())
}

// chartMonths returns the newest months of an account that fit into a chart with their names,
// oldest first.
func (s *Screen) chartMonths(a *ownbooks.Account, width int) (months []chart.Month) {
	const scale, slot = 10, 5
	for i := range a.Months[:min(len(a.Months), max(1, (width-scale)/slot))] {
		m := &a.Months[i]
		month := chart.Month{
			First: m.First.FirstOfMonth(), In: sumOf(m.InMinor, a.Currency), Out: sumOf(m.OutMinor, a.Currency),
			Net: figures.Total{Unknown: true}, SoFar: figures.IsCurrentMonth(m.First, s.env.Now()),
		}
		if m.InMinor != nil && m.OutMinor != nil {
			if net, fits := money.Add(*m.InMinor, -*m.OutMinor); fits {
				month.Net = sumOf(&net, a.Currency)
			}
		}
		months = append(months, month)
	}
	slices.Reverse(months)
	return months
}

func sumOf(minor *int64, currency string) figures.Total {
	if minor == nil {
		return figures.Total{Unknown: true}
	}
	return figures.Total{Minor: *minor, Currency: currency}
}

// monthsPanel draws the totals of an account by month.
func (s *Screen) monthsPanel(a *ownbooks.Account, width, height int) []string {
	t := s.monthTable(a)
	title := "Months"
	if a.Currency != "" {
		title += ", " + a.Currency
	}
	_, rows := s.inner(width, height)
	if left := len(t.lines) + 1 - rows; left > 0 {
		title += " (" + money.Count(int64(left)) + " more)"
	}
	lines := []string{s.theme.Faint.Render(termtext.Fit(monthHead, t.label) + "  " + t.head)}
	for i, f := range t.facts {
		_, ink := s.levelSign(f.Level)
		lines = append(lines, s.theme.Faint.Render(termtext.Fit(f.Label, t.label))+"  "+ink.Render(t.lines[i]))
	}
	frame := panel.Frame{
		Title: title, Width: width, Height: height, Body: func(int, int) []string { return lines },
	}
	return panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now())
}
