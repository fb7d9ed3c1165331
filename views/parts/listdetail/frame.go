// Package listdetail lays out screens that show a list. The detail of a row appears beside the
// list, or replaces it on a narrow screen. A prompt or the active filters appear above it.
package listdetail

import (
	"github.com/charmbracelet/x/ansi"

	"tarmac/views/parts/panel"
)

// besideWidth is the minimum width, in cells, at which the detail appears beside the list. widest
// is the maximum width of the detail.
const (
	besideWidth = 100
	widest      = 64
)

// Pane is a list or a detail. Lines returns it in exactly the size last given to SetSize.
type Pane interface {
	SetSize(width, height int)
	Lines() []string
}

// Frame shows a list, a detail, or both side by side.
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

// Arrange chooses the visible panes and sets the sizes of both. The parameter open says that the
// detail is shown. The parameter behind says that the list may stay visible beside it if there is
// room.
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

// Ends returns a line of width cells with the text left at its left end and the text right at its
// right end. It truncates left if both do not fit, and drops right if that would leave less than
// four cells for left. Both may contain styles.
func Ends(left, right string, width int) string {
	room := width - ansi.StringWidth(right) - 2
	if right == "" || room < 4 {
		return Fit(left, width)
	}
	return Fit(left, room) + "  " + right
}

// Fit truncates or pads a line, which may contain styles, to exactly width cells.
func Fit(line string, width int) string { return panel.Box([]string{line}, width, 1)[0] }
