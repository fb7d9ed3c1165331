package invoices

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Click selects a row, opens the selected row, switches to the list of a status, or removes a
// clicked filter.
func (s *Screen) Click(x, y int) tea.Cmd {
	statuses, filters, notice := s.above()
	if s.Typing() {
		return nil
	}
	if y >= 0 && y < statuses {
		return s.clickedStatus(x)
	}
	if y >= statuses && y < statuses+filters {
		return s.clickedChip(x)
	}
	row, ok := s.table.At(x, y-(statuses+filters+notice))
	switch {
	case !ok || !s.state().HasFigures() || !s.frame.ListSeen():
		return nil
	case row == s.table.Cursor() && s.detail.open:
		return nil
	case row == s.table.Cursor():
		return s.Update(views.Enter())
	}
	s.table.SetCursor(row)
	s.arrange()
	return s.advance()
}

func (s *Screen) clickedStatus(x int) tea.Cmd {
	tab, ok := s.tabAt(x)
	if !ok {
		return nil
	}
	s.turn(tab)
	s.arrange()
	return s.advance()
}

func (s *Screen) clickedChip(x int) tea.Cmd {
	chips, off := s.chips()
	at, ok := chips.At(x)
	if !ok {
		return nil
	}
	s.mark()
	off[at]()
	s.choose(s.list().at)
	s.arrange()
	return s.advance()
}
