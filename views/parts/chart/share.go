package chart

import (
	"strings"

	"charm.land/lipgloss/v2"

	"tarmac/client/figures"
	"tarmac/theme"
)

// LeastBar and MostBar are the least and the greatest width, in cells, of a bar beside text.
const LeastBar, MostBar = 6, 40

// shades are the characters that draw the parts of a stacked bar, one per part. They differ in
// density, so that parts can be told apart without colours; all bars have the same height.
var shades = [...]string{"·", "░", "▒", "▓", "█"}

// PartMark returns the character that draws the part with the given index in Stack, for use in a
// legend.
func PartMark(part int) string { return shades[part%len(shades)] }

// Stack draws parts as segments of one bar of width cells, with one style per part. Each nonzero
// part gets at least one cell if there is room. If all parts are zero, Stack returns spaces.
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
			b.WriteString(styles[i].Render(strings.Repeat(PartMark(i), int(n))))
		}
	}
	return b.String()
}

// seen makes small parts of a stacked bar visible: each nonzero part without a cell takes one from
// the widest part.
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

// eighths holds the block characters that fill 0 to 7 eighths of a cell from the left.
var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// Bar draws a horizontal bar that fills part/whole of width cells; spaces fill the rest. A positive
// part is always visible. A part that is not positive gets no bar.
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

// Strip draws amounts by age, from not yet due to over 90 days past due, as one bar of width cells.
// Only late money has colour. Without colours, the ages differ by their density.
func Strip(t theme.Theme, parts []int64, width int) string {
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
		style, sign := t.Aging[i], "█"
		if i == 0 {
			style = t.Muted
		}
		if t.Colourless || t.ASCII {
			sign = PartMark(i)
		}
		b.WriteString(style.Render(strings.Repeat(sign, int(n))))
	}
	return b.String()
}
