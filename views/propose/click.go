package propose

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views/parts/panel"
)

// Click selects the clicked draft in the list of possible invoices. Clicks elsewhere have no
// effect.
func (s *Screen) Click(x, y int) tea.Cmd {
	if s.stage != uncertain || s.question != nothing || !s.search.found.State().HasFigures() {
		return nil
	}
	width, height := panel.Inner(s.width, s.height)
	y -= min(1, s.height-height)
	x -= (s.width - width) / 2
	room := height - len(s.foot(width, height))
	list := s.search.table.Lines()
	if row, ok := s.search.table.At(x, y-min(len(s.explanationRows(width)), max(0, room-len(list)))); ok && y < room {
		s.confirmation.cancel() // the first press was meant for another draft
		s.search.table.SetCursor(row)
	}
	return nil
}
