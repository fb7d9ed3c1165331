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

// FitEnd is Fit for text whose end tells most, such as a number that counts up: what
// is longer is cut at its beginning, with "…" in its place.
func FitEnd(s string, width int) string {
	cells := Width(s)
	if width <= 0 || cells <= width {
		return Fit(s, width)
	}
	end := ""
	for cut := cells - width + 1; cut < cells; cut++ {
		// A wide character that begins before the cut is kept, and takes a cell more.
		if end = ansi.TruncateLeft(s, cut, ""); Width(end) < width {
			break
		}
	}
	if Width(end) >= width {
		end = ""
	}
	return Fit(ellipsis+end, width)
}
