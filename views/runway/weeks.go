package runway

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/resource"
	"tarmac/client/scenario"
	"tarmac/internal/plural"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// weeksPanel draws the forecast of thirteen weeks, or what the open week is made of.
func (s *Screen) weeksPanel(width, height int) []string {
	if height <= 0 {
		return nil
	}
	return panel.Draw(s.theme, panel.Frame{
		Title: s.listTitle(weekList, s.weeksTitle()), Note: s.missNote(), Width: width, Height: height,
		Body: s.weeksBody,
	}, s.weeksState(), s.env.Now())
}

func (s *Screen) weeksTitle() string {
	f, supposed := s.weeks()
	title := figures.InCurrency("Thirteen weeks", s.data.Currency()) + " · estimate"
	if supposed {
		at := s.scenarios.Selected
		title += " · hypothetical: " + string(scenario.Letter(at)) + " " + s.scenarios.Slots[at].Name
	}
	if f == nil || s.open.level == closed {
		return title
	}
	if s.open.level == basisText {
		return "Thirteen weeks: basis and tests"
	}
	w := &f.Weeks[s.open.week]
	title = "Week " + weekName(w)
	if s.open.level == itemRows {
		title += " · " + s.open.items[s.open.item].name
	}
	return title
}

func weekName(w *forecast.Week) string { return w.First.String() + "–" + w.Last.String()[5:] }

// missNote says by how much the forecast was missed in tests.
func (s *Screen) missNote() string {
	f := s.weekly.forecast
	if f == nil {
		return ""
	}
	if !f.HasBand() {
		return "not tested: history too short"
	}
	return fmt.Sprintf("week 13: median miss %s, %s", f.MedianMiss().Short(), plural.Count(len(f.Trials), "test"))
}

// weeksState returns the state of the figures that the forecast lacks. If it lacks none, or the
// panel itself says what it waits for, the state is Ready.
func (s *Screen) weeksState() resource.State {
	cash, history, invoices := s.data.Cash.State(), s.data.History.State(), s.weekly.invoices.State()
	switch {
	case !cash.HasFigures():
		return cash
	case s.weekly.forecast != nil:
		return resource.State{Status: resource.Ready}
	case s.data.History.Ledger() == nil && history.Err != nil:
		return history
	case !s.invoicesKnown() && invoices.Err != nil:
		return invoices
	}
	return resource.State{Status: resource.Ready}
}

func (s *Screen) weeksBody(width, height int) []string {
	lines := s.reading.Lines(s.theme)
	switch w := &s.weekly; {
	case s.open.level == basisText:
		text := s.basisLines(width)
		return text[min(s.open.offset, max(0, len(text)-height)):]
	case w.forecast == nil && w.err != nil:
		return append(lines, fact.Wrap(s.theme, "No forecast: "+w.err.Error()+".", width)...)
	case w.forecast == nil && len(lines) == 0:
		return []string{s.theme.Faint.Render("Waiting for transactions and invoices.")}
	case w.forecast == nil:
		return append(lines, fact.Wrap(s.theme, "The forecast appears when all months are read.", width)...)
	}
	lines = append(lines, s.shownList().Lines()...)
	if s.open.level == closed {
		lines = append(lines, s.sentencesWithin(width, height-len(lines)-1)...)
	}
	return lines
}

// sentencesWithin returns an empty line and those sentences about the forecast that fit into height
// lines.
func (s *Screen) sentencesWithin(width, height int) []string {
	var lines []string
	for _, sentence := range s.sentences() {
		wrapped := fact.Wrap(s.theme, sentence, width)
		if len(lines)+len(wrapped) > height {
			continue
		}
		lines = append(lines, wrapped...)
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]string{""}, lines...)
}

// basisLines returns all sentences about the forecast, with an empty line between them.
func (s *Screen) basisLines(width int) (lines []string) {
	for i, sentence := range s.sentences() {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, fact.Wrap(s.theme, sentence, width)...)
	}
	return lines
}

// fillWeeks fills the table of weeks for the inside of a panel. In a narrow panel, amounts are
// short.
func (s *Screen) fillWeeks(width, height int) {
	f, _ := s.weeks()
	if f == nil {
		s.weekTable.fill(s.theme, []table.Column{{}}, 0, nil, width, height)
		return
	}
	var columns []table.Column
	var texts func(row int) []string
	for _, short := range []bool{false, true} {
		texts = func(row int) []string { return weekTexts(f, row, short) }
		columns = weekColumns(texts)
		if columnsWidth(columns) <= width {
			break
		}
	}
	span := spanOf(f, min(mostBars, width-columnsWidth(columns)-2))
	drawn := span.width >= barsMinWidth && !s.theme.Masked
	if drawn {
		columns = append(columns, table.Column{
			Title: "Range", Min: span.width, Ideal: span.width, Priority: 5,
		})
	}
	ahead, out := table.NewInk(s.theme.Caution), table.NewInk(s.theme.Critical)
	cells := func(row int) (all []table.Cell) {
		w := &f.Weeks[row]
		for i, text := range texts(row) {
			cell := table.Cell{Text: text}
			if i == cashColumn && !w.Cash.Unknown && w.Cash.Minor <= 0 {
				cell.Ink = out
			}
			all = append(all, cell)
		}
		if drawn {
			all = append(all, table.Cell{Text: span.line(w), Ink: ahead})
		}
		return all
	}
	s.weekTable.fill(s.theme, columns, len(f.Weeks), cells, width, height)
	s.weekTable.setActive(s.section == weekList)
}

// cashColumn is the index of the column with the cash at the end of a week.
const cashColumn = 4

func weekColumns(texts func(row int) []string) []table.Column {
	columns := []table.Column{
		{Title: "Week"}, {Title: "In", Priority: 2}, {Title: "Out", Priority: 2}, {Title: "Net", Priority: 1},
		{Title: "Cash at end"}, {Title: "± Band", Priority: 1},
	}
	for i := range columns[1:] {
		columns[i+1].Align = table.Right
	}
	return fitted(columns, forecast.Weeks, func(row int) (cells []table.Cell) {
		for _, text := range texts(row) {
			cells = append(cells, table.Cell{Text: text})
		}
		return cells
	})
}

// weekTexts returns the cells of a week.
func weekTexts(f *forecast.Forecast, week int, short bool) []string {
	w := f.Figures(week)
	cells := []string{weekName(&f.Weeks[week])}
	for _, sum := range [...]figures.Total{w.In, w.Out, w.Net, w.Cash, w.Band} {
		if short {
			cells = append(cells, sum.Short())
		} else {
			cells = append(cells, sum.String())
		}
	}
	return cells
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

// line returns the range of a week: "─" across the band, "●" at the cash and "0" at zero.
func (s span) line(w *forecast.Week) string {
	cells := []rune(strings.Repeat(" ", s.width))
	for x := s.column(w.Cash.Minor - w.Band); x <= s.column(w.Cash.Minor+w.Band); x++ {
		cells[x] = '─'
	}
	if s.low < 0 && s.high > 0 {
		cells[s.column(0)] = '0'
	}
	cells[s.column(w.Cash.Minor)] = '●'
	return strings.TrimRight(string(cells), " ")
}

// basisHidden returns how many lines of the text about the forecast do not fit.
func (s *Screen) basisHidden() int {
	for _, p := range s.arranged.lists {
		if p.section == weekList {
			width, height := panel.Inner(p.width, p.height)
			return max(0, len(s.basisLines(width))-height)
		}
	}
	return 0
}

// openSelected opens the row under the cursor.
func (s *Screen) openSelected() tea.Cmd {
	if s.section == monthList {
		return s.openMonth()
	}
	switch s.open.level {
	case closed:
		s.openWeek(s.weekTable.cursor)
	case weekItems:
		return s.openItem(s.open.list.cursor)
	}
	return nil
}
