package runway

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/views"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// monthsPanel draws the table of monthly sums, newest month first.
func (s *Screen) monthsPanel(width, height int) []string {
	if height <= 0 {
		return nil
	}
	now, at := s.env.Now(), s.data.Months.LoadedAt()
	title := s.listTitle(monthList, figures.InCurrency("Months", s.data.Currency()))
	if first, end := s.months.Visible(); s.data.Months.State().HasFigures() && end-first < s.months.count {
		title += fmt.Sprintf(" (%d more)", s.months.count-(end-first))
	}
	return panel.Draw(s.theme, panel.Frame{
		Title: title, Note: figures.WithTime("updated", &at, now), Width: width, Height: height,
		EmptyText: noMonths,
		Body:      func(int, int) []string { return s.months.Lines() },
	}, s.data.Months.State(), now)
}

const noMonths = "No transactions in these months."

// fillMonths fills the table of months for the inside of a panel. In a narrow panel, amounts are
// short.
func (s *Screen) fillMonths(width, height int) {
	months := s.data.MonthFigures()
	var columns []table.Column
	var rows [][]string
	for _, short := range []bool{false, true} {
		rows = s.monthRows(months, short)
		columns = monthColumns(rows)
		if columnsWidth(columns) <= width {
			break
		}
	}
	// The rest of the width shows a bar of each month's net.
	nets, drawn := barsOf(months, min(mostBars, width-columnsWidth(columns)-2))
	if drawn = drawn && !s.theme.Masked; drawn {
		barWidth := nets.left + 1 + nets.right
		columns = append(columns, table.Column{Title: nets.head(), Min: barWidth, Ideal: barWidth, Priority: 5})
	}
	in, out := table.NewInk(s.theme.Inflow), table.NewInk(s.theme.Outflow)
	faint, strong := table.NewInk(s.theme.Faint), table.NewInk(s.theme.Strong)
	current := len(months) > 0 && figures.IsCurrentMonth(months[len(months)-1].First, s.env.Now())
	cells := func(row int) (all []table.Cell) {
		for _, text := range rows[row+1] {
			cell := table.Cell{Text: text}
			switch {
			case text == money.Dash:
				cell.Ink = faint
			case row == 0 && current:
				cell.Ink = strong
			}
			all = append(all, cell)
		}
		if drawn {
			net := months[len(months)-1-row].Flows().Net
			ink := out
			if net.Minor > 0 && !net.Unknown {
				ink = in
			}
			all = append(all, table.Cell{Text: nets.line(net), Ink: ink})
		}
		return all
	}
	s.months.fill(s.theme, columns, len(months), cells, width, height)
	s.months.setActive(s.section == monthList)
}

// mostBars is the largest width of the bars in cells. Longer bars are hard to compare with figures
// at the other side of the table.
const mostBars = 72

// monthColumns returns columns for the given titles and rows.
func monthColumns(rows [][]string) []table.Column {
	columns := make([]table.Column, len(rows[0]))
	for i, title := range rows[0] {
		columns[i] = table.Column{Title: title, Align: table.Right, Flex: 1, Priority: [...]int{0, 1, 1, 0, 3, 2}[i]}
	}
	columns[0].Align, columns[0].Flex = table.Left, 0
	texts := func(row int) (cells []table.Cell) {
		for _, text := range rows[row+1] {
			cells = append(cells, table.Cell{Text: text})
		}
		return cells
	}
	columns = fitted(columns, len(rows)-1, texts)
	for i := range columns {
		columns[i].Ideal, columns[i].Flex = columns[i].Min+widerGap, 0
	}
	columns[0].Ideal = columns[0].Min
	return columns
}

// widerGap is the number of cells by which the gaps between columns grow in a wide panel.
const widerGap = 3

// monthRows returns the column titles and a row for each month, newest first. Cash at the end of a
// month is today's cash minus the nets of later months. It is a dash while today's cash is unknown.
// The change compares the net with the month before. The current month has no change, because it is
// not over.
func (s *Screen) monthRows(months []figures.Month, short bool) [][]string {
	write := figures.Total.String
	if short {
		write = figures.Total.Short
	}
	ends := s.monthEnds(months)
	rows := [][]string{{"Month", "In", "Out", "Net", "Change", "Cash at end"}}
	now := s.env.Now()
	for i := len(months) - 1; i >= 0; i-- {
		m := months[i]
		cash, change := money.Dash, money.Dash
		if ends != nil {
			cash = write(ends[i])
		}
		if i > 0 {
			change = write(figures.Difference(m.Flows().Net, months[i-1].Flows().Net))
			if m.Flows().Net == months[i-1].Flows().Net && change != money.Dash {
				change = "same"
			}
		}
		if figures.IsCurrentMonth(m.First, now) {
			change = ""
		}
		sums := m.Flows()
		rows = append(rows, []string{m.Name(now), write(sums.In), write(sums.Out), write(sums.Net), change, cash})
	}
	return rows
}

// openMonth shows the transactions of the month under the cursor.
func (s *Screen) openMonth() tea.Cmd {
	months := s.data.MonthFigures()
	row := s.months.cursor
	if row >= len(months) || !s.data.Months.State().HasFigures() {
		return nil
	}
	first := months[len(months)-1-row].First
	return views.Go(views.Transactions, views.TransactionsTarget{From: first, To: first.LastOfMonth()})
}

// monthEnds returns the cash at the end of each month, or nil if today's cash is unknown or a sum
// does not fit into an integer.
func (s *Screen) monthEnds(months []figures.Month) []figures.Total {
	c, ok := s.data.CashFigures()
	if !ok || !coversMonthOf(months, c.Position.AsOf) {
		return nil
	}
	ends, ok := figures.MonthEnds(c.OnHand, months)
	if !ok {
		return nil
	}
	return ends
}

// coversMonthOf reports whether the newest of months contains asOf, the time for which the server
// computed the cash. Around midnight at the end of a month, the months and the cash may be fetched
// in different months.
func coversMonthOf(months []figures.Month, asOf time.Time) bool {
	return len(months) > 0 && figures.IsCurrentMonth(months[len(months)-1].First, asOf)
}
