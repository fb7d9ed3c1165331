package runway

import (
	"tarmac/views/parts/panel"
)

// section is one of the two lists of the page.
type section int

const (
	monthList section = iota
	weekList
)

// placed is a list with its place on the page, in cells, including the frame.
type placed struct {
	section             section
	x, y, width, height int
}

// listTitle returns the title of a list's panel. If both lists are shown, the one that the keys
// move in is marked.
func (s *Screen) listTitle(of section, title string) string {
	if len(s.arranged.lists) > 1 && s.section == of {
		return "▸ " + title
	}
	return title
}

// inner returns the size of the inside of a list's panel.
func (s *Screen) inner(p placed) (width, height int) {
	if s.arranged.open {
		return panel.InnerOpen(p.width, p.height)
	}
	return panel.Inner(p.width, p.height)
}

// shownList returns the list in the panel of the forecast.
func (s *Screen) shownList() *list {
	if s.open.level == weekItems || s.open.level == itemRows {
		return &s.open.list
	}
	return &s.weekTable
}

// activeList returns the list that the keys move in. It returns nil if that list is not on the page
// or has no rows.
func (s *Screen) activeList() *list {
	for _, p := range s.arranged.lists {
		l := &s.months
		if p.section == weekList {
			l = s.shownList()
		}
		ready := p.section == weekList && s.weekly.forecast != nil ||
			p.section == monthList && s.data.Months.State().HasFigures()
		if p.section == s.section && ready && l.count > 0 {
			return l
		}
	}
	return nil
}

// aboveWeeks returns the number of lines above the list in the panel of the forecast.
func (s *Screen) aboveWeeks() int { return len(s.reading.Lines(s.theme)) }

// listPanel draws the panel of a list.
func (s *Screen) listPanel(p placed) []string {
	if p.section == monthList {
		return s.monthsPanel(p.width, p.height)
	}
	return s.weeksPanel(p.width, p.height)
}
