package termtext

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the number of terminal cells that s occupies.
func Width(s string) int { return ansi.StringWidth(s) }

// Fit returns s in exactly width cells. It pads s with spaces, or cuts it and ends it with "…". If
// width is not positive, it returns "". s must be one line of clean text.
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

// FitEnd returns s in exactly width cells, as Fit does, but cuts it at the start. It is meant for
// text whose end matters most, such as a number that counts up.
func FitEnd(s string, width int) string {
	cells := Width(s)
	if width <= 0 || cells <= width {
		return Fit(s, width)
	}
	end := ""
	for cut := cells - width + 1; cut < cells; cut++ {
		// ansi.TruncateLeft keeps a wide character that begins before the cut, so the text may be
		// one cell too wide.
		if end = ansi.TruncateLeft(s, cut, ""); Width(end) < width {
			break
		}
	}
	if Width(end) >= width {
		end = ""
	}
	return Fit(ellipsis+end, width)
}
