package cli

import (
	"io"
	"strings"

	"tarmac/client/record"
	"tarmac/internal/termtext"
)

// gap separates two columns. batch is the number of rows that are measured together before they are
// written.
const (
	gap   = "  "
	batch = 200
)

// Widths in cells: minText is the minimum width of a text that is cut, and maxFirstWord is the
// maximum width of the first word that cutting preserves.
const (
	minText      = 12
	maxFirstWord = 24
)

// column is one column of a grid.
type column struct {
	heading   string
	right     bool // text is aligned to the right
	shrinks   bool // text is cut if the table is too wide
	wholeWord bool // cutting preserves the first word, such as a number
	hideOrder int  // columns with low numbers are hidden first; 0 is never hidden
	hidden    bool
	width     int // width in cells of the widest text so far
	firstWord int // width in cells of the widest first word so far, if wholeWord is set
	shown     int // width in cells in the output; less than width if text is cut
}

// minWidth returns the minimum width of the column, in cells.
func (c *column) minWidth() int {
	if !c.shrinks {
		return c.width
	}
	return min(c.width, max(minText, termtext.Width(c.heading), min(c.firstWord, maxFirstWord)))
}

// grid writes rows in columns, one batch of rows at a time. A column never becomes narrower, so
// that the columns of a long list stay nearly aligned although only one batch is in memory.
//
// On a terminal, grid cuts text and hides columns until a row fits. It shows IDs, dates and amounts
// whole or hides them. The terminal wraps lines that still do not fit.
type grid struct {
	w       io.Writer
	room    int // width of the terminal in cells; 0 means no limit
	columns []column
	rows    [][]string
	hidden  []string // headings of the hidden columns; fixed after the first write
	started bool     // rows have been written
}

// newGrid returns a grid whose headings come from the sample record. width is the width of the
// terminal in cells; 0 means no limit.
func newGrid(w io.Writer, width int, sample record.Object) *grid {
	g := &grid{w: w, room: width}
	var headings []string
	for _, f := range sample {
		if c := f.Column; c.InTable {
			heading := strings.ToUpper(f.Label)
			headings = append(headings, heading)
			g.columns = append(g.columns, column{heading: heading, right: f.AlignsRight(), shrinks: c.Truncated,
				wholeWord: c.WholeWord, hideOrder: int(c.DropOrder)})
		}
	}
	g.rows = append(g.rows, headings)
	return g
}

func (g *grid) add(o record.Object) error {
	cells := make([]string, 0, len(g.columns))
	for i := range o {
		if o[i].Column.InTable {
			cells = append(cells, o[i].TextOrDash())
		}
	}
	g.rows = append(g.rows, cells)
	if len(g.rows) < batch {
		return nil
	}
	return g.flush()
}

func (g *grid) flush() error {
	for _, row := range g.rows {
		for i, cell := range row {
			c := &g.columns[i]
			c.width = max(c.width, termtext.Width(cell))
			if c.wholeWord {
				word, _, _ := strings.Cut(cell, " ")
				c.firstWord = max(c.firstWord, termtext.Width(word)+1)
			}
		}
	}
	g.fit()
	var lines strings.Builder
	for _, row := range g.rows {
		var line strings.Builder
		for i, c := range g.columns {
			if c.hidden {
				continue
			}
			if line.Len() > 0 {
				line.WriteString(gap)
			}
			cell := row[i]
			if termtext.Width(cell) > c.shown {
				cell = cutAt(cell, c.shown)
			}
			blank := strings.Repeat(" ", c.shown-termtext.Width(cell))
			if c.right {
				line.WriteString(blank + cell)
			} else {
				line.WriteString(cell + blank)
			}
		}
		last := g.columns[len(g.columns)-1]
		if text := line.String(); last.right {
			lines.WriteString(text)
		} else {
			lines.WriteString(strings.TrimRight(text, " "))
		}
		lines.WriteByte('\n')
	}
	g.rows = g.rows[:0]
	_, err := io.WriteString(g.w, lines.String())
	return err
}

// cutAt cuts text to a width in cells. It does not cut inside a number, because part of an amount
// reads as another amount.
func cutAt(text string, cells int) string {
	if cut := termtext.Fit(text, cells); !strings.ContainsAny(cut[strings.LastIndexByte(cut, ' ')+1:], "0123456789") {
		return strings.Replace(cut, " …", "…", 1)
	}
	for end := strings.LastIndexByte(text, ' '); end > 0; end = strings.LastIndexByte(text[:end], ' ') {
		if termtext.Width(text[:end]) < cells {
			return strings.TrimRight(text[:end], " ,") + "…"
		}
	}
	return termtext.Fit(text, cells)
}

// fit computes the width of each column. Before the first write, it also decides which columns to
// hide.
func (g *grid) fit() {
	for i := range g.columns {
		g.columns[i].shown = g.columns[i].width
	}
	if g.room == 0 {
		return
	}
	for !g.started && g.total((*column).minWidth) > g.room {
		if !g.hideColumn() {
			break
		}
	}
	g.started = true
	for over := g.total(func(c *column) int { return c.shown }) - g.room; over > 0; over-- {
		if !g.narrow() {
			return
		}
	}
}

// total returns the width of a row in which each column has the given width.
func (g *grid) total(width func(*column) int) int {
	sum := -len(gap)
	for i := range g.columns {
		if c := &g.columns[i]; !c.hidden {
			sum += width(c) + len(gap)
		}
	}
	return sum
}

// hideColumn hides the visible column with the lowest hideOrder. It returns false if no column can
// be hidden.
func (g *grid) hideColumn() bool {
	first := -1
	for i, c := range g.columns {
		if c.hideOrder > 0 && !c.hidden && (first < 0 || c.hideOrder < g.columns[first].hideOrder) {
			first = i
		}
	}
	if first < 0 {
		return false
	}
	g.columns[first].hidden = true
	g.hidden = append(g.hidden, g.columns[first].heading)
	return true
}

// narrow takes one cell from the widest column that can become narrower. It returns false if there
// is none.
func (g *grid) narrow() bool {
	widest := -1
	for i := range g.columns {
		c := &g.columns[i]
		if c.shrinks && !c.hidden && c.shown > c.minWidth() && (widest < 0 || c.shown > g.columns[widest].shown) {
			widest = i
		}
	}
	if widest < 0 {
		return false
	}
	g.columns[widest].shown--
	return true
}

// writeTable writes a complete list. width is the width of the terminal in cells; 0 means no limit.
func writeTable(w io.Writer, width int, all []record.Object) error {
	g := newGrid(w, width, all[0])
	for _, o := range all {
		if err := g.add(o); err != nil {
			return err
		}
	}
	return g.flush()
}
