package runway

import (
	"tarmac/views/parts/panel"
)

// section is one of the two lists at the bottom of the page.
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

// lists draws the lists side by side.
func (s *Screen) lists(all []placed) []string {
	var columns [][]string
	for _, p := range all {
		if p.section == monthList {
			columns = append(columns, s.monthsPanel(p.width, p.height))
		} else {
			columns = append(columns, s.weeksPanel(p.width, p.height))
		}
	}
	return panel.Beside(columns...)
}

// bothWidth is the width of a page from which on both lists are shown side by side.
const bothWidth = 180

// place returns the lists in the given height, y lines below the top of the page.
func (s *Screen) place(y, height int) []placed {
	switch {
	case height <= 0:
		return nil
	case s.width >= bothWidth:
		left := s.width / 2
		return []placed{
			{monthList, 0, y, left, height}, {weekList, left, y, s.width - left, height},
		}
	}
	return []placed{{s.section, 0, y, s.width, height}}
}
