package overview

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Click focuses the clicked panel, or opens its page if it already has the focus.
func (s *Screen) Click(x, y int) tea.Cmd {
	switch id := s.layout().at(x, y); {
	case id == none || s.Typing() || s.ladder:
	case id == s.focus:
		return s.Update(views.Enter())
	default:
		s.setFocus(id)
	}
	return nil
}

// at returns the panel at a cell of the page, or none if there is no panel.
func (l layout) at(x, y int) panelID {
	y -= l.above + l.lines
	gap := 0
	if l.open {
		gap = columnGap
	}
	for _, b := range l.bands {
		left, height := 0, 0
		for _, c := range b {
			top := 0
			for _, p := range c.panels {
				if x >= left && x < left+c.width && y >= top && y < top+p.height {
					return p.id
				}
				top += p.height
			}
			left, height = left+c.width+gap, max(height, top)
		}
		y -= height
	}
	return none
}
