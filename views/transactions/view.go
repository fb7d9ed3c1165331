package transactions

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// SetSize sets the size of the screen in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.arrange()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme = t
	s.rows.setTheme(t)
	s.table.SetTheme(t)
	s.detail.SetTheme(t)
	s.detail.shown = ""
	s.drawn.lines = nil
	s.input.prompt.SetTheme(t)
	s.annotate.SetTheme(t)
	s.arrange()
}

// above returns how many lines the summary, the filter line and the notice take above the list.
// Small screens show only the list. If the token must not list transactions, all three are 0.
func (s *Screen) above() (summary, filters, notice int) {
	if s.state.State().Status == resource.NotAllowed && s.filter.empty() && !s.Typing() {
		return 0, 0, 0
	}
	if s.Typing() || s.height >= 5 {
		filters = min(1, s.height)
	}
	if s.height >= 6 {
		summary = min(len(s.summaryLines()), s.height-5)
	}
	if s.height >= 4 && s.notice() != "" {
		notice = 1
	}
	return summary, filters, notice
}

// arrange sets the sizes of the list and the detail pane, and fills the pane.
func (s *Screen) arrange() {
	summary, filters, notice := s.above()
	body := s.height - summary - filters - notice
	s.frame.Arrange(s.width, body, s.detail.open, true)
	s.input.prompt.SetWidth(s.width)
	s.annotate.SetWidth(s.width)
	s.fillDetail()
}

func (s *Screen) fillDetail() {
	if !s.detail.open {
		return
	}
	t, ok := s.row(s.table.Cursor())
	switch {
	case !ok:
		s.detail.shown = ""
		s.detail.Show("Transaction", []table.Field{{Text: "Loading…", Ink: s.rows.faint}})
	case t.ID != s.detail.shown:
		if s.detail.last != t.ID {
			s.detail.Top()
		}
		s.detail.shown, s.detail.last = t.ID, t.ID
		s.detail.Show("Transaction", masked.Fields(s.theme, s.rows.fields(t)))
	}
}

// notice returns the line above the list, or "" if there is nothing to say. It states a problem
// with the typed text, the progress of an export, or why the transactions are stale.
func (s *Screen) notice() string {
	if s.input.problem != "" {
		return s.input.problem
	}
	if s.exports.running != nil {
		return s.exportProgress()
	}
	return panel.Line(s.state.State(), s.env.Now())
}

// View draws the screen.
func (s *Screen) View() string {
	if s.width <= 0 || s.height <= 0 {
		return strings.Repeat("\n", max(0, s.height-1))
	}
	summary, filters, notice := s.above()
	lines := make([]string, 0, s.height)
	if summary > 0 {
		for _, line := range s.summaryLines()[:summary] {
			lines = append(lines, listdetail.Fit(line, s.width))
		}
	}
	if filters > 0 {
		lines = append(lines, s.filterLine())
	}
	if notice > 0 {
		lines = append(lines, listdetail.Fit(s.theme.Caution.Render(s.notice()), s.width))
	}
	return strings.Join(append(lines, s.body(s.height-len(lines))...), "\n")
}

func (s *Screen) body(height int) []string {
	state := s.state.State()
	if !state.HasFigures() {
		empty := "No transactions yet."
		if !s.filter.empty() {
			empty = "No transactions match these filters. x removes the last one."
		}
		frame := panel.Frame{Title: "Transactions", EmptyText: empty, Width: s.width, Height: height}
		return panel.Draw(s.theme, frame, state, s.env.Now())
	}
	return s.frame.Lines()
}

// drawnTotals keeps the lines with the totals, since a step of the cursor does not change them.
type drawnTotals struct {
	sum       apiclient.Summary
	direction apiclient.Direction
	width     int
	lines     []string // nil if they must be drawn anew
}

// summaryLines returns the server's totals of the matching transactions, and how many have no
// exchange rate. If they do not fit into one line, they have as many digits as fit, or are wrapped.
func (s *Screen) summaryLines() []string {
	sum, known := s.state.Value()
	if !known || s.state.State().Status == resource.NotAllowed {
		return []string{""}
	}
	dot := s.theme.Faint.Render(" · ")
	if !s.filter.local.Empty() && !s.sorting.reading {
		return []string{listdetail.AlignEnds(s.foundWords(), strings.Join(s.foundTotals(), dot), s.width)}
	}
	d := &s.drawn
	if d.lines == nil || d.sum != sum || d.direction != s.filter.direction || d.width != s.width {
		*d = drawnTotals{sum, s.filter.direction, s.width, s.totalLines(sum, dot)}
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
		if line := strings.Join(parts, dot); ansi.StringWidth(line) <= s.width {
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
		case ansi.StringWidth(*last+dot+part) <= s.width:
			*last += dot + part
		default:
			lines = append(lines, part)
		}
	}
	return lines
}

// totals returns the parts of the line of totals: the number of transactions, money in, money out
// and net with the given texts, and how many transactions they leave out.
func (s *Screen) totals(sum apiclient.Summary, flows figures.Flows, noun string, texts [3]string) []string {
	t := s.theme
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

// withMark returns a drawn total with the mark behind it, if it leaves something out.
func (s *Screen) withMark(total figures.Total, drawn string) string {
	if mark.Of(total) == mark.Lacking {
		drawn += mark.Behind(s.theme, true)
	}
	return drawn
}

// filterLine draws the open prompt or question, or else the filters with the row number at the
// right.
func (s *Screen) filterLine() string {
	if s.input.question.Open() {
		return listdetail.Fit(s.input.question.Draw(), s.width)
	}
	if s.input.copying != nil {
		return listdetail.Fit(s.copyLine(), s.width)
	}
	if s.annotate.Open() {
		return s.annotate.Draw()
	}
	if s.input.prompt.Typing() {
		return s.input.prompt.Line()
	}
	right := ""
	if s.state.State().HasFigures() {
		right = s.theme.Faint.Render(s.table.Position())
		// Show this beside the row number. A line of its own would move the rows.
		if s.sorting.reading || s.sorting.order != byDate && s.filter.local.Empty() {
			right = s.theme.Accent.Render(s.sortWords()) + "  " + right
		} else if s.seekingByUser() {
			right = s.theme.Accent.Render(s.seekWords()) + "  " + right
		} else if s.table.Cursor() > 0 && s.newer() {
			right = s.theme.Accent.Render(s.newerWords()) + "  " + right
		}
	}
	return listdetail.AlignEnds(s.filter.chips().Line(s.theme), right, s.width)
}

// seekingByUser reports whether a seek that the user started is running.
func (s *Screen) seekingByUser() bool { return s.seek != nil && !s.seek.recount }

func (s *Screen) seekWords() string {
	if s.width < 70 {
		return "…"
	}
	return "jumping " + s.seek.to.words() + " · esc"
}

func (s *Screen) newerWords() string {
	if s.width < 70 {
		return "▲ g"
	}
	return "▲ newer transactions: g"
}
