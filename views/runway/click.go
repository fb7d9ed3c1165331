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
	for _, p := range s.arranged.lists {
		if x < p.x || x >= p.x+p.width || y < p.y || y >= p.y+p.height {
			continue
		}
		was := s.section
		s.section = p.section
		s.syncView()
		l := s.activeList()
		width, _ := s.inner(p)
		top := p.y + 1 + len(s.above(p.section, width))
		if l == nil || s.open.level == basisText && p.section == weekList {
			break
		}
		side := 2
		if s.arranged.open {
			side = 0
		}
		row, ok := l.At(x-p.x-side, y-top)
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
