package termtext

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the number of terminal cells that s takes.
func Width(s string) int { return ansi.StringWidth(s) }

// Fit returns s in exactly width cells: padded with spaces, or cut and ended with "…". It
// returns "" if width is not positive. s must be one clean line.
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

// FitEnd is like Fit but cuts at the start, for text whose end matters most, such as a
// counter.
func FitEnd(s string, width int) string {
	cells := Width(s)
	if width <= 0 || cells <= width {
		return Fit(s, width)
	}
	end := ""
	for cut := cells - width + 1; cut < cells; cut++ {
		// TruncateLeft keeps a wide character that begins before the cut, one cell too
		// many.
		if end = ansi.TruncateLeft(s, cut, ""); Width(end) < width {
			break
		}
	}
	if Width(end) >= width {
		end = ""
	}
	return Fit(ellipsis+end, width)
}
