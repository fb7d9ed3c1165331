package termtext

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns how many cells s takes on a terminal.
func Width(s string) int { return ansi.StringWidth(s) }

// Fit returns s in exactly width cells: cut, with "…" as its end, where it is
// longer, and filled with spaces where it is shorter. It is "" when width is not
// positive. s is one line of clean text.
func Fit(s string, width int) string {
	if width <= 0 {
		return ""
	}
	cells := Width(s)
	if cells > width {
		s = ansi.Truncate(s, width, ellipsis)
		cells = Width(s)
	}
	if cells >= width {
		return s
	}
	return s + strings.Repeat(" ", width-cells)
}
