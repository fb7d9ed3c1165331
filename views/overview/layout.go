package overview

import (
	"slices"

	"tarmac/client/figures"
	"tarmac/client/why"
	"tarmac/views"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
)

// panelID identifies a panel of the page.
type panelID int

const (
	none panelID = iota
	cash
	owed
	months
	changes
	latest
	events
)

// screen returns the name of the page that opens when the user presses enter on the panel. The
// panel of cash opens how its figures add up.
func (id panelID) screen() string {
	return [...]string{
		owed: views.Receivables, months: views.Runway, changes: views.Spend, latest: views.Transactions, events: views.Events,
	}[id]
}

// layout is the arrangement of the panels on the page: horizontal bands, each divided into columns.
// On a small page, bands is empty.
type layout struct {
	above  int // number of lines with sentences at the top of the page
	bands  []band
	lead   lead
	blank  int // blank lines at the end of each panel
	lines  int // number of lines with figures without a frame, above the bands
	open   bool
	bottom []string // footnotes
}

// band is a horizontal part of the page, divided into columns.
type band []column

// column is a vertical part of a band. Its panels are listed from top to bottom.
type column struct {
	width  int
	panels []placed
}

type placed struct {
	id     panelID
	height int
}

// Minimum page sizes, in cells, for the layouts with panels.
const (
	panelsWidth, panelsHeight = 64, 13
	eventsWidth               = 150 // the events are next to the transactions
	wideWidth                 = 160
)

// layout returns the arrangement of the panels above the footnotes.
func (s *Screen) layout() layout {
	l := s.layoutAbove(s.height, nil)
	if bottom := s.footnotes(l); len(bottom) > 0 {
		return s.layoutAbove(s.height, bottom)
	}
	return l
}

// layoutAbove returns the arrangement of the panels in a height that includes the footnotes.
func (s *Screen) layoutAbove(height int, bottom []string) layout {
	l := layout{open: s.leads() || panel.IsOpen(height), above: s.answers.Height(), bottom: bottom}
	height -= len(bottom)
	switch {
	case s.leads():
		l.lead = leadOf(s.width, s.height)
		l.above = l.lead.height
		_, changed := s.answers.About(why.Worse)
		return l.withLead(s.width, height-l.above, changed && !s.theme.Masked)
	case s.width < panelsWidth || height-l.above < panelsHeight:
		return l.small(s.width, height)
	}
	return l.withPanels(s.width, height-l.above)
}

// withLead arranges the panels below the top of a page: cash and receivables, the months, why the
// last of them differs, and the lists. blank is the number of lines between them.
func (l layout) withLead(width, height int, changed bool) layout {
	blank, rows := 0, 3
	if l.lead.height > 6 {
		blank, rows = 1, 4
	}
	left := (width - columnGap) / 2
	right := width - columnGap - left
	l.blank = blank
	cards := 1 + rows + blank
	l.bands = []band{{{left, []placed{{cash, cards}}}, {right, []placed{{owed, cards}}}}}
	rest := height - blank - cards
	if changed && width >= bridgeWidth {
		right = width * 3 / 8
		chart := min(16, max(8, rest/2)) + blank
		l.bands = append(l.bands, band{
			{width - columnGap - right, []placed{{months, chart}}}, {right, []placed{{changes, chart}}},
		})
		return l.lists(width, rest-chart, columnGap)
	}
	const leastChart, reasons, leastList = 7, 3, 2
	if !changed {
		chart := max(min(leastChart, rest), min(16, rest/2))
		l.bands = append(l.bands, band{{width, []placed{{months, chart}}}})
		return l.lists(width, rest-chart, columnGap)
	}
	chart := max(min(leastChart, rest-reasons), min(16, rest/2))
	l.bands = append(l.bands, band{{width, []placed{{months, chart}}}}, band{{width, []placed{{changes, reasons}}}})
	if rest -= chart + reasons; rest >= leastList {
		return l.lists(width, rest, columnGap)
	}
	l.bands[1][0].panels[0].height += rest
	return l
}

// bridgeWidth is the width of a page from which on the reasons are next to the months.
const bridgeWidth = 110

// panelLines is the number of lines in the panels Cash and Owed to us.
const panelLines = len(figures.BucketNames)

func (l layout) withPanels(width, height int) layout {
	gap, frame := 0, 2
	if l.open {
		gap, frame = columnGap, 1
	}
	top := panelLines + frame
	left := (width - gap) / 2
	cashPanel := column{left, []placed{{cash, top}}}
	if width >= wideWidth {
		const leftWidth = 62
		l.bands = []band{{
			{leftWidth, []placed{{cash, top}, {owed, top}}}, {width - leftWidth - gap, []placed{{months, 2 * top}}},
		}}
		return l.lists(width, height-2*top, gap)
	}
	l.bands = []band{{cashPanel, {width - left - gap, []placed{{owed, top}}}}}
	rest := height - top
	leastChart, leastLatest := 5+frame-1, 2+frame
	if rest < leastChart+leastLatest {
		l.bands = append(l.bands, band{{width, []placed{{months, rest}}}})
		return l
	}
	chart := max(leastChart, min(16, rest*11/20, rest-leastLatest))
	if l.open {
		chart = max(chart, min(7, rest-leastLatest))
	}
	l.bands = append(l.bands, band{{width, []placed{{months, chart}}}})
	return l.lists(width, rest-chart, gap)
}

// lists adds the lists of the latest transactions and events.
func (l layout) lists(width, height, gap int) layout {
	if width < eventsWidth {
		l.bands = append(l.bands, band{{width, []placed{{latest, height}}}})
		return l
	}
	left := width * 3 / 5
	l.bands = append(l.bands, band{{left, []placed{{latest, height}}}, {width - left - gap, []placed{{events, height}}}})
	return l
}

// columnGap is the number of cells between two panels without frames.
const columnGap = 2

// small arranges figures without frames, and panels below them if the page is high enough.
func (l layout) small(width, height int) layout {
	const facts = 8
	l.above = 0
	l.lines = min(height, facts)
	rest := height - facts
	switch {
	case width < 24 || rest < 7:
		l.lines = height
	case rest < 14:
		l.bands = []band{{{width, []placed{{latest, rest}}}}}
	default:
		chart := min(14, rest/2)
		l.bands = []band{{{width, []placed{{months, chart}, {latest, rest - chart}}}}}
	}
	return l
}

// panels returns the panels in the order of the tab key.
func (l layout) panels() []panelID {
	var ids []panelID
	for _, b := range l.bands {
		for _, c := range b {
			for _, p := range c.panels {
				ids = append(ids, p.id)
			}
		}
	}
	return ids
}

// at returns the panel at a cell of the page. It returns none between panels.
func (l layout) at(x, y int) panelID {
	y -= l.above + l.lines
	if l.lead.height > 0 {
		y -= l.blank
	}
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

func (l layout) draw(s *Screen) []string {
	lines := panel.Box(s.answers.Lines(), s.width, l.above)
	if l.lead.height > 0 {
		lines = append(s.drawLead(l.lead), panel.Box(nil, s.width, l.blank)...)
	}
	if l.lines > 0 {
		lines = append(lines, panel.Box(s.plainFigures(l.lines), s.width, l.lines)...)
	}
	for _, b := range l.bands {
		columns := make([][]string, 0, 2*len(b))
		for i, c := range b {
			if i > 0 && l.open {
				columns = append(columns, panel.Box(nil, columnGap, len(columns[0])))
			}
			var drawn []string
			for _, p := range c.panels {
				drawn = append(drawn, panel.Box(s.panel(p.id, c.width, max(1, p.height-l.blank), l.open), c.width, p.height)...)
			}
			columns = append(columns, drawn)
		}
		lines = append(lines, panel.Beside(columns...)...)
	}
	return append(lines, l.bottom...)
}

// footnotes draws the lines at the bottom, which say why figures are incomplete.
func (s *Screen) footnotes(l layout) []string {
	m := fact.Missing{Currency: s.data.Currency()}
	if s.data.Months.State().HasFigures() && slices.Contains(l.panels(), months) {
		m.OfMonths(s.months())
	}
	if a, ok := s.data.Aging.Value(); ok && s.data.Aging.State().HasFigures() {
		m.Receivables = figures.AgingOf(a).Excluded
	}
	if c, ok := s.data.CashFigures(); ok && l.lines == 0 {
		m.OfCash(c)
	}
	return m.Lines(s.theme, s.width, s.height)
}
