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

// tablePanel lists the months, newest first.
func (s *Screen) tablePanel(width, height int) []string {
	if height <= 0 {
		return nil
	}
	now := s.env.Now()
	title := "Months, USD"
	if surplus := s.surplus(); surplus > 0 {
		title += fmt.Sprintf(" (%d more)", surplus)
	}
	at := s.data.Months.LoadedAt()
	return panel.Draw(s.theme, panel.Frame{
		Title: title, Note: figures.At("updated", &at, now), Width: width, Height: height,
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
	// In a wide panel the columns move apart up to a limit.
	gap := min(6, max(leastGap, (width-total(widths))/len(widths)+leastGap))
	lines := []string{s.theme.Faint.Render(alignRow(rows[0], widths, gap))}
	// Any width left shows the net bars.
	beside := strings.Repeat(" ", barsGap)
	nets, drawn := barsOf(months, width-total(widths)-(gap-leastGap)*(len(widths)-1)-barsGap)
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

// tableRows returns the header and a row for each month, newest first. Cash at the month ends is
// computed back from today's cash and is a dash while that is unknown.
func (s *Screen) tableRows(months []figures.Month, short bool) [][]string {
	write := figures.Sum.String
	if short {
		write = figures.Sum.Short
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
		if figures.Current(m.First, now) {
			name += " so far"
		}
		sums := m.Flows()
		rows = append(rows, []string{name, write(sums.In), write(sums.Out), write(sums.Net), cash})
	}
	return rows
}

// monthEnds returns the cash at the ends of the months, or nil while today's cash is unknown.
func (s *Screen) monthEnds(months []figures.Month) []figures.Sum {
	c, ok := s.data.Cash.Value()
	if !ok || !s.data.Cash.State().HasFigures() || !reaches(months, c.AsOf) {
		return nil
	}
	ends, ok := figures.MonthEnds(c.CashCents, months)
	if !ok {
		return nil
	}
	return ends
}

// reaches reports whether the newest month is the one in which the cash was read. The two may
// differ briefly around midnight at the end of a month.
func reaches(months []figures.Month, asOf time.Time) bool {
	return len(months) > 0 && figures.Current(months[len(months)-1].First, asOf)
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

// leastGap is the minimum gap between two columns.
const leastGap = 2

// total returns the width of a table with minimum gaps.
func total(widths []int) int {
	sum := leastGap * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// alignRow aligns the first cell left and the others right.
func alignRow(cells []string, widths []int, gap int) string {
	var b strings.Builder
	b.WriteString(termtext.Fit(cells[0], widths[0]))
	for i, cell := range cells[1:] {
		b.WriteString(strings.Repeat(" ", gap+widths[i+1]-ansi.StringWidth(cell)))
		b.WriteString(cell)
	}
	return b.String()
}
