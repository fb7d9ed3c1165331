// Package chart draws the dashboard's charts: money in and out by month, past and expected cash,
// and shares as bars. It is the only package that uses ntcharts.
//
// Every function is pure and fills its size exactly, in lines and in cells. Without room for a
// chart it draws a table, and without room for that it draws blanks. Amounts are USD cents; they
// become floating point only to select a cell, never to be printed.
//
// The package uses the canvas, columns and joined lines of ntcharts. It draws axes, labels and
// horizontal bars itself: those of ntcharts measure text in bytes, write dates in the American
// order, and draw gaps in a series as zero.
package chart

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/NimbleMarkets/ntcharts/v2/canvas"

	"tarmac/internal/money"
	"tarmac/views/parts/panel"
)

// drawn returns the output of draw, boxed to its size. ntcharts panics on some sizes and values;
// drawn recovers and returns the table instead.
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

// rows renders a canvas line by line. style returns the index of a cell's style. Adjacent cells of
// one style are rendered together, which is faster than the canvas's own View.
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
				r, s = ' ', current // a blank looks the same in every style
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

// scaleTop returns the smallest round number that is at least cents and has a round half, so that
// the labels of the scale are easy to read. Beyond the largest such number it returns cents.
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

// scale returns the labels left of a plot: the top, the middle if it fits, and zero, right-aligned
// to a common width and followed by a blank.
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
