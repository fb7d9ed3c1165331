package webhooks

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// Click moves the cursor to an endpoint or a delivery; a click on the selected row opens it.
func (s *Screen) Click(x, y int) tea.Cmd {
	if s.Typing() || !s.endpoints.list.State().HasFigures() {
		return nil
	}
	head := len(s.head())
	if y == head-1 && s.Filtered() {
		return s.clickedChip(x)
	}
	inner, _ := panel.Inner(s.width, s.height)
	x -= (s.width - inner) / 2
	list, facts := s.split(s.height - head)
	y -= head
	switch log := y - list - len(facts); {
	case y < 0:
	case y < list:
		return s.clicked(onEndpoints, s.endpoints.table, x, y-1)
	case log >= 0 && s.place != onDelivery && s.deliveries.log.State().HasFigures():
		return s.clicked(onDeliveries, s.deliveries.table, x, log-1)
	}
	return nil
}

// clickedChip removes the filter whose chip was clicked.
func (s *Screen) clickedChip(x int) tea.Cmd {
	chips, of := s.chips()
	at, ok := chips.At(x)
	if !ok {
		return nil
	}
	cmd := s.setFilter(of[at], "")
	s.settle()
	return cmd
}

// clicked moves the cursor in one of the two tables. y counts from the line of the table's title.
func (s *Screen) clicked(where place, t *table.Table, x, y int) tea.Cmd {
	was := s.place
	s.place = where
	s.settle() // the reachable rows depend on the place
	row, ok := t.At(x, y)
	switch {
	case !ok:
		return s.renew()
	case was == where && t.Cursor() == row:
		return s.Update(views.Enter())
	}
	t.SetCursor(row)
	cmd := s.choose()
	s.settle()
	return tea.Batch(cmd, s.renew())
}
