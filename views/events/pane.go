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

// line is one line of the pane before wrapping: a label and its text, or a JSON key and its value.
type line struct {
	name, text string
	label, ink table.Ink // styles of the name and the text
	whole      bool      // truncated instead of wrapped, because a wrapped number would read as two
}

// pane shows one event and scrolls if the event does not fit.
type pane struct {
	lines         []line
	offset        int // number of wrapped lines scrolled off the top
	width, height int
	focused       bool // the user has opened it
	theme         theme.Theme
	match         table.Ink
	search        string
	text          []string // lines wrapped and styled; nil if not wrapped yet
	drawn         []string // the framed pane; nil if it must be drawn again
}

func (p *pane) setTheme(t theme.Theme) {
	p.theme, p.match = t, table.NewInk(t.Highlight)
	p.text, p.drawn = nil, nil
}

func (p *pane) setFocused(focused bool) {
	if focused != p.focused {
		p.focused, p.drawn = focused, nil
	}
}

// SetSize sets the size in cells, including the frame.
func (p *pane) SetSize(width, height int) {
	if width != p.width || height != p.height {
		p.width, p.height = width, height
		p.text, p.drawn = nil, nil
	}
}

// show replaces the lines of the pane and scrolls to the top.
func (p *pane) show(lines []line) {
	p.lines, p.offset = lines, 0
	p.text, p.drawn = nil, nil
}

func (p *pane) highlight(search string) {
	p.search = search
	p.text, p.drawn = nil, nil
}

// rows returns how many wrapped lines are visible at once, at least 1.
func (p *pane) rows() int {
	_, rows := panel.Inner(p.width, p.height)
	return max(1, rows)
}

// scroll moves the text by a number of lines, down if lines is positive. It reports whether the
// text moved.
func (p *pane) scroll(lines int) bool {
	before := p.offset
	p.offset += lines
	p.wrap()
	p.drawn = nil
	return p.offset != before
}

// wrap fills p.text with the wrapped lines, unless it is up to date, and keeps the scroll offset in
// range.
func (p *pane) wrap() {
	if p.text == nil {
		p.text = []string{}
		for _, l := range p.lines {
			p.wrapLine(l)
		}
	}
	p.offset = max(0, min(p.offset, len(p.text)-p.rows()))
}

// Lines returns the framed pane with exactly the height and width of the last SetSize.
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
		Title: "Event", Note: note, Width: p.width, Height: p.height, Focused: p.focused,
		Body: func(int, int) []string { return p.text[p.offset:] },
	}
	p.drawn = panel.Draw(p.theme, frame, resource.State{Status: resource.Ready}, time.Time{})
	return p.drawn
}

// wrapLine wraps l and appends the result to p.text. Continuation lines are aligned with the text
// of l. If the name of l takes more than half of the width, the text starts on the next line.
func (p *pane) wrapLine(l line) {
	width, _ := panel.Inner(p.width, p.height)
	lead := termtext.Width(l.name)
	if l.whole || lead+termtext.Width(l.text) <= width {
		p.text = append(p.text, p.render(l))
		return
	}
	if lead <= width/2 {
		p.wrapHanging(l, l.name, strings.Repeat(" ", lead), width)
		return
	}
	indent := min(len(l.name)-len(strings.TrimLeft(l.name, " ")), width/2)
	blanks := strings.Repeat(" ", indent)
	p.wrapHanging(line{text: strings.Trim(l.name, " "), ink: l.label}, blanks, blanks, width)
	blanks = strings.Repeat(" ", min(indent+2, width/2))
	p.wrapHanging(line{text: l.text, ink: l.ink}, blanks, blanks, width)
}

// wrapHanging wraps the text of l to width and appends the resulting lines to p.text. The first
// line starts with firstPrefix, all others with otherPrefix, which must have the same width.
func (p *pane) wrapHanging(l line, firstPrefix, otherPrefix string, width int) {
	for part := range strings.SplitSeq(ansi.Wrap(l.text, max(1, width-len(otherPrefix)), ""), "\n") {
		p.text = append(p.text, p.render(line{name: firstPrefix, text: part, label: l.label, ink: l.ink}))
		firstPrefix = otherPrefix
	}
}

// render returns l styled, with the first match of the text filter highlighted. The match may
// extend from the name into the text.
func (p *pane) render(l line) string {
	whole, n := l.name+l.text, len(l.name)
	from, to := fold.Find(whole, p.search)
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
	write(p.match, from, to)
	write(l.label, to, n)
	write(l.ink, max(n, to), len(whole))
	return b.String()
}
