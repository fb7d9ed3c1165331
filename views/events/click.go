package events

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/views"
)

// Click selects a row, opens the row if it is already selected, or removes the filter whose chip
// was clicked.
func (s *Screen) Click(x, y int) tea.Cmd {
	if y >= 0 && y < s.feedLineHeight() && !s.Typing() {
		s.clickChip(x)
		return nil
	}
	row, ok := s.table.At(x, y-s.feedLineHeight())
	switch {
	case !ok || s.Typing() || !s.data.Feed.State().HasFigures() || !s.frame.ListSeen():
		return nil
	case row == s.table.Cursor() && s.detail.open:
		return nil
	case row == s.table.Cursor():
		return s.Update(views.Enter())
	}
	s.table.SetCursor(row)
	s.list.following = row == s.newestRow()
	older := s.older()
	s.holdFeed()
	s.arrange()
	return older
}

func (s *Screen) clickChip(x int) {
	chips := s.chips()
	before, _, found := strings.Cut(ansi.Strip(s.feedLine()), ansi.Strip(chips.Line(s.theme)))
	at, on := chips.At(x - ansi.StringWidth(before))
	switch {
	case !found || !on:
		return
	case s.filter.choice != allTypes && at == 0:
		s.filter.choice = allTypes
		s.applyFilters()
	default:
		s.setSearch("")
	}
	s.holdFeed()
	s.arrange()
}
