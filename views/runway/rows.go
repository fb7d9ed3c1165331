package runway

import (
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/table"
)

// list is a table of the page.
type list struct {
	*table.Table
	count  int
	cursor int // row under the cursor, also while the cursor is hidden
	cells  func(row int) []table.Cell
}

// Row appends the cells of a row to dst.
func (l *list) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	if i >= l.count {
		return dst, false
	}
	return append(dst, l.cells(i)...), true
}

// fill replaces the rows and columns and sets the size. The cursor stays on its row.
func (l *list) fill(
	t theme.Theme, columns []table.Column, count int, cells func(row int) []table.Cell, width, height int,
) {
	top := 0
	if l.Table != nil {
		top, _ = l.Visible()
	}
	l.count, l.cells = count, cells
	l.cursor = max(0, min(l.cursor, count-1))
	l.Table = table.New(columns, l)
	l.SetTheme(t)
	l.SetSize(width, height)
	l.SetRows(count, count)
	l.Scroll(top)
	l.SetCursor(l.cursor)
}

// setActive shows or hides the cursor. While it is hidden, the list does not scroll.
func (l *list) setActive(active bool) {
	if !active {
		l.SetRows(0, l.count)
	}
}

// moveTo moves the cursor to a row.
func (l *list) moveTo(row int) {
	l.cursor = row
	l.SetCursor(row)
}

// fitted returns columns as wide as their widest text among the titles and the first rows. Columns
// with a minimum width keep it.
func fitted(columns []table.Column, count int, cells func(row int) []table.Cell) []table.Column {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = termtext.Width(c.Title)
	}
	for row := range count {
		for i, cell := range cells(row) {
			widths[i] = max(widths[i], termtext.Width(cell.Text))
		}
	}
	for i := range columns {
		if columns[i].Marks {
			widths[i] += mark.Width
		}
		if columns[i].Min == 0 {
			columns[i].Min = widths[i]
		}
		columns[i].Ideal = max(columns[i].Ideal, columns[i].Min)
	}
	return columns
}

// placeMarks sets the marks of the columns after the first one, and of their cells.
func placeMarks(places mark.Places, columns []table.Column, rows [][]table.Cell) {
	for at, marked := range places.Columns {
		columns[at+1].Marked, columns[at+1].Marks = marked, marked
	}
	for i, cells := range rows {
		cells[0].Marked = places.Rows[i]
		columns[0].Marks = columns[0].Marks || cells[0].Marked
		for at := range places.Columns {
			cells[at+1].Marked = places.Cell(i, at)
			columns[at+1].Marks = columns[at+1].Marks || cells[at+1].Marked
		}
	}
}

// columnsWidth returns the minimum width of a table.
func columnsWidth(columns []table.Column) int {
	width := -2
	for _, c := range columns {
		width += c.Min + 2
	}
	return width
}
