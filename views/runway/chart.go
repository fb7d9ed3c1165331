package runway

import (
	"time"

	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
)

// aheadMonths is the maximum number of future months in the chart. More of them would leave too
// little room for the history if the runway is long, such as ten years.
const aheadMonths = 24

func (s *Screen) chartPanel(width, height int) []string {
	if height <= 0 {
		return nil
	}
	now := s.env.Now()
	state := resource.Worst(s.data.Cash.State(), s.data.Months.State())
	return panel.Draw(s.theme, panel.Frame{
		Title: figures.InCurrency("Cash: history and forecast", s.data.Currency()), Note: s.asOf(now), Width: width,
		Height:    height,
		EmptyText: "No transactions to reconstruct the history from.",
		Body:      s.chartBody,
	}, state, now)
}

func (s *Screen) chartBody(width, height int) []string {
	of := chart.CacheKey{
		Zoomed: s.zoomed(),
		Width:  width,
		Height: height,
		Loaded: [2]time.Time{s.data.Cash.LoadedAt(), s.data.Months.LoadedAt()},
	}
	return s.chart.Lines(of, func() []string { return s.drawChart(width, height) })
}

// drawChart draws the chart and a note on how its history is computed. With too little history it
// draws no chart, because a line through few months would suggest certainty.
func (s *Screen) drawChart(width, height int) []string {
	c, _ := s.data.CashFigures()
	if c.Burning == figures.BurningUnknown {
		return append(s.runwayNote(width, height), "", s.theme.Faint.Render("A chart appears once there is enough history."))
	}
	line, ok := s.cashLine()
	if !ok {
		reason := "Waiting for cash and monthly totals from the same day."
		if !figures.IsPlausible(c.Position.AsOf) {
			reason = "No chart: the cash position has no usable date."
		}
		return []string{s.theme.Faint.Render(reason)}
	}
	if s.zoomed() {
		s.zoom(&line)
	}
	if s.comparing() && !s.zoomed() {
		for _, o := range s.outlooks[1:] {
			if o.Known {
				line.Branches = append(line.Branches, o.chartBranch(line.Today))
			}
		}
	}
	var notes []string
	if height >= 9 {
		notes = s.historyNote(c, width)
	}
	return append(line.Line(s.theme, width, height-len(notes)), notes...)
}

// historyNote returns the note below the chart: how the history is computed and, if the zero-cash
// month lies beyond the chart, its name.
func (s *Screen) historyNote(c figures.Cash, width int) []string {
	text := "History estimated from monthly totals."
	if day, far := zeroBeyondChart(c); far && !s.theme.Masked {
		text += " Zero-cash is beyond the chart: " + day + " (est.)."
	}
	return fact.Wrap(s.theme, text, width)
}

// zeroBeyondChart returns the name of the zero-cash month if that month lies beyond the end of the
// chart. Otherwise ok is false.
func zeroBeyondChart(c figures.Cash) (string, bool) {
	if c.Runway == nil || c.Runway.Tenths() <= aheadMonths*10 {
		return "", false
	}
	return c.ZeroMonth(), true
}

// cashLine returns the points of the chart: past cash at the end of each month, the forecast of
// thirteen weeks with its band, and today's spendable cash reduced by the server's monthly
// net burn. It returns false if the past cash is unknown.
func (s *Screen) cashLine() (chart.Cash, bool) {
	c, _ := s.data.CashFigures()
	months := s.data.MonthFigures()
	ends := s.monthEnds(months)
	if len(ends) == 0 || ends[len(ends)-1].Unknown {
		return chart.Cash{}, false
	}
	today := civil.Of(c.Position.AsOf)
	line := chart.Cash{
		Currency:  c.Position.Currency,
		Today:     today,
		PastLabel: "cash on hand", AheadLabel: "spendable (estimate)",
	}
	for i, m := range months {
		day := m.First.LastOfMonth()
		if i == len(months)-1 {
			day = today
		}
		line.Past = append(line.Past, chart.Point{Day: day, Cents: ends[i].Minor, Unknown: ends[i].Unknown})
		if i > 0 && ends[i-1].Mark() != figures.NoMark {
			line.PartialBefore = day
		}
	}
	line.Ahead, line.Zero = ahead(c, today)
	s.addWeeks(&line)
	return line, true
}

// zoomed reports whether the chart shows only the weeks around today. It does so while the list of
// weeks is selected.
func (s *Screen) zoomed() bool {
	f := s.weekly.forecast
	return s.section == weekList && f != nil && !f.Start.Unknown && !f.StartDay.IsZero()
}

// zoom leaves out what is more than a few months behind or ahead.
func (s *Screen) zoom(line *chart.Cash) {
	const monthsBehind = 4
	line.Near, line.Course = true, nil
	line.Past = line.Past[max(0, len(line.Past)-monthsBehind-1):]
	if line.Zero.After(line.Ahead[len(line.Ahead)-1].Day) {
		line.Zero = civil.Date{}
	}
}

// addWeeks adds the forecast to the chart. The server's estimate is drawn as dots then.
func (s *Screen) addWeeks(line *chart.Cash) {
	f := s.weekly.forecast
	if f == nil || f.Start.Unknown || f.StartDay.IsZero() {
		return
	}
	line.Course, line.CourseLabel = line.Ahead, "at net burn (estimate)"
	line.AheadLabel, line.BandLabel = "13 weeks (estimate)", "band"
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

func ahead(c figures.Cash, today civil.Date) (points []chart.Point, zero civil.Date) {
	if c.Runway == nil || c.Spendable.Unknown {
		return nil, civil.Date{}
	}
	left := c.Spendable.Minor
	points = []chart.Point{{Day: today, Cents: left}}
	if day, ok := c.ZeroDay(); ok && c.Runway.Tenths() <= aheadMonths*10 {
		return append(points, chart.Point{Day: day}), day
	}
	for range aheadMonths {
		var ok bool
		if left, ok = money.Add(left, -c.NetBurn.Minor); !ok {
			return nil, civil.Date{}
		}
	}
	return append(points, chart.Point{Day: today.AddMonths(aheadMonths), Cents: left}), civil.Date{}
}
