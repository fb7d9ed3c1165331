package invoices

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Click selects a row, opens the row if it is already selected, shows the tab that was clicked, or
// removes the filter whose chip was clicked.
func (s *Screen) Click(x, y int) tea.Cmd {
	statuses, filters, notice := s.headHeights()
	if s.Typing() {
		return nil
	}
	if y >= 0 && y < statuses {
		return s.clickStatus(x)
	}
	if y >= statuses && y < statuses+filters {
		return s.clickChip(x)
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
	return s.fetchDue()
}

func (s *Screen) clickStatus(x int) tea.Cmd {
	tab, ok := s.tabAt(x)
	if !ok {
		return nil
	}
	s.showTab(tab)
	s.arrange()
	return s.fetchDue()
}

func (s *Screen) clickChip(x int) tea.Cmd {
	chips, _ := s.chips()
	at, ok := chips.At(x)
	if !ok {
		return nil
	}
	s.removeFilter(at)
	s.arrange()
	return s.fetchDue()
}
