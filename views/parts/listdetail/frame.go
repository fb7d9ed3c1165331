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

// Arrange chooses the visible panes and sets the sizes of both. showDetail says that the detail is
// shown. keepList says that the list may stay visible beside the detail if both fit.
func (f *Frame) Arrange(width, height int, showDetail, keepList bool) {
	left, right := width, width
	switch {
	case !showDetail:
		f.seen = list
	case !keepList || width < besideWidth:
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

// AlignEnds returns a line of width cells with leftText at its left end and rightText at its right
// end. It truncates leftText if both do not fit, and drops rightText if that would leave less than
// four cells for leftText. Both may contain styles.
func AlignEnds(leftText, rightText string, width int) string {
	room := width - ansi.StringWidth(rightText) - 2
	if rightText == "" || room < 4 {
		return Fit(leftText, width)
	}
	return Fit(leftText, room) + "  " + rightText
}

// Fit truncates or pads a line, which may contain styles, to exactly width cells.
func Fit(line string, width int) string { return panel.Box([]string{line}, width, 1)[0] }
