package chart

import (
	"image/color"
	"math"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/NimbleMarkets/ntcharts/v2/barchart"
	"github.com/NimbleMarkets/ntcharts/v2/canvas"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/runes"

	"tarmac/theme"
)

// stack is a row of stacked columns. Each column lists its parts from the bottom up, in minor
// units. A column is bar cells wide, and the next one begins slot cells after it.
type stack struct {
	columns   [][]int64
	styles    []lipgloss.Style // one per part
	top       int64            // the amount at the upper edge
	bar, slot int
}

// perCell is the number of heights that a column can have in one cell.
const perCell = 8

// lines draws the columns in the given height. Heights are rounded to an eighth of a cell.
func (s stack) lines(t theme.Theme, height int) []string {
	ends, data := make([][]int, len(s.columns)), make([]barchart.BarData, len(s.columns))
	for i, parts := range s.columns {
		ends[i] = s.ends(parts, height)
		before := 0
		for part, end := range ends[i] {
			value := barchart.BarValue{Value: float64(end-before) / perCell, Style: s.styles[part]}
			data[i].Values, before = append(data[i].Values, value), end
		}
	}
	bars := barchart.New(len(s.columns)*s.slot, height, barchart.WithNoAutoMaxValue(),
		barchart.WithMaxValue(float64(height)), barchart.WithNoAutoBarWidth(), barchart.WithBarWidth(s.bar),
		barchart.WithBarGap(s.slot-s.bar), barchart.WithNoAxis(), barchart.WithDataSet(data))
	bars.Draw()
	for i := range ends {
		s.join(&bars.Canvas, i, ends[i], height)
	}
	if t.Colourless || t.ASCII {
		s.shade(&bars.Canvas)
	}
	return styledRows(&bars.Canvas)
}

// ends returns the height at which each part of a column ends, in eighths of a cell. A small part
// takes its eighth from the part below it, so that the column is as high as its sum.
func (s stack) ends(parts []int64, height int) []int {
	ends, sum := make([]int, len(parts)), 0.0
	for i, part := range parts {
		sum += float64(max(0, part))
		ends[i] = min(int(math.Round(sum/float64(s.top)*float64(height*perCell))), height*perCell)
	}
	last := len(parts) - 1
	if sum > 0 {
		ends[last] = max(1, ends[last])
	}
	for i := last; i > 0; i-- {
		if parts[i] > 0 {
			ends[i-1] = max(0, min(ends[i-1], ends[i]-1))
		} else {
			ends[i-1] = ends[i]
		}
	}
	return ends
}

// join draws the cells of a column in which one part ends and the next one begins. ntcharts 2.2.0
// leaves a hole there, or omits the upper part if it ends in the same cell. That cell gets the
// style of the larger part.
func (s stack) join(c *canvas.Model, column int, ends []int, height int) {
	for part := range len(ends) - 1 {
		filled, floor := ends[part]%perCell, ends[part]-ends[part]%perCell
		next := min(ends[part+1]-floor, perCell)
		if filled == 0 || next == filled {
			continue
		}
		style := s.styles[part].Background(s.styles[part+1].GetForeground())
		if next < perCell {
			style = s.styles[part]
			if next-filled > filled {
				style = s.styles[part+1]
			}
			filled = next
		}
		cell := canvas.NewCellWithStyle(runes.LowerBlockElementFromFloat64(float64(filled)/perCell), style)
		for x := range s.bar {
			c.SetCell(canvas.Point{X: column*s.slot + x, Y: height - 1 - floor/perCell}, cell)
		}
	}
}

// shade draws full cells of the upper parts as shades, so that parts differ without colours, and in
// ASCII, which has one character for all blocks.
func (s stack) shade(c *canvas.Model) {
	for y := range c.Height() {
		for x := range c.Width() {
			at := canvas.Point{X: x, Y: y}
			if cell := c.Cell(at); cell.Rune == runes.FullBlock {
				for part := range s.styles {
					if lookOf(cell.Style) == lookOf(s.styles[part]) {
						c.SetRune(at, stackShades[part%len(stackShades)])
					}
				}
			}
		}
	}
}

// stackShades are the characters of the parts of a stacked column without colours, from the bottom
// up.
var stackShades = [...]rune{'█', '░', '▒', '▓'}

// PartSign returns the character that stands for a part of a stacked column in a legend.
func PartSign(t theme.Theme, part int) string {
	if t.Colourless || t.ASCII {
		return string(stackShades[part%len(stackShades)])
	}
	return "■"
}

// look is what a style makes of a block character.
type look struct {
	foreground, background color.Color
	bold, faint            bool
}

func lookOf(s lipgloss.Style) look {
	return look{s.GetForeground(), s.GetBackground(), s.GetBold(), s.GetFaint()}
}

// styledRows renders a canvas whose cells have styles, one string per line. Adjacent cells of the
// same look are rendered together.
func styledRows(c *canvas.Model) []string {
	lines := make([]string, c.Height())
	for y := range lines {
		var line, run strings.Builder
		var style lipgloss.Style
		flush := func() {
			if run.Len() > 0 {
				line.WriteString(style.Render(run.String()))
				run.Reset()
			}
		}
		for x := range c.Width() {
			cell := c.Cell(canvas.Point{X: x, Y: y})
			if cell.Rune == 0 {
				cell = canvas.NewCell(' ')
			}
			if lookOf(cell.Style) != lookOf(style) {
				flush()
				style = cell.Style
			}
			run.WriteRune(cell.Rune)
		}
		flush()
		lines[y] = line.String()
	}
	return lines
}
