// Package table draws long lists: a Table, whose rows need not all be in memory, and a Detail,
// which shows one row in full.
//
// A table caches its drawn rows, so that moving the cursor redraws only two of them. When the
// cursor leaves the visible rows, the table scrolls by one line, which terminals do without a
// redraw.
package table

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/mark"
)

// Cell is one cell of a row: a line of printable text and its style. KeepEnd truncates a long text
// at its beginning instead of its end. Invoice numbers need this, because they differ at the end.
// Marked draws the mark of an incomplete figure, in a column with Marks. Drawn is a
// text with several styles, such as a bar of parts, no wider than the column; Text is "" then.
type Cell struct {
	Text    string
	Drawn   string
	Ink     Ink
	KeepEnd bool
	Marked  bool
}

// Rows provides the rows of a table. Row appends the cells of row i to dst, in the order of the
// columns. It returns false if the row is not in memory.
type Rows interface {
	Row(i int, dst []Cell) ([]Cell, bool)
}

// Table is a list with a header and a cursor. It is not safe for concurrent use.
type Table struct {
	columns []Column
	widen   []int  // width of each column's widest text, set by Widen
	hidden  []bool // columns that Hide has hidden
	rows    Rows
	window  window
	total   int
	width   int
	tall    int // height including the header line
	needle  string

	header    string
	widths    []int
	looks     theme.Theme
	selected  Ink
	faint     Ink
	highlight Ink

	cells []Cell
	ready []drawn
	lines []string
}

// drawn is an entry of the row cache: a row number and the line drawn for it. In an empty entry,
// row is -1.
type drawn struct {
	row  int
	line string
}

// cacheEntry returns the entry of the row cache for row i. The cache has room for twice the visible
// rows. It is made when the first row is drawn, because most tables of a session are never shown.
func (t *Table) cacheEntry(i int) *drawn {
	if size := max(64, 2*t.tall); len(t.ready) < size {
		t.ready = make([]drawn, size)
		t.Invalidate()
	}
	return &t.ready[i%len(t.ready)]
}

// New returns a table that gets its cells from rows. It shows no rows until SetRows is called. Call
// SetTheme and SetSize before drawing.
func New(columns []Column, rows Rows) *Table {
	t := &Table{
		columns: columns, widen: make([]int, len(columns)), hidden: make([]bool, len(columns)), rows: rows,
	}
	t.window = t.window.clamped()
	return t
}

// SetSize sets the size in cells, including the header line.
func (t *Table) SetSize(width, height int) {
	if width != t.width {
		t.width = max(0, width)
		t.layout()
	}
	t.tall = max(0, height)
	t.window = t.window.resized(t.tall - t.headerLines())
}

// headerLines returns the height of the header: 1, or 0 if the table is lower than three lines.
func (t *Table) headerLines() int {
	if t.tall < 3 {
		return 0
	}
	return 1
}

// SetTheme sets the colours and styles.
func (t *Table) SetTheme(looks theme.Theme) {
	t.looks = looks
	t.selected, t.faint, t.highlight = NewInk(looks.Selected), NewInk(looks.Faint), NewInk(looks.Highlight)
	t.layout()
}

// Widen sets the width of the widest text of a column. The column may grow to that width
// (see Column.Whole and Column.Name). The width should cover all rows, not just visible ones, so
// that columns do not move while the list scrolls.
func (t *Table) Widen(column, cells int) {
	if t.widen[column] != cells {
		t.widen[column] = cells
		t.layout()
	}
}

// WidenNames widens the column of names for n names, which should be the names of all rows (see
// Widen).
func (t *Table) WidenNames(n int, name func(i int) string) {
	column := slices.IndexFunc(t.columns, func(c Column) bool { return c.Name })
	widest := 0
	for i := 0; i < n && widest < WidestName; i++ {
		widest = max(widest, termtext.Width(name(i)))
	}
	if column >= 0 {
		t.Widen(column, widest)
	}
}

// Mark reserves room for marks in a column, and sets whether its title has the mark (see
// Column.Marks).
func (t *Table) Mark(column int, cells, title bool) {
	if c := &t.columns[column]; c.Marks != cells || c.Marked != title {
		c.Marks, c.Marked = cells, title
		t.layout()
	}
}

// Hide hides a column or shows it again. The other columns share the width of a hidden one.
func (t *Table) Hide(column int, hidden bool) {
	if t.hidden[column] != hidden {
		t.hidden[column] = hidden
		t.layout()
	}
}

// Hidden reports whether Hide has hidden a column.
func (t *Table) Hidden(column int) bool { return t.hidden[column] }

// Rename changes the field that a column shows, and its title.
func (t *Table) Rename(column int, field, title string) {
	if c := &t.columns[column]; c.Field != field || c.Title != title {
		c.Field, c.Title = field, title
		t.layout()
		t.Invalidate()
	}
}

// Draws reports whether a column is neither hidden nor dropped for lack of width.
func (t *Table) Draws(column int) bool { return t.widths[column] > 0 }

// Room returns the width of the texts of a column in cells, or 0 if the column is not drawn.
func (t *Table) Room(column int) int { return t.columns[column].room(t.widths[column]) }

// layout computes the width of each column and draws the header.
func (t *Table) layout() {
	var columns []Column
	for i, c := range t.columns {
		c.Min = max(c.Min, min(t.widen[i], c.Whole))
		if c.Name && t.widen[i] > 0 {
			c.Ideal = min(t.widen[i], WidestName)
			if c.Marks {
				c.Ideal += mark.Width
			}
		}
		c.Ideal = max(c.Ideal, c.Min)
		if !t.hidden[i] {
			columns = append(columns, c)
		}
	}
	shown := Layout(columns, t.width)
	t.widths = make([]int, len(t.columns))
	for i := range t.columns {
		if !t.hidden[i] {
			t.widths[i], shown = shown[0], shown[1:]
		}
	}
	t.Invalidate()
	var b strings.Builder
	used := 0
	for i, c := range t.columns {
		if t.widths[i] == 0 {
			continue
		}
		if used > 0 {
			b.WriteString(strings.Repeat(" ", gap))
			used += gap
		}
		title, room := c.Title, c.room(t.widths[i])
		if c.Brief != "" && termtext.Width(title) > room {
			title = c.Brief
		}
		b.WriteString(place(title, room, c.Align))
		switch {
		case room == t.widths[i]:
		case c.Marked:
			b.WriteString(" " + mark.Sign)
		default:
			b.WriteString("  ")
		}
		used += t.widths[i]
	}
	b.WriteString(strings.Repeat(" ", max(0, t.width-used)))
	t.header = t.faint.Render(b.String())
}

// Invalidate clears the cache of drawn rows. Call it after rows have changed.
func (t *Table) Invalidate() {
	for i := range t.ready {
		t.ready[i] = drawn{row: -1}
	}
}

// SetRows sets how many rows the cursor can reach, and how many there are in total. A row that it
// cannot reach is drawn as a dot.
func (t *Table) SetRows(reach, total int) {
	t.window.n = max(0, reach)
	t.total = max(total, reach)
	t.window = t.window.clamped()
}

// Shift keeps the same records visible after a number of rows were inserted above them, or removed
// if it is negative.
func (t *Table) Shift(rows int) {
	t.window = t.window.shifted(rows)
	t.total = max(t.total+rows, t.window.n)
	t.Invalidate()
}

// Highlight sets the search text that is highlighted in all cells, ignoring case; "" means none.
func (t *Table) Highlight(text string) {
	if t.needle != text {
		t.needle = text
		t.Invalidate()
	}
}

// Cursor returns the index of the row under the cursor, or 0 without rows.
func (t *Table) Cursor() int { return t.window.cursor }

// SetCursor moves the cursor to a row and scrolls only as far as needed to show it.
func (t *Table) SetCursor(row int) { t.window = t.window.step(row - t.window.cursor) }

// Scroll scrolls down by a number of lines, or up if it is negative. The cursor moves only if it
// would leave the visible rows.
func (t *Table) Scroll(lines int) {
	w := t.window
	w.top = max(0, min(w.top+lines, w.n-w.height))
	w.cursor = max(w.top, min(w.cursor, w.top+w.height-1))
	t.window = w.clamped()
}

// Reach returns the number of rows that the cursor can reach, as set by SetRows.
func (t *Table) Reach() int { return t.window.n }

// Height returns how many rows are visible, at least 1.
func (t *Table) Height() int { return t.window.height }

// Visible returns the range of visible rows, from first up to but not including end.
func (t *Table) Visible() (first, end int) {
	return t.window.top, min(t.window.top+t.window.height, max(t.total, t.window.n))
}

// More says how many rows are not visible, such as " (3 more)", or is "" if all are.
func (t *Table) More() string {
	first, end := t.Visible()
	if left := max(t.total, t.window.n) - (end - first); left > 0 {
		return " (" + money.Count(int64(left)) + " more)"
	}
	return ""
}

// Update moves the cursor if press is one of the movement keys in nav, and reports whether it was.
func (t *Table) Update(press tea.KeyPressMsg, nav views.Navigation) bool {
	w, screen := t.window, max(1, t.window.height-1)
	switch {
	case key.Matches(press, nav.Up):
		w = w.step(-1)
	case key.Matches(press, nav.Down):
		w = w.step(1)
	case key.Matches(press, nav.PageUp):
		w = w.page(-screen)
	case key.Matches(press, nav.PageDown):
		w = w.page(screen)
	case key.Matches(press, nav.HalfUp):
		w = w.page(-max(1, w.height/2))
	case key.Matches(press, nav.HalfDown):
		w = w.page(max(1, w.height/2))
	case key.Matches(press, nav.Top):
		w = w.step(-w.n)
	case key.Matches(press, nav.Bottom):
		w = w.step(w.n)
	default:
		return false
	}
	t.window = w
	return true
}

// Position describes where the cursor is, such as "row 12 of 1,000,000". It returns "" if there are
// no rows.
func (t *Table) Position() string {
	if t.window.n == 0 {
		return ""
	}
	return "row " + money.Count(int64(t.window.cursor)+1) + " of " + money.Count(int64(t.total))
}
