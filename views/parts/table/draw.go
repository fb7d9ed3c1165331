package table

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/fold"
	"tarmac/internal/termtext"
	"tarmac/views/parts/mark"
)

// Lines returns the table drawn in exactly the size given to SetSize. The slice is valid until the
// next call.
func (t *Table) Lines() []string {
	t.lines = t.lines[:0]
	if t.tall <= 0 {
		return t.lines
	}
	if t.headerLines() == 1 {
		t.lines = append(t.lines, t.header)
	}
	blank := ""
	for i := t.window.top; len(t.lines) < t.tall; i++ {
		if i < t.total {
			t.lines = append(t.lines, t.line(i))
			continue
		}
		if blank == "" {
			blank = strings.Repeat(" ", t.width)
		}
		t.lines = append(t.lines, blank)
	}
	return t.lines
}

func (t *Table) line(i int) string {
	on := i == t.window.cursor && t.window.n > 0
	slot := t.cacheEntry(i)
	if !on && slot.row == i {
		return slot.line
	}
	var known bool
	t.cells, known = t.rows.Row(i, t.cells[:0])
	if !known {
		line := termtext.Fit("·", t.width)
		if on {
			return t.selected.Render(line)
		}
		return t.faint.Render(line)
	}
	line := t.draw(on)
	if !on {
		*slot = drawn{row: i, line: line}
	}
	return line
}

// draw returns the line for the cells in t.cells. hasCursor says that the cursor is on that row.
// The row under the cursor has one style throughout, because a cell's own style would end the
// reverse video. In other rows, a style continues over gaps and empty cells to the next cell with
// the same style, which saves escape sequences.
func (t *Table) draw(hasCursor bool) string {
	var b strings.Builder
	b.Grow(t.width + 128)
	var open Ink
	if hasCursor {
		open = t.selected
		b.WriteString(open.before)
	}
	used := 0
	for i := range t.columns {
		width := t.widths[i]
		if width == 0 {
			continue
		}
		var cell Cell
		if i < len(t.cells) {
			cell = t.cells[i]
		}
		room := t.columns[i].room(width)
		text := place(cell.Text, room, t.columns[i].Align)
		if cell.KeepEnd && termtext.Width(cell.Text) > room {
			text = termtext.FitEnd(cell.Text, room)
		}
		if cell.Drawn != "" {
			text = drawnCell(cell.Drawn, room, hasCursor)
		}
		turns := !hasCursor && (cell.Text != "" || cell.Drawn != "") && cell.Ink != open
		if turns {
			b.WriteString(open.after)
		}
		if used > 0 {
			b.WriteString("  ")
			used += gap
		}
		if turns {
			open = cell.Ink
			b.WriteString(open.before)
		}
		if hasCursor || t.needle == "" || cell.Text == "" {
			b.WriteString(text)
		} else {
			t.mark(&b, open, text)
		}
		switch {
		case room == width:
		case cell.Marked && hasCursor:
			b.WriteString(" " + mark.Sign)
		case cell.Marked:
			b.WriteString(" " + open.after)
			t.faint.write(&b, mark.Sign)
			b.WriteString(open.before)
		default:
			b.WriteString("  ")
		}
		used += width
	}
	if !hasCursor {
		b.WriteString(open.after)
	}
	for ; used < t.width; used++ {
		b.WriteByte(' ')
	}
	if hasCursor {
		b.WriteString(open.after)
	}
	return b.String()
}

// drawnCell returns a text with styles in exactly width cells. The row under the cursor has its own
// style.
func drawnCell(text string, width int, hasCursor bool) string {
	cells := ansi.StringWidth(text)
	if hasCursor {
		text = ansi.Strip(text)
	}
	return text + strings.Repeat(" ", max(0, width-cells))
}

// mark writes a text to b in the given ink (a style), and highlights the first match of the search
// text.
func (t *Table) mark(b *strings.Builder, ink Ink, text string) {
	from, to := fold.Find(text, t.needle)
	if from < 0 {
		b.WriteString(text)
		return
	}
	b.WriteString(text[:from])
	b.WriteString(ink.after)
	t.highlight.write(b, text[from:to])
	b.WriteString(ink.before)
	b.WriteString(text[to:])
}

// room returns the cells that a column of the given width has for its texts.
func (c *Column) room(width int) int {
	if c.Marks && width > mark.Width {
		return width - mark.Width
	}
	return width
}

// place returns text in exactly width cells. A text that is too long is cut at its end and marked
// with "…", even if it is right-aligned: a number cut at its start would look complete.
func place(text string, width int, align Align) string {
	if align == Left {
		return termtext.Fit(text, width)
	}
	cells := termtext.Width(text)
	if cells >= width {
		return termtext.Fit(text, width)
	}
	return strings.Repeat(" ", width-cells) + text
}
