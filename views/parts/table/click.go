package table

// At returns the row that the cursor can go to at a place in the table, from 0, 0 at
// its top left.
func (t *Table) At(x, y int) (row int, ok bool) {
	row = t.window.top + y - t.headerLines()
	if x < 0 || x >= t.width || y < t.headerLines() || y >= t.tall || row >= t.window.n {
		return 0, false
	}
	return row, true
}
