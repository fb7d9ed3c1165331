package runway

import (
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/views"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// monthsPanel draws the table of monthly sums, newest month first.
func (s *Screen) monthsPanel(width, height int) []string {
	if height <= 0 {
		return nil
	}
	title := "Months"
	title = s.listTitle(monthList, s.inUnit(title, ", ", s.monthScales.flows.Unit))
	if s.Snapshot.Months.State().HasFigures() {
		title += s.months.More()
	}
	return panel.Draw(s.Theme, panel.Frame{
		Title: title, Marked: s.monthMarks.Title, Width: width, Height: height, Open: s.arranged.open,
		EmptyText: noMonths,
		Body:      func(int, int) []string { return s.months.Lines() },
	}, s.Snapshot.Months.State(), s.Now())
}

const noMonths = "No transactions in these months."

// inUnit returns a title with the unit of its amounts. Without a unit, hidden amounts don't reveal
// their size.
func (s *Screen) inUnit(title, between, unit string) string {
	if unit == "" || s.Theme.Masked {
		return title
	}
	return title + between + unit
}

// monthScales are the scales of the sums and the cash in the table of months.
type monthScales struct{ flows, cash money.Scale }

func scalesOf(months []figures.Month, ends []figures.Total, currency string) (m monthScales) {
	var flow, cash int64
	for _, month := range months {
		sums := month.Flows()
		for _, sum := range [...]figures.Total{sums.In, sums.Out, sums.Net} {
			if !sum.Unknown {
				flow = max(flow, sum.Minor, -sum.Minor)
			}
		}
	}
	for _, end := range ends {
		if !end.Unknown {
			cash = max(cash, end.Minor, -end.Minor)
		}
	}
	return monthScales{money.ScaleOf(flow, currency, 4, 3), money.ScaleOf(cash, currency, 3, 3)}
}

// Columns of the table of months.
const (
	monthColumn = iota
	inColumn
	outColumn
	netColumn
	endColumn
	leftColumn
)

// fillMonths fills the table of months. A bar shows the runway at the end of each month. All bars
// have one scale.
func (s *Screen) fillMonths(width, height int) {
	months := s.Snapshot.MonthFigures()
	ends := s.knownEnds(months)
	s.monthScales = scalesOf(months, ends, s.Snapshot.Currency())
	s.monthMarks = mark.Place(monthStates(months, ends))
	left, longest, known := make([]apiclient.Months, len(months)), int64(0), 0
	for i := range months {
		if one, ok := s.left(months[i].First); ok {
			left[i], longest = one, max(longest, one.Tenths())
			known++
		}
	}
	rows := make([][]table.Cell, len(months))
	for row := range rows {
		i := len(months) - 1 - row
		end := figures.Total{Unknown: true}
		if ends != nil {
			end = ends[i]
		}
		rows[row] = s.monthCells(months[i], end, left[i])
	}
	columns := s.monthColumns(rows)
	bar := min(chart.MostBar, width-columnsWidth(columns)-2)
	drawn := bar >= chart.LeastBar && known > 1 && !s.Theme.Masked
	if drawn {
		columns = append(columns, table.Column{Min: bar, Ideal: bar, Priority: 5})
	}
	cells := func(row int) []table.Cell {
		if !drawn {
			return rows[row]
		}
		tenths := left[len(months)-1-row].Tenths()
		text := chart.Bar(tenths, longest, lipgloss.NewStyle(), bar)
		ink := table.NewInk(s.Theme.Runway(tenths))
		return append(rows[row][:leftColumn+1:leftColumn+1], table.Cell{Text: text, Ink: ink})
	}
	s.months.fill(s.Theme, columns, len(months), cells, width, height)
	s.months.setActive(s.section == monthList)
}

func (s *Screen) monthColumns(rows [][]table.Cell) []table.Column {
	columns := []table.Column{
		{Title: "Month"}, {Title: "In", Priority: 2}, {Title: "Out", Priority: 2}, {Title: "Net"},
		{Title: s.inUnit("On hand", " ", s.monthScales.cash.Unit), Priority: 1}, {Title: "Left"},
	}
	for i := range columns {
		if i > monthColumn {
			columns[i].Align = table.Right
		}
	}
	placeMarks(s.monthMarks, columns, rows)
	return fitted(columns, len(rows), func(row int) []table.Cell { return rows[row] })
}

// monthStates returns which figures of each month are incomplete, newest first. The row of the
// current month has today's cash, which doesn't count.
func monthStates(months []figures.Month, ends []figures.Total) (rows [][]mark.State) {
	for i := len(months) - 1; i >= 0; i-- {
		sums, end := months[i].Flows(), mark.None
		if ends != nil && i < len(months)-1 {
			end = mark.Of(ends[i])
		}
		rows = append(rows, []mark.State{mark.Of(sums.In), mark.Of(sums.Out), mark.Of(sums.Net), end})
	}
	if len(rows) == 0 {
		rows = [][]mark.State{make([]mark.State, endColumn)}
	}
	return rows
}

// monthCells returns the cells of a month: its sums, the cash at its end, and the runway then.
func (s *Screen) monthCells(m figures.Month, end figures.Total, left apiclient.Months) []table.Cell {
	sums, now := m.Flows(), s.Now()
	figures.RoundToAddUp(s.monthScales.flows, &sums.Net, figures.Term{Total: &sums.In},
		figures.Term{Total: &sums.Out, Less: true})
	name := m.Name(now)
	if figures.IsCurrentMonth(m.First, now) && !m.Missing.Any() {
		name = chart.NameSoFar(m.First)
	}
	cells := []table.Cell{
		{Text: name}, s.cell(sums.In, s.monthScales.flows),
		s.cell(sums.Out, s.monthScales.flows),
		s.cell(sums.Net, s.monthScales.flows), s.cell(end, s.monthScales.cash),
		s.cell(figures.Total{Unknown: true}, money.Scale{}),
	}
	if sums.Net.Minor > 0 && !sums.Net.Unknown && !s.Theme.Masked {
		cells[netColumn].Ink = table.NewInk(s.Theme.Inflow)
	}
	if left.Tenths() > 0 {
		cells[leftColumn] = table.Cell{Text: s.shown(left.String())}
	}
	if figures.IsCurrentMonth(m.First, now) {
		for i := range cells {
			if cells[i].Text != money.Dash && cells[i].Ink == (table.Ink{}) {
				cells[i].Ink = table.NewInk(s.Theme.Strong)
			}
		}
	}
	return cells
}

// cell returns the cell of an amount in a scale.
func (s *Screen) cell(t figures.Total, scale money.Scale) table.Cell {
	if t.Unknown || scale.Unit == "" {
		return table.Cell{Text: money.Dash, Ink: table.NewInk(s.Theme.Unknown)}
	}
	text := scale.Text(t.Minor)
	if t.Kind == figures.Net && t.Minor > 0 {
		text = "+" + text
	}
	return table.Cell{Text: s.shown(text)}
}

// shown returns the text of a figure, or dots while amounts are hidden.
func (s *Screen) shown(text string) string {
	if s.Theme.Masked {
		return mask.Dots
	}
	return text
}

// left returns the runway at the end of the month with a first day, or today's runway for the
// current month. It returns false if the runway is unknown, or the statements end before the month.
func (s *Screen) left(month civil.Date) (apiclient.Months, bool) {
	if c, ok := s.Snapshot.CashFigures(); ok && figures.IsCurrentMonth(month, c.Position.AsOf) {
		if to, _ := c.KnownTo(); c.Runway == nil || to.Before(month) {
			return apiclient.Months{}, false
		}
		return *c.Runway, true
	}
	return s.answers.Left(month)
}

// monthRows returns the column titles and a row of texts for each month, newest first, for the
// clipboard. Cash at the end of a month is today's cash minus the nets of later months. It is a
// dash while today's cash is unknown.
func (s *Screen) monthRows(months []figures.Month) [][]string {
	ends := s.knownEnds(months)
	rows := [][]string{{"Month", "In", "Out", "Net", "On hand at end", "Months left"}}
	for i := len(months) - 1; i >= 0; i-- {
		cash, left := money.Dash, money.Dash
		if ends != nil {
			cash = ends[i].String()
		}
		if one, ok := s.left(months[i].First); ok {
			left = one.String()
		}
		sums := months[i].Flows()
		rows = append(rows, []string{
			months[i].Name(s.Now()), sums.In.String(), sums.Out.String(), sums.Net.String(), cash, left,
		})
	}
	return rows
}

// openMonth shows the transactions of the month under the cursor.
func (s *Screen) openMonth() tea.Cmd {
	months := s.Snapshot.MonthFigures()
	row := s.months.cursor
	if row >= len(months) || !s.Snapshot.Months.State().HasFigures() {
		return nil
	}
	first := months[len(months)-1-row].First
	return views.Go(views.Transactions, views.TransactionsTarget{From: first, To: first.LastOfMonth()})
}

// monthEnds returns the cash at the end of each month; nil if it's unknown.
func (s *Screen) monthEnds(months []figures.Month) []figures.Total {
	c, ok := s.Snapshot.CashFigures()
	if !ok {
		return nil
	}
	return c.MonthEnds(months)
}

// knownEnds is like monthEnds, but the cash of a month that begins after the statements end is
// unknown: it's the cash of an earlier day.
func (s *Screen) knownEnds(months []figures.Month) []figures.Total {
	ends := s.monthEnds(months)
	if len(ends) == 0 {
		return nil
	}
	c, _ := s.Snapshot.CashFigures()
	last := len(months) - 1
	if to, _ := c.KnownTo(); to.Before(months[last].First) {
		ends[last] = figures.UnknownTotal(ends[last].Currency, figures.Balance, months[last].Missing.Why())
	}
	return ends
}
