package table

// At returns the row shown at column x and line y of the table, counted from its top left. ok is
// false for the header and where there is no row that the cursor can reach.
func (t *Table) At(x, y int) (row int, ok bool) {
	row = t.window.top + y - t.headerLines()
	if x < 0 || x >= t.width || y < t.headerLines() || y >= t.tall || row >= t.window.n {
		return 0, false
	}
	return row, true
}
