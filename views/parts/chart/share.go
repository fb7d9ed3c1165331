package chart

import (
	"strings"

	"charm.land/lipgloss/v2"

	"tarmac/client/figures"
)

// heights distinguish the parts of a stacked bar without colour: later parts are taller.
var heights = [...]string{"▂", "▃", "▅", "▆", "█"}

// Mark returns the glyph of a part in a stacked bar, for its legend.
func Mark(part int) string { return heights[part%len(heights)] }

// Stack draws the parts of a whole as one bar, width cells wide, with one style per part. Any part
// but zero gets at least one cell. If the whole is zero it returns blanks.
func Stack(parts []int64, styles []lipgloss.Style, width int) string {
	if width <= 0 {
		return ""
	}
	cells := figures.Apportion(parts, int64(width))
	if cells == nil {
		return strings.Repeat(" ", width)
	}
	seen(parts, cells)
	var b strings.Builder
	for i, n := range cells {
		if n > 0 {
			b.WriteString(styles[i].Render(strings.Repeat(Mark(i), int(n))))
		}
	}
	return b.String()
}

// seen gives each nonzero part without a cell one cell of the widest part.
func seen(parts, cells []int64) {
	for i := range parts {
		if parts[i] == 0 || cells[i] > 0 {
			continue
		}
		widest := 0
		for j := range cells {
			if cells[j] > cells[widest] {
				widest = j
			}
		}
		if cells[widest] > 1 {
			cells[widest]--
			cells[i]++
		}
	}
}

// eighths are the left partial blocks of a cell.
var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// Bar draws a horizontal bar of part relative to whole, padded with blanks to width cells. Any
// positive part is visible; zero and negative parts are blank.
func Bar(part, whole int64, style lipgloss.Style, width int) string {
	if width <= 0 {
		return ""
	}
	if part <= 0 || whole <= 0 {
		return strings.Repeat(" ", width)
	}
	part = min(part, whole)
	n := max(1, int(figures.Apportion([]int64{part, whole - part}, int64(width)*8)[0]))
	bar := strings.Repeat("█", n/8) + eighths[n%8]
	return style.Render(bar) + strings.Repeat(" ", width-(n+7)/8)
}
