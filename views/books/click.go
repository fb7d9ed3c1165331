package books

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/parts/table"
)

// Click moves the cursor to the clicked row. A click on the row under the cursor
// opens its details.
func (s *Screen) Click(x, y int) tea.Cmd {
	if s.mode != browsing || s.opened || !s.contents.State().HasFigures() {
		return nil
	}
	inner, _ := s.inner(s.width, s.height)
	x -= (s.width - inner) / 2
	y -= len(s.message())
	h := s.heights()
	for list, height := range h.lists {
		if y >= 0 && y < height {
			return s.clickRow(focus(list), s.tables()[list], x, y-1)
		}
		y -= height
	}
	return nil
}

// clickRow moves the focus and the cursor to the clicked row. If the cursor was already there, it
// opens the row.
func (s *Screen) clickRow(list focus, t *table.Table, x, y int) tea.Cmd {
	was := s.list
	s.focusList(list)
	row, ok := t.At(x, y)
	if ok && was == list && t.Cursor() == row {
		return s.Update(views.Enter())
	}
	if ok {
		t.SetCursor(row)
		s.detail.Top()
	}
	s.syncView()
	return nil
}
