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

// line is a line of the pane before it is broken: a name, and what stands behind it.
type line struct {
	name, text string
	label, ink table.Ink // of the name and of the text
	whole      bool      // is cut where it has no room, not broken: a number in two is another number
}

// pane shows one event in full. It scrolls where that is longer than the room.
type pane struct {
	lines         []line
	offset        int
	width, height int
	looks         theme.Theme
	found         table.Ink
	needle        string
	text          []string // broken for the width inside the frame
	drawn         []string
}

func (p *pane) setTheme(looks theme.Theme) {
	p.looks, p.found = looks, table.NewInk(looks.Highlight)
	p.text, p.drawn = nil, nil
}

// SetSize sets the room with the frame.
func (p *pane) SetSize(width, height int) {
	if width != p.width || height != p.height {
		p.width, p.height = width, height
		p.text, p.drawn = nil, nil
	}
}

// show sets what the pane holds, from its first line on.
func (p *pane) show(lines []line) {
	p.lines, p.offset = lines, 0
	p.text, p.drawn = nil, nil
}

func (p *pane) highlight(needle string) {
	p.needle = needle
	p.text, p.drawn = nil, nil
}

// rows is how many lines of text are seen at once.
func (p *pane) rows() int {
	_, rows := panel.Inner(p.width, p.height)
	return max(1, rows)
}

// scroll moves the text by lines and reports whether it moved.
func (p *pane) scroll(lines int) bool {
	before := p.offset
	p.offset += lines
	p.settle()
	p.drawn = nil
	return p.offset != before
}

// settle breaks the text for the room and keeps the offset within it.
func (p *pane) settle() {
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
	p.settle()
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

// add breaks a line. What follows the first part stands under the text, or, where
// the name takes more than half of the room, under the name.
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

// hang breaks a line's text, with first before its first part and rest, which is as
// wide, before the others.
func (p *pane) hang(l line, first, rest string, width int) {
	for part := range strings.SplitSeq(ansi.Wrap(l.text, max(1, width-len(rest)), ""), "\n") {
		p.text = append(p.text, p.paint(line{name: first, text: part, label: l.label, ink: l.ink}))
		first = rest
	}
}

// paint writes a line with what the search found in it, which may begin in the name
// and end in the text.
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
