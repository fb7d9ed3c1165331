package spend

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/views"
)

// Click shows the clicked list of figures, removes the filter whose label was clicked, selects the
// clicked row, or opens the row if it is already selected.
func (s *Screen) Click(x, y int) tea.Cmd {
	above := s.above
	l := s.list()
	if s.Typing() || !s.hasFigures() {
		return nil
	}
	switch {
	case y == 0 && len(above) > 0 && s.rows == nil:
		return s.clickTab(x)
	case y == 0 && len(above) > 0:
		s.Back()
		return nil
	case y == len(above)-1:
		if at, ok := s.chipTexts().At(x); ok {
			s.removeChip(at)
			s.arrange()
		}
		return nil
	}
	row, ok := l.table.At(x, y-len(above))
	switch {
	case !ok || s.emptyText() != "" || !s.frame.ListSeen():
		return nil
	case row == l.table.Cursor() && s.details:
		return nil
	case row == l.table.Cursor():
		return s.Update(views.Enter())
	}
	l.table.SetCursor(row)
	s.arrange()
	return nil
}

func (s *Screen) clickTab(x int) tea.Cmd {
	for i, name := range s.tabNames() {
		width := ansi.StringWidth(name) + 2
		if x >= 0 && x < width {
			s.showTab(kind(i))
			s.arrange()
			return s.searchDue()
		}
		x -= width + len(tabGap)
	}
	return nil
}
