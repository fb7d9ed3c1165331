package runway

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// weeksPanel draws the forecast of thirteen weeks, or the open week.
func (s *Screen) weeksPanel(width, height int) []string {
	if height <= 0 {
		return nil
	}
	return panel.Draw(s.Theme, panel.Frame{
		Title: s.listTitle(weekList, s.weeksTitle()), Marked: s.weeksMarked(), Width: width, Height: height,
		Open: s.arranged.open,
		Body: s.weeksBody,
	}, s.weeksState(), s.Now())
}

func (s *Screen) weeksTitle() string {
	f := s.weeks()
	title := "Thirteen weeks, estimate"
	if f != nil && f.HasPlan() {
		title = "Weeks with " + columnName(s.planBasis.column) + ", hypothetical"
	}
	switch {
	case f == nil:
		return title
	case s.open.level == basisText:
		return "Basis and tests"
	case s.open.level == closed:
		return title + s.weekTable.More() + s.lastWeek(f)
	}
	w := &f.Weeks[s.open.week]
	title = "Week " + weekName(w)
	if s.open.level == itemRows {
		title += " · " + s.open.items[s.open.item].name
	}
	return title
}

// weeksMarked reports whether the title of the weeks has a mark, because its cash or all figures
// below are incomplete.
func (s *Screen) weeksMarked() bool {
	f := s.weeks()
	if f == nil || s.open.level != closed {
		return false
	}
	return s.weekMarks.Title || s.lastWeek(f) != "" && mark.Of(f.Figures(len(f.Weeks)-1).Cash) == mark.Lacking
}

// lastWeek returns the cash at the end of the last week with its error in tests, such as
// ": $2.96M ±$0.15M in week 13 (6 tests)".
func (s *Screen) lastWeek(f *forecast.Forecast) string {
	sums, scale := f.Figures(len(f.Weeks)-1), weekScalesOf(f).cash
	if sums.Cash.Unknown || s.Theme.Masked {
		return ""
	}
	text := ": " + scale.With(sums.Cash.Minor)
	if !f.HasBand() {
		return text + " in week 13, untested"
	}
	return text + " ±" + scale.UpWith(sums.Band.Minor) + " in week 13 (" + plural.Count(len(f.Trials), "test") + ")"
}

// weekScales are the scales of the table of weeks. The largest error in tests limits the digits of
// the cash. Flows have one more.
type weekScales struct{ flows, cash money.Scale }

func weekScalesOf(f *forecast.Forecast) weekScales {
	var flow, cash, miss int64
	currency := f.Basis.Currency
	for i := range f.Weeks {
		w := f.Figures(i)
		flow = max(flow, w.In.Minor, w.Out.Minor, w.Net.Minor, -w.Net.Minor, w.Supposed.Minor, -w.Supposed.Minor)
		if !w.Cash.Unknown {
			cash = max(cash, w.Cash.Minor, -w.Cash.Minor)
		}
		if !w.Band.Unknown {
			miss = max(miss, w.Band.Minor)
		}
	}
	scale := money.ScaleOfError(cash, miss, currency)
	return weekScales{scale.Finer(flow, currency), scale}
}

func weekName(w *forecast.Week) string { return w.First.String() + "–" + w.Last.String()[5:] }

// weeksState returns the state of the first missing input of the forecast. It returns Ready if all
// are known, or if the panel itself says what it waits for.
func (s *Screen) weeksState() resource.State {
	cash, history, invoices := s.Snapshot.Cash.State(), s.Snapshot.History.State(), s.invoices.State()
	switch {
	case !cash.HasFigures():
		return cash
	case s.weekly.forecast != nil:
		return resource.State{Status: resource.Ready}
	case s.Snapshot.History.Ledger() == nil && history.Err != nil:
		return history
	case !settled(s.invoices) && invoices.Err != nil:
		return invoices
	}
	return resource.State{Status: resource.Ready}
}

func (s *Screen) weeksBody(width, height int) []string {
	lines := s.above(weekList, width)
	switch w := &s.weekly; {
	case s.open.level == basisText:
		text := s.basisLines(width)
		return text[min(s.open.offset, max(0, len(text)-height)):]
	case w.forecast == nil && w.err != nil:
		return append(lines, fact.Wrap(s.Theme, "No forecast: "+w.err.Error()+".", width)...)
	case w.forecast == nil && len(lines) == 0:
		return []string{s.Theme.Faint.Render("Waiting for transactions and invoices.")}
	case w.forecast == nil:
		return append(lines, fact.Wrap(s.Theme, "The forecast appears when all months are read.", width)...)
	}
	return append(lines, s.shownList().Lines()...)
}

// basisLines returns all sentences about the forecast, separated by empty lines.
func (s *Screen) basisLines(width int) (lines []string) {
	for i, sentence := range s.sentences() {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, fact.Wrap(s.Theme, sentence, width)...)
	}
	return lines
}

// fillWeeks fills the table of weeks.
func (s *Screen) fillWeeks(width, height int) {
	f := s.weeks()
	if f == nil {
		s.weekTable.fill(s.Theme, []table.Column{{}}, 0, nil, width, height)
		return
	}
	scales := weekScalesOf(f)
	rows, states := make([][]table.Cell, len(f.Weeks)), make([][]mark.State, len(f.Weeks))
	for i := range rows {
		rows[i], states[i] = s.weekCells(f, i, scales)
	}
	s.weekMarks = mark.Place(states)
	columns := s.weekColumns(f, scales)
	placeMarks(s.weekMarks, columns, rows)
	columns = fitted(columns, len(rows), func(row int) []table.Cell { return rows[row] })
	span := spanOf(f, min(chart.MostBar, width-columnsWidth(columns)-2))
	drawn := span.width >= chart.LeastBar && !s.Theme.Masked
	if drawn {
		columns = append(columns, table.Column{
			Title: rangeTitle(f, span.width), Min: span.width, Ideal: span.width, Priority: 5,
		})
	}
	ahead := table.NewInk(s.Theme.Caution)
	cells := func(row int) []table.Cell {
		if !drawn {
			return rows[row]
		}
		all := rows[row]
		return append(all[:len(all):len(all)], table.Cell{Text: span.line(&f.Weeks[row]), Ink: ahead})
	}
	s.weekTable.fill(s.Theme, columns, len(f.Weeks), cells, width, height)
	s.weekTable.setActive(s.section == weekList)
}

// rangeTitle returns the longest title of the column of ranges that fits.
func rangeTitle(f *forecast.Forecast, width int) string {
	if !f.HasBand() {
		return ""
	}
	for _, title := range [...]string{"lowest and highest by the tests", "range by the tests", "range"} {
		if len(title) <= width {
			return title
		}
	}
	return ""
}

func (s *Screen) weekColumns(f *forecast.Forecast, scales weekScales) []table.Column {
	columns := []table.Column{
		{Title: "Week until"}, {Title: s.inUnit("In", " ", scales.flows.Unit), Priority: 2}, {Title: "Out", Priority: 2},
	}
	if f.KnowsBills() {
		columns = append(columns, table.Column{Title: "Of it bills", Priority: 3})
	}
	if f.HasPlan() {
		columns = append(columns, table.Column{Title: "Plan", Priority: 2})
	}
	columns = append(columns, table.Column{Title: "Net", Priority: 1},
		table.Column{Title: s.inUnit("Spendable", " ", scales.cash.Unit)})
	if f.HasBand() {
		columns = append(columns, table.Column{Title: "±", Priority: 1})
	}
	for i := range columns[1:] {
		columns[i+1].Align = table.Right
	}
	return columns
}

// weekCells returns the cells of a week, and which of them, after the first, are incomplete.
func (s *Screen) weekCells(f *forecast.Forecast, week int, scales weekScales) (cells []table.Cell, known []mark.State) {
	w := f.Figures(week)
	figures.RoundToAddUp(scales.flows, &w.Net, figures.Term{Total: &w.In}, figures.Term{Total: &w.Out, Less: true},
		figures.Term{Total: &w.Supposed})
	cells = append(cells, table.Cell{Text: f.Weeks[week].Last.String()})
	add := func(t figures.Total, cell table.Cell) { cells, known = append(cells, cell), append(known, mark.Of(t)) }
	add(w.In, s.cell(w.In, scales.flows))
	add(w.Out, s.cell(w.Out, scales.flows))
	if f.KnowsBills() {
		add(w.Bills, s.cell(w.Bills, scales.flows))
	}
	if f.HasPlan() {
		add(w.Supposed, s.cell(w.Supposed, scales.flows))
	}
	cash := s.cell(w.Cash, scales.cash)
	if !w.Cash.Unknown && w.Cash.Minor <= 0 {
		cash.Ink = table.NewInk(s.Theme.Critical)
	}
	add(w.Net, s.cell(w.Net, scales.flows))
	add(w.Cash, cash)
	if f.HasBand() {
		add(w.Band, table.Cell{Text: s.shown(scales.cash.Up(w.Band.Minor)), Ink: table.NewInk(s.Theme.Faint)})
	}
	return cells, known
}

// span draws the cash at the end of each week as a point within its band, all to the same scale.
type span struct {
	low, high int64
	width     int
}

// spanOf returns the scale of all weeks. Its width is 0 if the cash is unknown.
func spanOf(f *forecast.Forecast, width int) span {
	s := span{width: width}
	for i := range f.Weeks {
		w := &f.Weeks[i]
		if w.Cash.Unknown {
			return span{}
		}
		low, high := w.Cash.Minor-w.Band, w.Cash.Minor+w.Band
		if i == 0 {
			s.low, s.high = low, high
		}
		s.low, s.high = min(s.low, low), max(s.high, high)
	}
	return s
}

func (s span) column(cents int64) int {
	if s.high <= s.low {
		return 0
	}
	return int(float64(cents-s.low) / float64(s.high-s.low) * float64(s.width-1))
}

// line returns the range of a week: "├─●──┤", with "0" at zero.
func (s span) line(w *forecast.Week) string {
	cells := []rune(strings.Repeat(" ", s.width))
	low, high := s.column(w.Cash.Minor-w.Band), s.column(w.Cash.Minor+w.Band)
	for x := low; x <= high; x++ {
		cells[x] = '─'
	}
	if low < high {
		cells[low], cells[high] = '├', '┤'
	}
	if s.low < 0 && s.high > 0 {
		cells[s.column(0)] = '0'
	}
	cells[s.column(w.Cash.Minor)] = '●'
	return strings.TrimRight(string(cells), " ")
}

// basisHidden returns how many lines of the text about the forecast don't fit.
func (s *Screen) basisHidden() int {
	for _, p := range s.arranged.lists {
		if p.section == weekList {
			width, height := s.inner(p)
			return max(0, len(s.basisLines(width))-height)
		}
	}
	return 0
}

// openSelected opens the row under the cursor.
func (s *Screen) openSelected() tea.Cmd {
	if s.answers.IsFocused() {
		return s.answers.Open()
	}
	switch s.section {
	case monthList:
		return s.openMonth()
	case planList:
		s.changeLine()
		return nil
	case againstList:
		return s.openCompared()
	}
	switch s.open.level {
	case closed:
		s.openWeek(s.weekTable.cursor)
	case weekItems:
		return s.openItem(s.open.list.cursor)
	}
	return nil
}
