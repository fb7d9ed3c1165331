// Package chart draws the charts of the dashboard: money in and out by month, past and expected
// cash, and bars of shares. It is the only package that uses ntcharts.
//
// All charts fill their size exactly. If there is no room for a chart, a table takes its place, and
// if there is no room for that either, blanks. Amounts are USD cents. They become floating point
// only to choose a cell, never to be printed.
//
// Of ntcharts, the package uses the canvas, the bars and the lines. It draws axes, labels and
// horizontal bars itself, because ntcharts measures text in bytes, writes dates in the American
// order, and draws gaps in a series as zero.
package chart

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/NimbleMarkets/ntcharts/v2/canvas"

	"tarmac/internal/money"
	"tarmac/views/parts/panel"
)

// drawSafely returns the lines that draw returns, in exactly the given size. If draw panics, as
// ntcharts does on some sizes and values, drawSafely returns the lines of table instead.
func drawSafely(width, height int, draw, table func() []string) (lines []string) {
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

// rows renders a canvas, one string per line. The parameter style returns the index in styles for
// the cell at x and y. Adjacent cells of the same style are rendered together, which is faster than
// the canvas's View.
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
				r, s = ' ', current // a space looks the same in every style
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

// scaleTop returns the amount at the top of a scale for amounts of up to cents: the next round
// number that can be halved into another round number. If there is none, it returns cents.
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

// scale returns the labels at the left of a plot, one per line: the amount at the top, half of it
// if a line lies in the middle, and zero. All labels have the returned width, which includes a
// space at the end.
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
