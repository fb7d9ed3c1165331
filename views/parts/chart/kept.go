package chart

import "time"

// Kept is a chart as it was drawn last. Drawing one costs more than all else on a
// page, and its figures change more seldom than the page. The zero value keeps
// nothing.
type Kept struct {
	of    Of
	lines []string
}

// Of is what a chart was drawn of: the room, and when its figures came.
type Of struct {
	Width, Height int
	Loaded        [2]time.Time
}

// Lines returns the chart drawn of the same as before, or draws it anew.
func (k *Kept) Lines(of Of, draw func() []string) []string {
	if k.lines == nil || k.of != of {
		k.of, k.lines = of, draw()
	}
	return k.lines
}
