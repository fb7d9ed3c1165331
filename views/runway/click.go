package runway

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Click selects the clicked row of a list, or opens it if it is already selected.
func (s *Screen) Click(x, y int) tea.Cmd {
	if s.Typing() || s.reading.Asking() {
		return nil
	}
	y -= len(s.answered())
	for _, p := range s.arranged.lists {
		if x < p.x || x >= p.x+p.width || y < p.y || y >= p.y+p.height {
			continue
		}
		was := s.section
		s.section = p.section
		s.syncView()
		l := s.activeList()
		top := p.y + 1
		if p.section == weekList {
			top += s.aboveWeeks()
		}
		if l == nil || s.open.level == basisText && p.section == weekList {
			break
		}
		row, ok := l.At(x-p.x-2, y-top)
		switch {
		case ok && was == p.section && row == l.cursor:
			return s.Update(views.Enter())
		case ok:
			l.moveTo(row)
		}
		break
	}
	s.cache.Invalidate()
	return nil
}
