package runway

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/scenario"
	"tarmac/internal/termtext"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/panel"
)

const (
	// whatifMinHeight is the height of the comparison, in lines, on a page that has no room for all
	// of it.
	whatifMinHeight = 6
	whatifRows      = 5 // lines of the comparison without the assumptions

	labelWidth    = 18 // width of the row labels in cells
	minColumn     = 12 // minimum width of a scenario's column
	defaultColumn = 26
	maxColumn     = 44 // maximum width, for long names
	yearAhead     = 12
)

// whatifHeight returns the full height of the comparison with a frame of the given height.
func (s *Screen) whatifHeight(frame int) int {
	return whatifRows + frame + len(s.selectedAssumptions(s.width-4))
}

// comparing reports whether there are scenarios, and figures from which to compute them.
func (s *Screen) comparing() bool {
	_, ok := s.start()
	return ok && s.scenarios.Count() > 0
}

// whatifPanel draws the scenarios side by side.
func (s *Screen) whatifPanel(width, height int) []string {
	if height <= 0 {
		return nil
	}
	now := s.env.Now()
	return panel.Draw(s.theme, panel.Frame{
		Title: "Scenarios · hypothetical", Width: width, Height: height, Open: s.arranged.open,
		Body: s.whatifBody,
	}, s.data.Cash.State(), now)
}

func (s *Screen) whatifBody(width, height int) []string {
	all := s.outlooks
	column := defaultColumn
	for _, o := range all {
		column = max(column, ansi.StringWidth(o.title())+2)
	}
	column = min(column, maxColumn, (width-labelWidth)/len(all))
	var lines []string
	if column < minColumn {
		lines = fact.Lines(s.theme, s.whatifFacts(all), width)
	} else {
		lines = s.columns(all, column, height)
	}
	return append(lines, fact.FirstLines(s.theme, s.selectedAssumptions(width), height-len(lines))...)
}

// columns returns the lines of the comparison: a column of labels, one of the server's estimate,
// and one of each scenario.
func (s *Screen) columns(all []outlook, column, height int) []string {
	start, _ := s.start()
	rows := []struct {
		label string
		value func(outlook) string
	}{
		{"", outlook.title},
		{"Runway, months", func(o outlook) string { return o.Months() }},
		{"Zero-cash (est.)", func(o outlook) string { return o.ZeroMonth() }},
		{"Difference", func(o outlook) string { return o.differenceTo(all[0]) }},
		{"Cash in 12 months", func(o outlook) string { return o.Cash(yearAhead, start.Day) }},
	}
	// The last line is reserved for the assumptions of the selected scenario.
	rows = rows[:min(len(rows), max(1, height-1))]
	lines := make([]string, len(rows))
	for i, r := range rows {
		var b strings.Builder
		b.WriteString(s.theme.Faint.Render(termtext.Fit(r.label, labelWidth)))
		for _, o := range all {
			value := r.value(o)
			if s.theme.Masked && i > 0 {
				value = mask.Dots
			}
			behind, room := "", column-2
			if i > 0 {
				behind, room = mark.Behind(s.theme, figures.Unmarked(value) != value), column-4
			}
			cell := ansi.Truncate(figures.Unmarked(value), room, "…")
			b.WriteString(strings.Repeat(" ", room+2-ansi.StringWidth(cell)))
			b.WriteString(s.styledCell(i, o, cell) + behind)
		}
		lines[i] = b.String()
	}
	return lines
}

// styledCell renders a cell of the comparison. The title of the selected scenario stands out, and
// runways are colored by how short they are.
func (s *Screen) styledCell(row int, o outlook, cell string) string {
	switch {
	case row == 0 && o.letter == scenario.Letter(s.scenarios.Selected):
		return s.theme.Selected.Render(cell)
	case row == 0 && o.letter != 0:
		return s.theme.Chip.Render(cell)
	case row == 0:
		return s.theme.Strong.Render(cell)
	case row <= 2 && o.Known && o.RunsOut && !s.theme.Masked:
		return s.theme.Runway(o.Runway.Tenths()).Render(cell)
	}
	return s.theme.Text.Render(cell)
}

// whatifFacts returns a label and a value for each scenario, for pages too narrow for columns.
func (s *Screen) whatifFacts(all []outlook) []fact.Fact {
	facts := make([]fact.Fact, 0, len(all))
	for _, o := range all[1:] {
		f := fact.Fact{Label: "Scenario " + o.title(), Value: o.ZeroMonth(), Style: s.theme.Text}
		switch {
		case s.theme.Masked:
			f.Value = mask.Dots
		case o.Known && o.RunsOut:
			f.Short, f.Sign = figures.Unmarked(o.ZeroMonth()), o.Mark().Sign()
			f.Value = figures.Unmarked(o.Months()) + " mo · " + f.Short
		}
		facts = append(facts, f)
	}
	return facts
}

// selectedAssumptions returns the assumptions of the selected scenario, wrapped to width.
func (s *Screen) selectedAssumptions(width int) []string {
	return fact.Wrap(s.theme, s.assumptions(s.scenarios.Selected), width)
}

// assumptions says what the scenario in a slot assumes and which of its figures are incomplete. It
// returns "" for an empty slot.
func (s *Screen) assumptions(slot int) string {
	one := s.scenarios.Slots[slot]
	if one == nil {
		return ""
	}
	start, _ := s.start()
	c, _ := s.data.CashFigures()
	summary := "Scenario " + string(scenario.Letter(slot)) + ": " + one.Summary() + "."
	return strings.Join(append([]string{summary}, one.Caveats(start, c.Burning == figures.IsBurning)...), " ")
}
