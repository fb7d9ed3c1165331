package webhooks

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/parts/table"
)

// Click moves the cursor to the clicked endpoint or delivery. A click on the row under the cursor
// opens it.
func (s *Screen) Click(x, y int) tea.Cmd {
	if s.Typing() || !s.endpoints.list.State().HasFigures() {
		return nil
	}
	head := len(s.head())
	if y == head-1 && s.Filtered() {
		return s.clickChip(x)
	}
	inner, _ := s.inner(s.width, s.height)
	x -= (s.width - inner) / 2
	list, facts := s.split(s.height - head)
	left, _ := s.deliveryWidths()
	inside, _ := s.inner(left, s.height)
	y -= head
	switch log := y - list - len(facts); {
	case y < 0:
	case y < list:
		return s.clickRow(onEndpoints, s.endpoints.table, x, y-1)
	case log >= 0 && x < inside && s.deliveries.log.State().HasFigures():
		return s.clickRow(onDeliveries, s.deliveries.table, x, log-1)
	}
	return nil
}

// clickChip removes the filter whose chip was clicked.
func (s *Screen) clickChip(x int) tea.Cmd {
	chips, of := s.chips()
	at, ok := chips.At(x)
	if !ok {
		return nil
	}
	cmd := s.setFilter(of[at], "")
	s.syncView()
	return cmd
}

// clickRow moves the focus and the cursor to the clicked row. If the cursor was already there, it
// opens the row. Line y = 0 is the line of column titles.
func (s *Screen) clickRow(where focus, t *table.Table, x, y int) tea.Cmd {
	was := s.focus
	s.focus = where
	s.syncView() // the focus decides which rows the cursor can reach
	row, ok := t.At(x, y)
	switch {
	case !ok:
		return s.fetchDue()
	case was == where && t.Cursor() == row:
		return s.Update(views.Enter())
	}
	t.SetCursor(row)
	cmd := s.selectEndpoint()
	s.syncView()
	return tea.Batch(cmd, s.fetchDue())
}
