package transactions

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Click selects the clicked row, opens the row if it is already selected, or removes the filter
// whose chip was clicked.
func (s *Screen) Click(x, y int) tea.Cmd {
	summary, filters, notice := s.above()
	if s.Typing() {
		return nil
	}
	if y >= summary && y < summary+filters {
		return s.clickedChip(x)
	}
	row, ok := s.table.At(x, y-(summary+filters+notice))
	switch {
	case !ok || !s.state.State().HasFigures() || !s.frame.ListSeen():
		return nil
	case row == s.table.Cursor() && s.detail.open:
		return nil
	case row == s.table.Cursor():
		return s.Update(views.Enter())
	}
	s.table.SetCursor(row)
	s.arrange()
	return tea.Batch(s.advance(), s.continueExport())
}

func (s *Screen) clickedChip(x int) tea.Cmd {
	at, ok := s.filter.chips().At(x)
	if !ok {
		return nil
	}
	s.setFilter(s.filter.without(s.filter.order[at]))
	s.arrange()
	return tea.Batch(s.advance(), s.continueExport())
}
