// Package listdetail is what the screens of a list have in common: the list across
// the whole width, the detail of one of its rows beside it or, where that is too
// narrow, in its place, and the lines above them.
package listdetail

import (
	"github.com/charmbracelet/x/ansi"

	"tarmac/views/parts/panel"
)

// besideWidth is from how many columns on the detail stands beside the list;
// widest is how wide it is at most, so that the list gets what is more.
const (
	besideWidth = 100
	widest      = 64
)

// Pane is a list or a detail. Lines returns as many lines as the pane is high, each
// as wide as it is.
type Pane interface {
	SetSize(width, height int)
	Lines() []string
}

// Frame shares a room between a list and a detail.
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

// Arrange gives both panes their room. The detail is seen when it is open; behind
// says whether the list is still there then.
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

// Lines draws what is seen of them.
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

// Ends is a line with something at each end. Where both have no room the right one
// is left out. Both may have styles.
func Ends(left, right string, width int) string {
	room := width - ansi.StringWidth(right) - 2
	if right == "" || room < 4 {
		return Fit(left, width)
	}
	return Fit(left, room) + "  " + right
}

// Fit is termtext.Fit for a line with styles in it.
func Fit(line string, width int) string { return panel.Box([]string{line}, width, 1)[0] }
