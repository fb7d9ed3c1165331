package table

// window is the visible part of a list of n rows: height rows, beginning with row top. cursor is
// the row under the cursor, always a visible one. The methods return a changed copy.
type window struct{ cursor, top, height, n int }

// clamped returns the nearest window in which the cursor is visible and no line stays empty while
// there are rows for it.
func (w window) clamped() window {
	w.height = max(1, w.height)
	w.n = max(0, w.n)
	w.cursor = max(0, min(w.cursor, w.n-1))
	// Scroll only as far as needed to show the cursor. Terminals scroll by one line without
	// redrawing.
	w.top = min(w.top, w.cursor)
	w.top = max(w.top, w.cursor-w.height+1)
	w.top = max(0, min(w.top, w.n-w.height))
	return w
}

// step moves the cursor down by a number of rows, or up if it is negative.
func (w window) step(rows int) window {
	w.cursor += rows
	return w.clamped()
}

// page moves the cursor and scrolls by the same number of rows, so that the cursor stays on the
// same line of the screen.
func (w window) page(rows int) window {
	w.cursor += rows
	w.top += rows
	return w.clamped()
}

// resized sets the height. The cursor stays visible.
func (w window) resized(height int) window {
	w.height = height
	return w.clamped()
}

// shifted returns the window that shows the same records after a number of rows were inserted above
// them, or removed if it is negative.
func (w window) shifted(rows int) window {
	w.cursor += rows
	w.top += rows
	w.n += max(rows, -w.n)
	return w.clamped()
}
