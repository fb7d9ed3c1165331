package transactions

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/page"
	"tarmac/views/parts/panel"
)

// head returns the lines above the list: the totals, the filters or what is asked, and the notice.
// Small screens show only the list.
func (s *Screen) head() (lines []page.Line) {
	typing := s.Typing()
	if s.Height < 1 || s.state.State().Status == resource.NotAllowed && s.filter.empty() && !typing {
		return nil
	}
	if s.Height >= 6 {
		summary := s.summaryLines()
		for _, line := range summary[:min(len(summary), s.Height-5)] {
			lines = append(lines, page.Line{Text: line})
		}
	}
	switch {
	case typing:
		lines = append(lines, page.Line{Text: s.Top().Draw()})
	case s.Height >= 5:
		lines = append(lines, s.filterLine())
	}
	if notice := s.notice(); s.Height >= 4 && notice != "" {
		lines = append(lines, page.Line{Text: s.Theme.Caution.Render(notice)})
	}
	return lines
}

// emptyText says why the list is empty.
func (s *Screen) emptyText() string {
	if !s.filter.empty() {
		return "No transactions match these filters. x removes the last one."
	}
	return "No transactions yet."
}

// notice returns the line above the list, or "". It states a problem with the typed text, the
// progress of an export, or why the transactions are stale.
func (s *Screen) notice() string {
	if s.input.problem != "" {
		return s.input.problem
	}
	if s.exports.running != nil {
		return s.exportProgress()
	}
	return panel.Line(s.state.State(), s.Now())
}

// drawnTotals keeps the lines with the totals, since a step of the cursor does not change them.
type drawnTotals struct {
	sum       apiclient.Summary
	direction apiclient.Direction
	width     int
	lines     []string // nil if they must be drawn again
}

// summaryLines returns the server's totals of the matching transactions, and how many have no
// exchange rate. If they do not fit into one line, they have as many digits as fit, or are wrapped.
func (s *Screen) summaryLines() []string {
	sum, known := s.state.Value()
	if !known || s.state.State().Status == resource.NotAllowed {
		return []string{""}
	}
	dot := s.Theme.Faint.Render(" · ")
	if !s.filter.local.Empty() && !s.sorting.reading {
		return []string{listdetail.AlignEnds(s.foundWords(), strings.Join(s.foundTotals(), dot), s.Width)}
	}
	d := &s.drawn
	if d.lines == nil || d.sum != sum || d.direction != s.filter.direction || d.width != s.Width {
		*d = drawnTotals{sum, s.filter.direction, s.Width, s.totalLines(sum, dot)}
	}
	return d.lines
}

func (s *Screen) totalLines(sum apiclient.Summary, dot string) []string {
	noun := " transactions"
	if sum.Count == 1 {
		noun = " transaction"
	}
	flows := figures.FlowsOf(sum, s.filter.direction)
	var parts []string
	for _, texts := range [...][3]string{flows.Texts(), flows.Short(9), flows.Short(6), flows.Short(3)} {
		parts = s.totals(sum, flows, noun, texts)
		if line := strings.Join(parts, dot); ansi.StringWidth(line) <= s.Width {
			return []string{line}
		}
		noun = ""
	}
	lines := []string{""}
	for _, part := range parts {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = part
		case ansi.StringWidth(*last+dot+part) <= s.Width:
			*last += dot + part
		default:
			lines = append(lines, part)
		}
	}
	return lines
}

// totals returns the parts of the line of totals: the number of transactions, money in, money out
// and net with the given texts, and how many transactions they lack.
func (s *Screen) totals(sum apiclient.Summary, flows figures.Flows, noun string, texts [3]string) []string {
	t := s.Theme
	parts := []string{t.Strong.Render(money.Count(sum.Count)) + noun}
	for i, one := range [...]struct {
		name  string
		total figures.Total
		write func(...string) string
	}{{"in ", flows.In, t.Inflow.Render}, {"out ", flows.Out, t.Outflow.Render}, {"net ", flows.Net, t.Strong.Render}} {
		parts = append(parts, one.name+s.withMark(one.total, one.write(figures.Unmarked(texts[i]))))
	}
	if left := figures.ExcludedShort(sum.UnconvertedCount, sum.Currency); left != "" {
		parts = append(parts, t.Faint.Render(mark.Sign+" "+left))
	}
	return parts
}

// withMark returns a drawn total with the mark behind it, if it is incomplete.
func (s *Screen) withMark(total figures.Total, drawn string) string {
	if mark.Of(total) == mark.Lacking {
		drawn += mark.Behind(s.Theme, true)
	}
	return drawn
}

// filterLine draws the filters with the row number at the right.
func (s *Screen) filterLine() page.Line {
	right := ""
	if s.state.State().HasFigures() {
		right = s.Theme.Faint.Render(s.list.Table.Position())
		// Show this next to the row number. A line of its own would move the rows.
		if s.sorting.reading || s.sorting.order != byDate && s.filter.local.Empty() {
			right = s.Theme.Accent.Render(s.sortWords()) + "  " + right
		} else if s.seekingByUser() {
			right = s.Theme.Accent.Render(s.seekWords()) + "  " + right
		} else if s.list.Table.Cursor() > 0 && s.newer() {
			right = s.Theme.Accent.Render(s.newerWords()) + "  " + right
		}
	}
	labels := s.filter.chips()
	return page.Line{Text: listdetail.AlignEnds(labels.Line(s.Theme), right, s.Width), Click: func(x int) tea.Cmd {
		if at, ok := labels.At(x); ok {
			s.setFilter(s.filter.without(s.filter.order[at]))
		}
		return nil
	}}
}

// seekingByUser reports whether a seek that the user started is running.
func (s *Screen) seekingByUser() bool { return s.seek != nil && !s.seek.recount }

func (s *Screen) seekWords() string {
	if s.Width < 70 {
		return "…"
	}
	return "jumping " + s.seek.to.words() + " · esc"
}

func (s *Screen) newerWords() string {
	if s.Width < 70 {
		return "▲ g"
	}
	return "▲ newer transactions: g"
}
