package runway

import (
	"slices"

	"tarmac/views/parts/panel"
)

// arrangement holds the places of the page's panels. A panel of height 0 is hidden.
type arrangement struct {
	open           bool // panels have no frames
	small          bool // the page shows only figures, without panels
	briefly        bool // the comparison has few lines and no frame, so that the lists have room
	inTitle        bool // the title of the chart has the results of the cases, which saves a line
	lists          []placed
	chart, compare box
	basis          box // the text about the figures, on a page with room for it
}

// box is a part of the page, in cells.
type box struct{ x, y, width, height int }

// Sizes of pages and panels in cells.
const (
	smallWidth, smallHeight = 40, 12
	chartWidth              = 110 // the chart is next to a list
	bothHeight              = 33  // both lists are shown
	wideWidth               = 160 // both lists are on the left, and the chart on the right
	leastChart              = 6
	chartRows               = 9 // of a chart above a list, with its months
	leastTable              = 5
	leastList               = 9      // below the comparison of the plan
	listRows                = 13 + 1 // a list with its titles
	columnGap               = 2      // between panels without frames
)

// arrange divides the lines from top to bottom among the panels.
func (s *Screen) arrange(top, bottom int) arrangement {
	a := arrangement{open: panel.IsOpen(s.Height), small: s.Height < smallHeight || s.Width < smallWidth}
	if a.small {
		return a
	}
	frame, gap := 2, 0
	if a.open {
		frame, gap = 1, columnGap
	}
	listHeight := listRows + frame
	rest := bottom - top
	left := (s.Width - gap) / 2
	right := box{left + gap, top, s.Width - left - gap, 0}
	switch {
	case s.Width >= wideWidth && s.Height >= bothHeight && rest >= 2*listHeight:
		a.lists = []placed{{monthList, 0, top, left, listHeight}, {s.second(), 0, top + listHeight, left, listHeight}}
		right.height = rest
		a.chart = right
		if s.comparing() {
			a.compare = box{right.x, bottom - s.compareHeight(frame), right.width, s.compareHeight(frame)}
			a.chart.height -= a.compare.height
		}
		a.basis = box{0, top + 2*listHeight, left, rest - 2*listHeight}
		if a.basis.height < leastTable {
			a.lists[1].height, a.basis.height = rest-listHeight, 0
		}
		return a
	case s.comparing() && s.section <= weekList && s.Width < chartWidth && rest >= leastChart+leastTable+2*frame-1 &&
		s.casesFitTitle():
		a.inTitle = true
	case s.comparing() && s.section <= weekList:
		a.briefly = true
		a.compare = box{0, top, s.Width, min(rest, 1+len(s.compareBriefly(s.Width)))}
		top += a.compare.height
		rest -= a.compare.height
	case s.comparing():
		a.compare = box{0, top, s.Width, min(rest, max(compareMinHeight, min(s.compareHeight(frame), rest-leastList)))}
		top += a.compare.height
		rest -= a.compare.height
	}
	right.y = top
	switch {
	case s.Width >= chartWidth && s.Height >= bothHeight && rest >= listHeight+leastChart+4:
		upper := max(rest-listHeight, leastChart)
		right.height = upper
		a.chart = right
		a.lists = []placed{{monthList, 0, top, left, upper}, {s.second(), 0, top + upper, s.Width, rest - upper}}
	case s.Width >= chartWidth && rest >= leastTable+2:
		right.height = rest
		a.chart = right
		a.lists = []placed{{s.section, 0, top, left, rest}}
	case rest >= leastChart+frame-1+leastTable+frame:
		height := max(leastChart+frame-1, rest-listHeight, min(chartRows+frame, rest-leastTable-frame-1))
		a.chart = box{0, top, s.Width, height}
		a.lists = []placed{{s.section, 0, top + height, s.Width, rest - height}}
	case rest >= leastTable:
		a.lists = []placed{{s.section, 0, top, s.Width, rest}}
	default:
		a.compare.height += rest
	}
	return a
}

// second returns the second list on a page with room for two. The first is the months.
func (s *Screen) second() section {
	if s.section == monthList {
		return weekList
	}
	return s.section
}

// panels draws the panels of the arrangement. The first line is line top of the page.
func (s *Screen) panels(top, height int) []string {
	type drawn struct {
		box
		lines []string
	}
	a := s.arranged
	var all []drawn
	for _, p := range a.lists {
		all = append(all, drawn{box{p.x, p.y, p.width, p.height}, s.listPanel(p)})
	}
	for _, part := range [...]struct {
		at   box
		draw func(width, height int) []string
	}{{a.chart, s.chartPanel}, {a.compare, s.comparePanel}, {a.basis, s.basisPanel}} {
		if part.at.height > 0 {
			all = append(all, drawn{part.at, part.draw(part.at.width, part.at.height)})
		}
	}
	slices.SortStableFunc(all, func(a, b drawn) int { return a.x - b.x })
	lines := make([]string, height)
	widths := make([]int, height)
	for _, d := range all {
		for i, line := range d.lines {
			y := d.y - top + i
			if y < 0 || y >= height {
				continue
			}
			for ; widths[y] < d.x; widths[y]++ {
				lines[y] += " "
			}
			lines[y] += line
			widths[y] += d.width
		}
	}
	return lines
}
