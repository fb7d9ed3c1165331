package chart

import (
	"strings"

	"charm.land/lipgloss/v2"

	"tarmac/client/figures"
)

// heights tell the parts of a stacked bar apart where there is no colour: later
// parts stand higher.
var heights = [...]string{"▂", "▃", "▅", "▆", "█"}

// Mark returns the glyph of a part in a stacked bar, for the legend beside it.
func Mark(part int) string { return heights[part%len(heights)] }

// Stack draws parts of a whole as one bar, width cells wide, in order. Whatever is
// not nothing gets at least one cell. It returns blanks where there is nothing to
// divide. There are as many styles as parts.
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

// seen moves a cell from the widest part to each one that came away with none.
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

// eighths are the left parts of a cell. ntcharts has them too, but its horizontal
// bars measure labels in bytes.
var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// Bar draws a horizontal bar of part out of whole, width cells wide at the whole,
// padded with blanks. A part that is not nothing is seen; nothing and less are
// blank.
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
