package events

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/resource"
	"tarmac/internal/fold"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// line is a line of the pane before wrapping: a name and a text.
type line struct {
	name, text string
	label, ink table.Ink // styles of the name and the text
	whole      bool      // truncate instead of wrapping, because a split number would read as two
}

// pane shows one event and scrolls if the event does not fit.
type pane struct {
	lines         []line
	offset        int
	width, height int
	looks         theme.Theme
	found         table.Ink
	needle        string
	text          []string // wrapped to the width inside the frame
	drawn         []string
}

func (p *pane) setTheme(looks theme.Theme) {
	p.looks, p.found = looks, table.NewInk(looks.Highlight)
	p.text, p.drawn = nil, nil
}

// SetSize sets the size in cells, including the frame.
func (p *pane) SetSize(width, height int) {
	if width != p.width || height != p.height {
		p.width, p.height = width, height
		p.text, p.drawn = nil, nil
	}
}

// show sets the content and scrolls to the top.
func (p *pane) show(lines []line) {
	p.lines, p.offset = lines, 0
	p.text, p.drawn = nil, nil
}

func (p *pane) highlight(needle string) {
	p.needle = needle
	p.text, p.drawn = nil, nil
}

// rows returns how many lines of text are visible.
func (p *pane) rows() int {
	_, rows := panel.Inner(p.width, p.height)
	return max(1, rows)
}

// scroll scrolls by a number of lines and reports whether the text moved.
func (p *pane) scroll(lines int) bool {
	before := p.offset
	p.offset += lines
	p.wrap()
	p.drawn = nil
	return p.offset != before
}

// wrap wraps the text and clamps the offset.
func (p *pane) wrap() {
	if p.text == nil {
		p.text = []string{}
		for _, l := range p.lines {
			p.add(l)
		}
	}
	p.offset = max(0, min(p.offset, len(p.text)-p.rows()))
}

// Lines returns exactly height lines of exactly width cells.
func (p *pane) Lines() []string {
	if p.drawn != nil || p.width <= 0 || p.height <= 0 {
		return p.drawn
	}
	p.wrap()
	note := ""
	if below := len(p.text) - p.offset - p.rows(); below > 0 {
		note = money.Count(int64(below)) + " more below"
	}
	frame := panel.Frame{
		Title: "Event", Note: note, Width: p.width, Height: p.height, Focused: true,
		Body: func(int, int) []string { return p.text[p.offset:] },
	}
	p.drawn = panel.Draw(p.looks, frame, resource.State{Status: resource.Ready}, time.Time{})
	return p.drawn
}

// add wraps a line. Continuation lines align with the text, or with the name if the name takes
// more than half of the width.
func (p *pane) add(l line) {
	width, _ := panel.Inner(p.width, p.height)
	lead := termtext.Width(l.name)
	if l.whole || lead+termtext.Width(l.text) <= width {
		p.text = append(p.text, p.paint(l))
		return
	}
	if lead <= width/2 {
		p.hang(l, l.name, strings.Repeat(" ", lead), width)
		return
	}
	indent := min(len(l.name)-len(strings.TrimLeft(l.name, " ")), width/2)
	blanks := strings.Repeat(" ", indent)
	p.hang(line{text: strings.Trim(l.name, " "), ink: l.label}, blanks, blanks, width)
	blanks = strings.Repeat(" ", min(indent+2, width/2))
	p.hang(line{text: l.text, ink: l.ink}, blanks, blanks, width)
}

// hang wraps a line's text with a hanging indent: first precedes the first part, rest the
// others. Both have the same width.
func (p *pane) hang(l line, first, rest string, width int) {
	for part := range strings.SplitSeq(ansi.Wrap(l.text, max(1, width-len(rest)), ""), "\n") {
		p.text = append(p.text, p.paint(line{name: first, text: part, label: l.label, ink: l.ink}))
		first = rest
	}
}

// paint renders a line and highlights the search match, which may span the name and the text.
func (p *pane) paint(l line) string {
	whole, n := l.name+l.text, len(l.name)
	from, to := fold.Find(whole, p.needle)
	if from < 0 {
		from, to = len(whole), len(whole)
	}
	var b strings.Builder
	write := func(ink table.Ink, from, to int) {
		if from < to {
			b.WriteString(ink.Render(whole[from:to]))
		}
	}
	write(l.label, 0, min(n, from))
	write(l.ink, n, from)
	write(p.found, from, to)
	write(l.label, to, n)
	write(l.ink, max(n, to), len(whole))
	return b.String()
}
