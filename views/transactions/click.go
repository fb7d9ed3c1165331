package transactions

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

var _ views.Clicker = (*Screen)(nil)

// Click moves the cursor to a row, and opens the one it is on.
func (s *Screen) Click(x, y int) tea.Cmd {
	summary, filters, notice := s.above()
	row, ok := s.table.At(x, y-(summary+filters+notice))
	switch {
	case !ok || s.Typing() || !s.state.State().HasFigures() || !s.frame.ListSeen():
		return nil
	case row == s.table.Cursor() && s.open:
		return nil
	case row == s.table.Cursor():
		return s.Update(views.Enter())
	}
	s.table.SetCursor(row)
	s.arrange()
	return tea.Batch(s.advance(), s.exportOn())
}
