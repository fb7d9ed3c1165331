package table

// window is which rows are seen: n rows there are, the cursor is on one of them,
// the first line shows row top. Its functions are pure.
type window struct{ cursor, top, height, n int }

// settled returns the nearest window that holds its promises: the cursor is on a
// row, the row is seen, and no line is left empty while there are rows for it.
func (w window) settled() window {
	w.height = max(1, w.height)
	w.n = max(0, w.n)
	w.cursor = max(0, min(w.cursor, w.n-1))
	// The view moves only as far as the cursor forces it to: a step at the edge
	// scrolls one line, which a terminal does by itself.
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

// resized keeps the cursor on the screen, on its line where that is possible.
func (w window) resized(height int) window {
	w.height = height
	return w.settled()
}

// shifted is the window after rows came in above: the same rows stay where they
// are seen.
func (w window) shifted(rows int) window {
	w.cursor += rows
	w.top += rows
	w.n += max(rows, -w.n)
	return w.settled()
}
