package runway

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views/parts/panel"
)

// tablePanel draws the table of monthly sums, newest month first.
func (s *Screen) tablePanel(width, height int) []string {
	if height <= 0 {
		return nil
	}
	now := s.env.Now()
	title := "Months, USD"
	if hiddenMonths := s.hiddenMonths(); hiddenMonths > 0 {
		title += fmt.Sprintf(" (%d more)", hiddenMonths)
	}
	at := s.data.Months.LoadedAt()
	return panel.Draw(s.theme, panel.Frame{
		Title: title, Note: figures.WithTime("updated", &at, now), Width: width, Height: height,
		EmptyText: noMonths,
		Body:      s.tableBody,
	}, s.data.Months.State(), now)
}

func (s *Screen) tableBody(width, height int) []string {
	months, _ := s.data.Months.Value()
	rows := s.tableRows(months, false)
	widths := columnWidths(rows)
	if total(widths) > width {
		rows = s.tableRows(months, true)
		widths = columnWidths(rows)
	}
	// In a wide panel, the gaps between columns grow to at most six cells.
	gap := min(6, max(minGap, (width-total(widths))/len(widths)+minGap))
	lines := []string{s.theme.Faint.Render(alignRow(rows[0], widths, gap))}
	// The rest of the width shows a bar of each month's net.
	beside := strings.Repeat(" ", barsGap)
	nets, drawn := barsOf(months, width-total(widths)-(gap-minGap)*(len(widths)-1)-barsGap)
	drawn = drawn && !s.theme.Masked
	if drawn {
		lines[0] += beside + nets.head(s.theme)
	}
	first := 1 + s.offset
	for i := first; i < len(rows) && len(lines) < height; i++ {
		line := alignRow(rows[i], widths, gap)
		if strings.Contains(rows[i][0], "so far") {
			line = s.theme.Strong.Render(line)
		}
		if drawn {
			line += beside + nets.line(s.theme, months[len(months)-i].Flows().Net)
		}
		lines = append(lines, line)
	}
	return lines
}

const noMonths = "No transactions in these months."

// tableRows returns the column titles and a row for each month, newest first. Cash at the end of a
// month is today's cash minus the nets of later months. It is a dash while today's cash is unknown.
func (s *Screen) tableRows(months []figures.Month, short bool) [][]string {
	write := figures.Total.String
	if short {
		write = figures.Total.Short
	}
	ends := s.monthEnds(months)
	rows := [][]string{{"Month", "In", "Out", "Net", "Cash at end"}}
	now := s.env.Now()
	for i := len(months) - 1; i >= 0; i-- {
		m := months[i]
		cash := money.Dash
		if ends != nil {
			cash = write(ends[i])
		}
		name := figures.YearMonth(m.First)
		if figures.IsCurrentMonth(m.First, now) {
			name += " so far"
		}
		sums := m.Flows()
		rows = append(rows, []string{name, write(sums.In), write(sums.Out), write(sums.Net), cash})
	}
	return rows
}

// monthEnds returns the cash at the end of each month, or nil if today's cash is unknown or a sum
// does not fit into an integer.
func (s *Screen) monthEnds(months []figures.Month) []figures.Total {
	c, ok := s.data.Cash.Value()
	if !ok || !s.data.Cash.State().HasFigures() || !coversMonthOf(months, c.AsOf) {
		return nil
	}
	ends, ok := figures.MonthEnds(c.CashCents, months)
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

func columnWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	return widths
}

// minGap is the minimum gap between two columns, in cells.
const minGap = 2

// total returns the width of a table with these column widths and gaps of minGap cells.
func total(widths []int) int {
	sum := minGap * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// alignRow joins cells to a line. The first cell is aligned left, the others right.
func alignRow(cells []string, widths []int, gap int) string {
	var b strings.Builder
	b.WriteString(termtext.Fit(cells[0], widths[0]))
	for i, cell := range cells[1:] {
		b.WriteString(strings.Repeat(" ", gap+widths[i+1]-ansi.StringWidth(cell)))
		b.WriteString(cell)
	}
	return b.String()
}
