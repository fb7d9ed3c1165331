package books

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// Click moves the cursor to the clicked account or import. A click on the row under the cursor
// opens its details.
func (s *Screen) Click(x, y int) tea.Cmd {
	if s.mode != browsing || s.opened || !s.contents.State().HasFigures() {
		return nil
	}
	inner, _ := panel.Inner(s.width, s.height)
	x -= (s.width - inner) / 2
	y -= len(s.message())
	switch h := s.heights(); {
	case y < 0:
	case y < h.accounts:
		return s.clickRow(onAccounts, s.accounts, x, y-1)
	case y < h.accounts+h.imports:
		return s.clickRow(onImports, s.imports, x, y-h.accounts-1)
	}
	return nil
}

// clickRow moves the focus and the cursor to the clicked row. If the cursor was already there, it
// opens the row.
func (s *Screen) clickRow(list focus, t *table.Table, x, y int) tea.Cmd {
	was := s.list
	if list != was {
		s.switchList()
	}
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
