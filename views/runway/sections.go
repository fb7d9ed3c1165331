package runway

import (
	"github.com/charmbracelet/x/ansi"

	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
)

// section is one of the lists of the page.
type section int

// The lists of the page, in the order of the keys.
const (
	monthList section = iota
	weekList
	planList
	againstList
	sectionCount
)

// sectionName returns the name of a list.
func sectionName(of section) string {
	return [...]string{"months", "weeks ahead", "plan", "against the plan"}[of]
}

// neighbor returns the list after the current one, or the previous one if by is -1. The comparison
// with the plan needs a plan.
func (s *Screen) neighbor(by int) (section, bool) {
	at := s.section + section(by)
	return at, at >= 0 && at < sectionCount && (at != againstList || s.hasLines())
}

// goTo moves the cursor to a list.
func (s *Screen) goTo(to section) { s.section, s.openRows, s.laidOut = to, nil, false }

// placed is the place of a list on the page, in cells, including the frame.
type placed struct {
	section             section
	x, y, width, height int
}

// listTitle returns the title of a list's panel. If two lists are shown, the current one is marked.
func (s *Screen) listTitle(of section, title string) string {
	if len(s.arranged.lists) > 1 && s.section == of {
		return "▸ " + title
	}
	return title
}

// inner returns the size of the inside of a list's panel.
func (s *Screen) inner(p placed) (width, height int) {
	return panel.InnerOf(s.arranged.open, p.width, p.height)
}

// shownList returns the list in the panel of the forecast.
func (s *Screen) shownList() *list {
	if s.open.level == weekItems || s.open.level == itemRows {
		return &s.open.list
	}
	return &s.weekTable
}

// listOf returns the list of a section.
func (s *Screen) listOf(of section) (l *list, ready bool) {
	switch {
	case of == monthList:
		return &s.months, s.Snapshot.Months.State().HasFigures()
	case of == weekList:
		return s.shownList(), s.weekly.forecast != nil
	case of == planList:
		return &s.planTable, s.hasLines()
	case s.openRows != nil:
		return &s.openRows.list, true
	}
	return &s.againstTable, s.against != nil
}

// activeList returns the current list, or nil if it is hidden or empty.
func (s *Screen) activeList() *list {
	for _, p := range s.arranged.lists {
		if l, ready := s.listOf(p.section); p.section == s.section && ready && l.count > 0 {
			return l
		}
	}
	return nil
}

// above returns the lines above a list in its panel: the progress of reading transactions, why the
// plan is old, and why a comparison is incomplete.
func (s *Screen) above(of section, width int) (lines []string) {
	if of != monthList {
		lines = s.reading.Lines(s.Theme)
	}
	if of == planList && s.file.problem != "" {
		text := "! " + s.file.problem
		if s.file.of != nil {
			text += ". The last plan that could be read is shown."
		}
		for _, line := range fact.Wrap(s.Theme, text, width) {
			lines = append(lines, s.Theme.Critical.Render(ansi.Strip(line)))
		}
	}
	if of == againstList {
		lines = append(lines, s.againstNotes(width)...)
	}
	return lines
}

// listPanel draws the panel of a list.
func (s *Screen) listPanel(p placed) []string {
	return [...]func(width, height int) []string{s.monthsPanel, s.weeksPanel, s.planPanel, s.againstPanel}[p.section](
		p.width, p.height)
}
