// Package chart draws the dashboard's charts: money in and out by month, cash
// behind and ahead, shares as bars. It is the one place that knows ntcharts.
//
// Every function is pure and returns exactly as many lines as it was given, each
// exactly as wide. Where there is no room for a chart the figures stand as a
// table, and where there is none for that nothing does. Amounts are USD cents;
// they become floating point only to place a cell, never to be written.
//
// From ntcharts come the canvas, the columns in eighths of a cell and the joined
// lines. Its axes, labels and horizontal bars are not used: they count bytes for
// cells, write dates in the American order, and leave a series' gaps at zero.
package chart

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/NimbleMarkets/ntcharts/v2/canvas"

	"tarmac/internal/money"
	"tarmac/views/parts/panel"
)

// drawn returns what draw makes, boxed to the size. ntcharts panics on some sizes
// and values; they are kept from it, and should one come through all the same, the
// figures stand as a table.
func drawn(width, height int, draw, table func() []string) (lines []string) {
	if width <= 0 || height <= 0 {
		return nil
	}
	defer func() {
		if recover() != nil {
			lines = panel.Box(table(), width, height)
		}
	}()
	return panel.Box(draw(), width, height)
}

// rows reads a canvas line by line. style says which of the styles a cell has;
// neighbours of one style are rendered together, since the canvas's own View
// renders every cell for itself.
func rows(c *canvas.Model, styles []lipgloss.Style, style func(x, y int) int) []string {
	lines := make([]string, c.Height())
	for y := range lines {
		var line, run strings.Builder
		current := 0
		flush := func() {
			if run.Len() > 0 {
				line.WriteString(styles[current].Render(run.String()))
				run.Reset()
			}
		}
		for x := range c.Width() {
			r := c.Cell(canvas.Point{X: x, Y: y}).Rune
			s := style(x, y)
			if r == 0 || r == ' ' {
				r, s = ' ', current // a blank looks the same in any style
			}
			if s != current {
				flush()
				current = s
			}
			run.WriteRune(r)
		}
		flush()
		lines[y] = line.String()
	}
	return lines
}

// scaleTop returns the smallest round number that is not below cents, of those
// whose half is round too, so that the scale has figures a person can read. Past
// the largest it is cents itself.
func scaleTop(cents int64) int64 {
	const roundest = 1_000_000_000_000_000_000
	for unit := int64(10_000); unit <= roundest/10; unit *= 10 {
		for _, times := range [...]int64{10, 12, 16, 20, 30, 40, 50, 60, 80, 100} {
			if top := unit / 10 * times; top >= cents {
				return top
			}
		}
	}
	return cents
}

// scale returns the labels left of a plot: the top, the middle where there is
// room, and zero, right-aligned to a common width with a blank after.
func scale(top int64, height int, style lipgloss.Style) (labels []string, width int) {
	at := map[int]string{0: money.Short(top), height - 1: "$0"}
	if height >= 7 && height%2 == 1 {
		at[height/2] = money.Short(top / 2)
	}
	for _, label := range at {
		width = max(width, len(label))
	}
	labels = make([]string, height)
	for y := range labels {
		labels[y] = style.Render(strings.Repeat(" ", width-len(at[y]))+at[y]) + " "
	}
	return labels, width + 1
}
