// Package listdetail is the shared layout of list screens: the list across the whole width, with
// the detail of a row beside it or, on a narrow screen, in its place.
package listdetail

import (
	"github.com/charmbracelet/x/ansi"

	"tarmac/views/parts/panel"
)

// besideWidth is the minimum width to show the detail beside the list; widest is the maximum width
// of the detail.
const (
	besideWidth = 100
	widest      = 64
)

// Pane is a list or a detail. Lines returns exactly the pane's height of lines, each exactly its
// width.
type Pane interface {
	SetSize(width, height int)
	Lines() []string
}

// Frame divides its size between a list and a detail.
type Frame struct {
	List, Detail Pane
	seen         seen
}

type seen int

const (
	list seen = iota
	detail
	both
)

// Arrange sets the sizes of both panes. The detail shows while open; behind says whether the list
// may stay beside it.
func (f *Frame) Arrange(width, height int, open, behind bool) {
	left, right := width, width
	switch {
	case !open:
		f.seen = list
	case !behind || width < besideWidth:
		f.seen = detail
	default:
		f.seen = both
		right = min(widest, width*2/5)
		left = width - right - 1
	}
	f.List.SetSize(left, height)
	f.Detail.SetSize(right, height)
}

// Lines draws the visible panes.
func (f *Frame) Lines() []string {
	switch f.seen {
	case list:
		return f.List.Lines()
	case detail:
		return f.Detail.Lines()
	}
	left, right := f.List.Lines(), f.Detail.Lines()
	out := make([]string, len(left))
	for i := range left {
		out[i] = left[i] + " " + right[i]
	}
	return out
}

// Ends returns a line with left and right at its ends. If both do not fit, it drops right. Both may
// contain styles.
func Ends(left, right string, width int) string {
	room := width - ansi.StringWidth(right) - 2
	if right == "" || room < 4 {
		return Fit(left, width)
	}
	return Fit(left, room) + "  " + right
}

// Fit is termtext.Fit for a line that contains styles.
func Fit(line string, width int) string { return panel.Box([]string{line}, width, 1)[0] }
