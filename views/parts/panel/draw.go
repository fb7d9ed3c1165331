package panel

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/resource"
	"tarmac/theme"
	"tarmac/views/parts/mark"
)

// Frame describes a panel. Body draws the content in the given inner size. It is called only if
// there are figures; its lines are truncated and padded to fit.
type Frame struct {
	Title         string
	Briefs        []string // titles that replace one that does not fit; the last is cut
	Legend        string   // styled text behind the title, if there is room
	Note          string   // right end of the title line, such as "synced 14:02 UTC"; " · " separates parts
	EmptyText     string   // shown if the resource's status is Empty
	Width, Height int
	Focused       bool
	Marked        bool // the title has the mark of figures that leave something out
	Open          bool // there is a rule with the title above the content, and no frame
	Body          func(width, height int) []string
}

// Draw returns the panel in exactly Height lines of exactly Width cells. The border and its padding
// take two columns at each side and a line above and below. A panel too small for a border has only
// its title line above the content; with a height of one line, it has only the content.
func Draw(t theme.Theme, f Frame, s resource.State, now time.Time) []string {
	if f.Width <= 0 || f.Height <= 0 {
		return nil
	}
	if f.Open && f.Width >= leastWidth && f.Height > 1 {
		return drawOpen(t, f, s, now)
	}
	if f.Width < leastWidth || f.Height < leastHeight {
		return drawPlain(t, f, s, now)
	}
	inner, rows := Inner(f.Width, f.Height)
	border := t.Border
	if f.Focused {
		border = t.Accent
	}
	lines := make([]string, 0, f.Height)
	lines = append(lines, titleLine(t, f, s, now, border.Render))
	side := border.Render("│")
	for _, line := range content(t, f, s, now, inner, rows) {
		lines = append(lines, side+" "+line+" "+side)
	}
	return append(lines, border.Render("╰"+strings.Repeat("─", f.Width-2)+"╯"))
}

// drawOpen draws a rule with the title, and the content below it in the whole width.
func drawOpen(t theme.Theme, f Frame, s resource.State, now time.Time) []string {
	border := t.Border
	if f.Focused {
		border = t.Accent
	}
	return append([]string{titleLine(t, f, s, now, border.Render)}, content(t, f, s, now, f.Width, f.Height-1)...)
}

// framedHeight is the height of a page, in lines, from which on its panels have frames.
const framedHeight = 27

// IsOpen reports whether the panels of a page of the given height have no frames.
func IsOpen(height int) bool { return height < framedHeight }

// InnerOf returns the width and height that remain for the body of a panel of the given size. An
// open one has no frame.
func InnerOf(open bool, width, height int) (int, int) {
	if open {
		return width, max(min(height, 1), height-1)
	}
	return Inner(width, height)
}

// Minimum size, in cells, of a panel with a frame.
const (
	leastWidth  = 24
	leastHeight = 4
)

// Inner returns the width and height that remain for the body of a panel of the given size.
func Inner(width, height int) (int, int) {
	switch {
	case width >= leastWidth && height >= leastHeight:
		return width - 4, height - 2
	case height > 1:
		return width, height - 1
	}
	return width, height
}

func drawPlain(t theme.Theme, f Frame, s resource.State, now time.Time) []string {
	if f.Height == 1 {
		return content(t, f, s, now, f.Width, 1)
	}
	lines := []string{fit(t.Title.Render(f.Title), f.Width)}
	return append(lines, content(t, f, s, now, f.Width, f.Height-1)...)
}

// titleLine draws "╭─ Title ─── note ─╮", or a rule without corners. For stale or incomplete
// figures, a warning replaces the note, so that the body keeps all its lines.
func titleLine(t theme.Theme, f Frame, s resource.State, now time.Time, border func(...string) string) string {
	left, right := "╭─", "─╮"
	if f.Open {
		left, right = "─", "─"
	}
	ends := ansi.StringWidth(left + right)
	room := f.Width - ends - 2 // less a space at each side of the title
	marked := ""
	if f.Marked && room > 8 {
		marked = mark.Behind(t, true)
		room -= 2
	}
	title := f.Title
	for i := 0; i < len(f.Briefs) && ansi.StringWidth(title) > room; i++ {
		title = f.Briefs[i]
	}
	title = beforeFigure(title, room)
	styled := t.Title.Render(title)
	if width := ansi.StringWidth(f.Legend); width > 0 && ansi.StringWidth(title)+1+width <= room && s.HasFigures() {
		title, styled = title+" "+ansi.Strip(f.Legend), styled+" "+f.Legend
	}
	room -= ansi.StringWidth(title) + 3
	note, style := f.Note, t.Faint
	if lacks := Unreadable(s); lacks != "" {
		note, style = lacks, t.Caution
	}
	if s.Status == resource.Stale {
		note, style = "◌ "+NoticeWithin(s, now, room-2), t.Caution
	}
	if !s.HasFigures() {
		note = ""
	}
	note = leadingWords(leadingParts(note, room), room)
	start := border(left) + " " + styled + marked + " "
	fill := f.Width - ends - 1 - ansi.StringWidth(title+marked)
	if note == "" {
		return start + border(strings.Repeat("─", max(0, fill-1))+right)
	}
	dashes := strings.Repeat("─", max(0, fill-ansi.StringWidth(note)-3))
	return start + border(dashes) + " " + style.Render(note) + " " + border(right)
}

// beforeFigure cuts a title to a width. It ends the title before a word with digits that does not
// fit, because a part of a figure looks like another figure.
func beforeFigure(title string, width int) string {
	cut := ansi.Truncate(title, width, "…")
	kept, isCut := strings.CutSuffix(cut, "…")
	at := strings.LastIndexByte(kept, ' ')
	if !isCut || at < 0 || !strings.HasPrefix(title, kept) {
		return cut
	}
	if word, _, _ := strings.Cut(title[at+1:], " "); strings.ContainsAny(word, "0123456789") {
		return title[:at] + "…"
	}
	return cut
}

// leadingParts returns the parts at the start of a note that fit into width cells, at least one.
func leadingParts(note string, width int) string {
	for ansi.StringWidth(note) > width {
		at := strings.LastIndex(note, " · ")
		if at < 0 {
			break
		}
		note = note[:at]
	}
	return note
}

// leadingWords returns the words at the start of a note that fit into width cells. If words are
// left out, an ellipsis follows. It returns "" if only one word would be left.
func leadingWords(note string, width int) string {
	if width < 8 {
		return ""
	}
	for cut := note; ; {
		if ansi.StringWidth(cut) <= width {
			return cut
		}
		at := strings.LastIndexByte(strings.TrimSuffix(cut, "…"), ' ')
		if at < 0 || !strings.Contains(note[:at], " ") {
			return ""
		}
		cut = note[:at] + "…"
	}
}

func content(t theme.Theme, f Frame, s resource.State, now time.Time, width, height int) []string {
	var lines []string
	if s.HasFigures() {
		lines = f.Body(width, height)
	} else {
		style := t.Faint
		if s.Status == resource.Failed || s.Status == resource.NotAllowed {
			style = t.Caution
		}
		for _, sentence := range Lines(s, f.EmptyText, now) {
			for _, line := range strings.Split(ansi.Wrap(sentence, width, ""), "\n") {
				lines = append(lines, style.Render(line))
			}
		}
	}
	return Box(lines, width, height)
}

// Box returns lines in exactly the given size. It truncates long lines with an ellipsis, pads short
// ones, and drops or adds lines at the end.
func Box(lines []string, width, height int) []string {
	out := make([]string, height)
	for i := range out {
		if i < len(lines) {
			out[i] = fit(lines[i], width)
		} else {
			out[i] = strings.Repeat(" ", max(0, width))
		}
	}
	return out
}

func fit(line string, width int) string {
	if width <= 0 {
		return ""
	}
	w := ansi.StringWidth(line)
	if w > width {
		line = ansi.Truncate(line, width, "…")
		w = ansi.StringWidth(line)
	}
	return line + strings.Repeat(" ", width-w)
}

// Beside joins columns of the same height line by line, from left to right.
func Beside(columns ...[]string) []string {
	if len(columns) == 0 {
		return nil
	}
	out := make([]string, len(columns[0]))
	for i := range out {
		for _, column := range columns {
			out[i] += column[i]
		}
	}
	return out
}
