package overview

import (
	"slices"

	"tarmac/views"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
)

// panelID identifies a panel of the page.
type panelID int

const (
	none panelID = iota
	balance
	runway
	receivables
	months
	latest
	events
)

// screen returns the name of the page that opens when the user presses enter on the panel.
func (id panelID) screen() string {
	switch id {
	case receivables, latest, events:
		return [...]string{receivables: views.Receivables, latest: views.Transactions, events: views.Events}[id]
	}
	return views.Runway
}

// layout is the arrangement of the panels on the page: horizontal bands, each divided into columns.
// On a page too small for panels, it has no bands.
type layout struct {
	above int // number of lines with sentences at the top of the page
	bands []band
	lines int  // number of lines above the bands, which show figures without a frame
	strip bool // the lines above the bands show only the balance
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
	gridWidth, gridHeight       = 100, 30
	compactWidth, compactHeight = 64, 13
	wideWidth                   = 160
)

// layout returns the arrangement of the panels in the height left by the footnotes.
func (s *Screen) layout() layout { return s.arranged(s.height - len(s.excluded())) }

func (s *Screen) arranged(height int) layout {
	width, above := s.width, len(s.sentences())
	var l layout
	switch rest := height - above; {
	case width >= gridWidth && rest >= gridHeight:
		l = gridLayout(width, rest)
	case width >= compactWidth && rest >= compactHeight:
		l = compactLayout(width, rest, s.caveat(width/2-4))
	default:
		return smallLayout(width, height, s.caveat(width))
	}
	l.above = above
	return l
}

// sentences draws the sentences at the top of the page, in at most a seventh of its height.
func (s *Screen) sentences() []string {
	const part, most = 7, 4
	return s.answers.Lines(s.theme, s.width, min(most, s.height/part))
}

func gridLayout(width, height int) layout {
	third := width / 3
	top := min(12, max(11, height/4))
	if third < 40 {
		top = 12 // in narrow panels, the explanations wrap to more lines
	}
	l := layout{bands: []band{{
		{third, []placed{{balance, top}}},
		{width - 2*third, []placed{{runway, top}}},
		{third, []placed{{receivables, top}}},
	}}}
	rest := height - top
	left := width * 3 / 5
	if width >= wideWidth {
		chart := min(22, rest/2)
		return l.with(band{
			{left, []placed{{months, chart}, {latest, rest - chart}}},
			{width - left, []placed{{events, rest}}},
		})
	}
	chart := min(16, rest*9/20)
	return l.with(
		band{{width, []placed{{months, chart}}}},
		band{{left, []placed{{latest, rest - chart}}}, {width - left, []placed{{events, rest - chart}}}},
	)
}

// caveat returns how many lines, 0 to 2, the server's note about the runway takes at the given
// width.
func (s *Screen) caveat(width int) int {
	if c, ok := s.data.CashFigures(); ok {
		return min(2, len(fact.Wrap(s.theme, c.Caveat(), width)))
	}
	return 0
}

func compactLayout(width, height, caveat int) layout {
	top := 6 + caveat
	left := width / 2
	l := layout{lines: 1, strip: true, bands: []band{{
		{left, []placed{{runway, top}}},
		{width - left, []placed{{receivables, top}}},
	}}}
	rest := height - l.lines - top
	switch {
	case width >= gridWidth:
		return l.with(band{{left, []placed{{months, rest}}}, {width - left, []placed{{latest, rest}}}})
	case rest < 15:
		return l.with(band{{width, []placed{{months, rest}}}})
	}
	chart := min(14, (rest+1)/2+1)
	return l.with(band{{width, []placed{{months, chart}, {latest, rest - chart}}}})
}

// smallLayout returns a layout with figures that have no frames. Below them are panels, if the page
// is high enough.
func smallLayout(width, height, caveat int) layout {
	figures := max(8, 7+caveat)
	l := layout{lines: min(height, figures)}
	rest := height - figures
	switch {
	case width < 24 || rest < 7:
		l.lines = height
		return l
	case rest < 14:
		return l.with(band{{width, []placed{{latest, rest}}}})
	}
	chart := min(14, rest/2)
	return l.with(band{{width, []placed{{months, chart}, {latest, rest - chart}}}})
}

func (l layout) with(bands ...band) layout {
	l.bands = append(l.bands, bands...)
	return l
}

// panels returns the panels in the order in which tab focuses them.
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

func (l layout) draw(s *Screen) []string {
	lines := panel.Box(s.sentences(), s.width, l.above)
	switch {
	case l.strip:
		lines = append(lines, panel.Box([]string{s.balanceLine()}, s.width, l.lines)...)
	case l.lines > 0:
		lines = append(lines, panel.Box(s.unframed(l.lines), s.width, l.lines)...)
	}
	for _, b := range l.bands {
		columns := make([][]string, len(b))
		for i, c := range b {
			for _, p := range c.panels {
				columns[i] = slices.Concat(columns[i], s.panel(p.id, c.width, p.height))
			}
		}
		lines = append(lines, panel.Beside(columns...)...)
	}
	return append(lines, s.excluded()...)
}
