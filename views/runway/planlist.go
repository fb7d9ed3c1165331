package runway

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/client/plan"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/internal/plural"
	"tarmac/views"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// emptyPlan is the text of an empty list of lines.
const emptyPlan = `No plan yet. Press n for its first line, such as: hire 2 "engineer" 9k/month from March. ` +
	"Then this page shows how long the cash lasts, and by when money must be there."

func (s *Screen) planActions() views.Actions {
	able := func() bool { return s.file.problem == "" && s.file.unsaved == "" && s.Snapshot.Currency() != "" }
	line := func() bool { return able() && s.section == planList && s.planTable.count > 0 }
	return views.Actions{
		{Key: "n", Help: "plan a line", When: able, Do: views.Do(func() { s.form.show(0) })},
		{Key: "c", Help: "change line", When: line, Do: views.Do(s.changeLine)},
		{Key: "D", Help: "delete line", When: line, Do: views.Do(s.removal.show)},
		{Key: "u", Help: "undo delete", When: func() bool { return able() && s.removal.canUndo() }, Do: s.removal.undo},
		{Key: "v", Help: "confirm", When: func() bool { return able() && len(s.confirmable()) > 0 },
			Do: views.Do(s.confirm.show)},
		{Key: "tab", Help: "next case", When: s.hasCases, Do: views.Do(s.nextColumn)},
		{Key: "y", Help: "copy figures", When: s.hasCash, Do: func() tea.Cmd {
			return s.Question.Copy(s.Theme, "the figures", s.text())
		}},
	}
}

// hasCases reports whether the plan has cases to switch between.
func (s *Screen) hasCases() bool { return s.comparing() && len(s.outcome.Plan.Cases) > 0 }

// confirmable returns the payments that may belong to lines of the current plan.
func (s *Screen) confirmable() []plan.Candidate {
	if s.outcome == nil || s.outcome.Plan != s.file.of {
		return nil
	}
	return s.candidates
}

// selectedLine returns the line under the cursor of the plan.
func (s *Screen) selectedLine() *plan.Line { return s.file.of.Lines[s.planTable.cursor] }

func (s *Screen) changeLine() { s.form.show(s.selectedLine().Number) }

func (s *Screen) planPanel(width, height int) []string {
	title := "Plan"
	if s.hasLines() {
		title += ", " + plural.Count(len(s.file.of.Lines), "line")
	}
	return panel.Draw(s.Theme, panel.Frame{
		Title: s.listTitle(planList, title), Width: width, Height: height, Open: s.arranged.open, Body: s.planBody,
	}, resource.State{Status: resource.Ready}, s.Now())
}

func (s *Screen) planBody(width, height int) []string {
	lines := s.above(planList, width)
	switch {
	case s.file.of == nil && s.file.readAt.IsZero():
		return append(lines, s.Theme.Faint.Render("Reading the plan."))
	case !s.hasLines() && s.file.problem == "":
		return append(lines, fact.FirstLines(s.Theme, fact.Wrap(s.Theme, emptyPlan, width), height-len(lines))...)
	case !s.hasLines():
		return lines
	}
	return append(lines, s.planTable.Lines()...)
}

// fillPlan fills the list of lines.
func (s *Screen) fillPlan(width, height int) {
	if !s.hasLines() {
		s.planTable.fill(s.Theme, []table.Column{{}}, 0, nil, width, height)
		return
	}
	lines, faint := s.file.of.Lines, table.NewInk(s.Theme.Faint)
	cells := func(row int) []table.Cell {
		l := lines[row]
		text, note := s.lineText(l), ""
		if slices.ContainsFunc(s.confirmable(), func(c plan.Candidate) bool { return c.Line.Number == l.Number }) {
			note = "to confirm"
		}
		number := record.PlanLine(s.file.of, l).Get("line")
		return []table.Cell{
			{Text: number.Text(), Ink: faint}, {Text: text}, {Text: note, Ink: table.NewInk(s.Theme.Caution)},
		}
	}
	columns := fitted([]table.Column{
		{Align: table.Right}, {Title: "Line", Min: 30, Tight: 12, Ideal: 80, Flex: 1}, {Priority: 1},
	}, len(lines), cells)
	s.planTable.fill(s.Theme, columns, len(lines), cells, width, height)
	s.planTable.setActive(s.section == planList)
}

// lineText returns a line of the plan, or its name while amounts are hidden.
func (s *Screen) lineText(l *plan.Line) string {
	if !s.Theme.Masked {
		return l.Text(s.file.of)
	}
	return string(l.Kind) + " " + l.Name + " " + mask.Dots
}
