package events

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/views"
)

var _ views.Clicker = (*Screen)(nil)

// Click moves the cursor to a row, and opens the one it is on; it takes off the choice
// of types or ends the search.
func (s *Screen) Click(x, y int) tea.Cmd {
	if y >= 0 && y < s.above() && !s.Typing() {
		s.clickedChip(x)
		return nil
	}
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

func (s *Screen) clickedChip(x int) {
	line := ansi.Strip(s.feedLine())
	on := func(chip string) bool {
		before, _, found := strings.Cut(line, chip)
		at := x - ansi.StringWidth(before)
		return found && at >= 0 && at < ansi.StringWidth(chip)
	}
	switch {
	case s.search != "" && on(s.searchChip()):
		s.find("")
	case s.choice != everything && on(s.typeChip()):
		s.choice = everything
		s.choose()
	}
	s.data.Feed.Hold(s.paused || !s.following || s.choice != everything)
	s.arrange()
}
