package events

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

var _ views.Clicker = (*Screen)(nil)

// Click moves the cursor to a row, and opens the one it is on.
func (s *Screen) Click(x, y int) tea.Cmd {
	row, ok := s.table.At(x, y-s.above())
	switch {
	case !ok || s.Typing() || !s.data.Feed.State().HasFigures() || !s.frame.ListSeen():
		return nil
	case row == s.table.Cursor() && s.open:
		return nil
	case row == s.table.Cursor():
		return s.Update(views.Enter())
	}
	s.table.SetCursor(row)
	s.following = row == s.newestRow()
	older := s.older()
	s.data.Feed.Hold(s.paused || !s.following || s.choice != everything)
	s.arrange()
	return older
}
