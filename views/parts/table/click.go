package table

// At returns the row at a position in the table; 0, 0 is its top left cell. It returns false where
// the cursor cannot go.
func (t *Table) At(x, y int) (row int, ok bool) {
	row = t.window.top + y - t.headerLines()
	if x < 0 || x >= t.width || y < t.headerLines() || y >= t.tall || row >= t.window.n {
		return 0, false
	}
	return row, true
}
