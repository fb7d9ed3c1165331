package runway

import (
	"slices"
	"time"

	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/civil"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/panel"
)

func (s *Screen) chartPanel(width, height int) []string {
	state := resource.Worst(s.Snapshot.Cash.State(), s.Snapshot.Months.State())
	return panel.Draw(s.Theme, panel.Frame{
		Title: s.chartTitle(), Marked: s.chartMarked(), Width: width, Height: height, Open: s.arranged.open,
		EmptyText: "No transactions to reconstruct the history from.",
		Body:      s.chartBody,
	}, state, s.Now())
}

// chartTitle returns the title of the chart: its unit and what its lines mean.
func (s *Screen) chartTitle() string {
	title := s.inUnit("Cash", ", ", s.chartUnit) + ": past"
	if s.arranged.inTitle {
		return title + s.casesTitle()
	}
	c, _ := s.Snapshot.CashFigures()
	switch f := s.weekly.forecast; {
	case c.Burning == figures.BurningUnknown && f == nil:
	case s.comparing():
		title += ", estimate and plan (hypothetical)"
	case f != nil && !f.Start.Unknown:
		title += ", and 13 weeks (estimate)"
	case c.Runway != nil:
		title += ", and at net burn (estimate)"
	}
	return title
}

// chartMarked reports whether an amount of the chart is incomplete.
func (s *Screen) chartMarked() bool {
	if s.Theme.Masked {
		return false
	}
	if f := s.weekly.forecast; f != nil {
		for i := range f.Weeks {
			if mark.Of(f.Figures(i).Cash) == mark.Lacking {
				return true
			}
		}
	}
	return slices.ContainsFunc(s.monthEnds(s.Snapshot.MonthFigures()), func(t figures.Total) bool {
		return mark.Of(t) == mark.Lacking
	})
}

func (s *Screen) chartBody(width, height int) []string {
	of := chart.CacheKey{
		Width:  width,
		Height: height,
		Loaded: [2]time.Time{s.Snapshot.Cash.LoadedAt(), s.Snapshot.Months.LoadedAt()},
	}
	return s.chart.Lines(of, func() []string { return s.drawChart(width, height) })
}

// drawChart draws the chart. With too little history and no forecast it draws none, because a line
// through few months would suggest certainty.
func (s *Screen) drawChart(width, height int) []string {
	line, reason := s.cashChart()
	if reason != "" {
		return fact.FirstLines(s.Theme, fact.Wrap(s.Theme, reason, width), height)
	}
	return line.Line(s.Theme, width, height)
}

// cashChart returns the chart, or the reason why it is missing.
func (s *Screen) cashChart() (line chart.Cash, reason string) {
	c, ok := s.Snapshot.CashFigures()
	switch {
	case !ok:
		return line, "Waiting for the cash position."
	case c.Burning == figures.BurningUnknown && s.weekly.forecast == nil:
		return line, c.Reason
	}
	if line, ok = s.cashLine(); !ok {
		if !figures.IsPlausible(c.Position.AsOf) {
			return line, "No chart: the cash position has no usable date."
		}
		return line, "Waiting for cash and monthly totals from the same day."
	}
	if !s.comparing() {
		return line, ""
	}
	line.Branches = s.chartBranches(line.Today)
	return line, ""
}

// cashLine returns the points of the chart: past cash at the end of each month, up to the last
// known day, and the forecast of thirteen weeks with its band. With a plan or without a forecast,
// the points ahead are today's spendable cash reduced by the server's monthly net burn. It returns
// false if the past cash is unknown.
func (s *Screen) cashLine() (chart.Cash, bool) {
	c, _ := s.Snapshot.CashFigures()
	line, ok := chart.CashOf(c, s.Snapshot.MonthFigures())
	if !ok {
		return chart.Cash{}, false
	}
	s.addWeeks(&line)
	return line, true
}

// addWeeks adds the forecast to the chart. With a plan, the server's estimate is drawn as dots.
// Otherwise the weeks replace it.
func (s *Screen) addWeeks(line *chart.Cash) {
	f := s.weekly.forecast
	if f == nil || f.Start.Unknown || f.StartDay.IsZero() {
		return
	}
	if s.comparing() {
		line.Course = line.Ahead
	} else {
		line.Zero = civil.Date{}
	}
	line.Ahead = []chart.Point{{Day: f.StartDay, Cents: f.Now.Minor}}
	line.Band = []chart.Range{{Day: f.StartDay, Low: f.Now.Minor, High: f.Now.Minor}}
	for i := range f.Weeks {
		w := &f.Weeks[i]
		line.Ahead = append(line.Ahead, chart.Point{Day: w.Last, Cents: w.Cash.Minor, Unknown: w.Cash.Unknown})
		line.Band = append(line.Band, chart.Range{
			Day: w.Last, Low: w.Cash.Minor - w.Band, High: w.Cash.Minor + w.Band,
		})
	}
	if !f.HasBand() {
		line.Band = nil
	}
}
