package runway

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

func (s *Screen) againstPanel(width, height int) []string {
	title := "Against the plan"
	if s.against != nil {
		title += ": " + figures.YearMonth(s.against.Month)
	}
	if rows := s.openRows; rows != nil {
		title += " · " + rows.name
	}
	return panel.Draw(s.Theme, panel.Frame{
		Title: s.listTitle(againstList, title), Width: width, Height: height, Open: s.arranged.open, Body: s.againstBody,
	}, resource.State{Status: resource.Ready}, s.Now())
}

func (s *Screen) againstBody(width, height int) []string {
	lines := s.above(againstList, width)
	switch {
	case s.against == nil || !s.hasLines():
		return append(lines, s.Theme.Faint.Render("Waiting for the plan and the transactions."))
	case s.openRows != nil:
		return append(lines, s.openRows.list.Lines()...)
	}
	return append(lines, s.againstTable.Lines()...)
}

// againstNotes returns why the comparison is incomplete.
func (s *Screen) againstNotes(width int) (lines []string) {
	if s.against == nil || s.openRows != nil {
		return nil
	}
	for _, note := range s.against.Notes {
		lines = append(lines, fact.Wrap(s.Theme, mark.Unsigned(note), width)...)
	}
	return lines
}

// fillAgainst fills the table that compares a month with the plan.
func (s *Screen) fillAgainst(width, height int) {
	if s.openRows != nil {
		s.fillOpenRows(width, height)
		return
	}
	if s.against == nil || !s.hasLines() {
		s.againstTable.fill(s.Theme, []table.Column{{}}, 0, nil, width, height)
		return
	}
	cells := func(row int) []table.Cell {
		r := &s.compared[row]
		name := r.Get("name")
		all := []table.Cell{{Text: cmp.Or(r.Unplanned, name.Text())}}
		for _, field := range [...]string{"planned_cents", "actual_cents", "variance_cents"} {
			f := r.Get(field)
			cell := table.Cell{Text: s.shown(figures.Unmarked(f.Short())), Marked: f.Mark() != figures.NoMark}
			if !f.Known() {
				cell = table.Cell{Text: f.TextOrDash(), Ink: table.NewInk(s.Theme.Unknown)}
			}
			all = append(all, cell)
		}
		if r.Unplanned != "" {
			all[1] = table.Cell{Text: "none", Ink: table.NewInk(s.Theme.Faint)}
		}
		return all
	}
	columns := []table.Column{
		{Title: "Planned as", Min: 18, Tight: 10, Ideal: 36, Flex: 1}, {Title: "Planned", Align: table.Right, Priority: 1},
		{Title: "Actual", Align: table.Right}, {Title: "Variance", Align: table.Right},
	}
	for row := range s.compared {
		for i, cell := range cells(row) {
			columns[i].Marks = columns[i].Marks || cell.Marked
		}
	}
	s.againstTable.fill(s.Theme, fitted(columns, len(s.compared), cells), len(s.compared), cells, width, height)
	s.againstTable.setActive(s.section == againstList)
}

// openRows are the transactions of a row of that table.
type openRows struct {
	name string
	rows []int
	list list
}

// canOpenCompared reports whether the row under the cursor has transactions.
func (s *Screen) canOpenCompared() bool {
	if s.against == nil || s.openRows != nil || s.againstTable.count == 0 {
		return false
	}
	return len(s.compared[s.againstTable.cursor].Rows) > 0
}

func (s *Screen) openCompared() tea.Cmd {
	one := &s.compared[s.againstTable.cursor]
	name := one.Get("name")
	s.openRows = &openRows{name: name.Text(), rows: one.Rows}
	return nil
}

func (s *Screen) fillOpenRows(width, height int) {
	o := s.openRows
	ledger := s.planBasis.ledger
	cells := func(i int) []table.Cell { return s.rowCells(&ledger.Rows[o.rows[i]]) }
	o.list.fill(s.Theme, fitted(s.rowColumns(ledger.Currency), 0, cells), len(o.rows), cells, width, height)
	o.list.setActive(s.section == againstList)
}
