package receivables

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Click selects the clicked customer. A click on the selected customer opens that customer's
// overdue invoices.
func (s *Screen) Click(_, y int) tea.Cmd {
	a := s.arrange()
	const above = tableFrame - 1 // lines above the first row: the top of the frame and the column titles
	line := y - a.buckets - above
	row := s.offset + line
	switch {
	case s.Typing() || a.customers == 0 || line < 0 || line >= s.page() || row >= s.customers():
		return nil
	case row == s.selected && s.bucket == 0:
		return s.Update(views.Enter())
	}
	s.selected, s.bucket = row, 0
	s.syncView()
	return nil
}
