// Package chart draws the charts of the dashboard: money in and out by month, past and expected
// cash, and bars of shares. It is the only package that uses ntcharts.
//
// All charts fill their size exactly. If there is no room for a chart, a table takes its place, and
// if there is no room for that either, blanks. Amounts are USD cents. They become floating point
// only to choose a cell, never to be printed.
//
// Of ntcharts, the package uses the canvas, the bars, the braille dots and the lines between them.
// It draws axes, labels and horizontal bars itself, because ntcharts measures text in bytes, writes
// dates in the American order, and draws gaps in a series as zero.
package chart

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/NimbleMarkets/ntcharts/v2/canvas"

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

func styles(s ...lipgloss.Style) []lipgloss.Style { return s }
