package table

// window is the visible part of n rows: height rows from top, with the cursor on one of them. Its
// methods are pure.
type window struct{ cursor, top, height, n int }

// settled returns the nearest valid window: the cursor is on a visible row, and no line is empty
// while there are rows for it.
func (w window) settled() window {
	w.height = max(1, w.height)
	w.n = max(0, w.n)
	w.cursor = max(0, min(w.cursor, w.n-1))
	// Scroll no further than the cursor requires: a terminal scrolls by one line without a redraw.
	w.top = min(w.top, w.cursor)
	w.top = max(w.top, w.cursor-w.height+1)
	w.top = max(0, min(w.top, w.n-w.height))
	return w
}

// step moves the cursor by rows.
func (w window) step(rows int) window {
	w.cursor += rows
	return w.settled()
}

// page moves cursor and view together, so that the cursor keeps its line.
func (w window) page(rows int) window {
	w.cursor += rows
	w.top += rows
	return w.settled()
}

// resized changes the height and keeps the cursor visible, on its line if possible.
func (w window) resized(height int) window {
	w.height = height
	return w.settled()
}

// shifted returns the window after rows were inserted above, with the same rows in view.
func (w window) shifted(rows int) window {
	w.cursor += rows
	w.top += rows
	w.n += max(rows, -w.n)
	return w.settled()
}
