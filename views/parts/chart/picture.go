package chart

import (
	"github.com/NimbleMarkets/ntcharts/v2/canvas"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/runes"

	"tarmac/theme"
)

// kind says what is drawn in a cell of a picture. It selects the style of the cell.
type kind int

const (
	grid kind = iota
	band
	branch
	ahead
	past
)

// pattern says which dots of a line are drawn: the first on of every period dots, so many rows
// thick.
type pattern struct{ on, period, thick int }

var (
	solid   = pattern{1, 1, 2}
	striped = pattern{14, 16, 2}
	dashed  = pattern{4, 8, 2}
	dotted  = pattern{1, 2, 1}
	sparse  = pattern{1, 4, 1}
)

// shade is the braille character of a cell within a band.
const shade = "⢕"

// picture is a plot that is drawn layer by layer. Later layers are drawn on top of earlier ones.
type picture struct {
	plane
	cells canvas.Model
	kinds [][]kind
}

// picture draws everything inside the axes. ticks are the rows of cells with a label of the scale.
func (c Cash) picture(p plane, ticks map[int]int64) *picture {
	pic := &picture{plane: p, cells: canvas.New(p.width, p.height), kinds: make([][]kind, p.height)}
	for y := range pic.kinds {
		pic.kinds[y] = make([]kind, p.width)
	}
	pic.grid(ticks, p.column(c.Today))
	pic.shade(c.Band)
	pic.line(ahead, sparse, p.dots(c.Course))
	for _, b := range c.Branches {
		pic.line(branch, dotted, p.dots(b.Ahead))
	}
	expected := p.dots(c.Ahead)
	pic.unshade(expected)
	pic.line(ahead, dashed, expected)
	behind := p.dots(c.Past)
	partial := 0
	if !c.PartialBefore.IsZero() {
		for partial < len(behind) && behind[partial].X < p.dotColumn(c.PartialBefore) {
			partial++
		}
	}
	pic.line(past, striped, behind[:partial])
	pic.line(past, solid, behind[partial:])
	for i, b := range c.Branches {
		pic.letters(b, i*letterEvery/(len(c.Branches)+1))
	}
	return pic
}

// grid draws a line across the plot at zero, if there is negative cash, dots at the other ticks,
// and a vertical line at the current day.
func (pic *picture) grid(ticks map[int]int64, today int) {
	for y := range pic.height {
		cents, ticked := ticks[y]
		for x := range pic.width {
			switch {
			case x == today:
				pic.cells.SetRune(canvas.Point{X: x, Y: y}, '┊')
			case ticked && cents == 0 && pic.low < 0 && pic.high > 0:
				pic.cells.SetRune(canvas.Point{X: x, Y: y}, '─')
			case ticked && cents != 0 && x%gridEvery == 0:
				pic.cells.SetRune(canvas.Point{X: x, Y: y}, '·')
			}
		}
	}
}

// gridEvery is the distance, in cells, between two dots of a line of the grid.
const gridEvery = 4

// shade draws every second dot between the ranges.
func (pic *picture) shade(ranges []Range) {
	for i := 1; i < len(ranges); i++ {
		a, b := ranges[i-1], ranges[i]
		from, to := pic.dotColumn(a.Day), pic.dotColumn(b.Day)
		for x := from; x <= to; x++ {
			share := float64(x-from) / float64(max(1, to-from))
			low, high := between(a.Low, b.Low, share), between(a.High, b.High, share)
			for y := pic.dotRow(max(low, high)); y <= pic.dotRow(min(low, high)); y++ {
				if (x+y)%2 == 0 {
					pic.set(band, x, y)
				}
			}
		}
	}
}

// between returns the amount that is the given share of the way from a to b.
func between(a, b int64, share float64) float64 {
	return float64(a)*(1-share) + float64(b)*share
}

// unshade removes the shading from the cells of a line, so that gaps of the line are visible
// without colours.
func (pic *picture) unshade(line []canvas.Point) {
	for _, dot := range line {
		x, y := dot.X/dotColumns, dot.Y/dotRows
		if pic.kinds[y][x] == band {
			pic.cells.SetRune(canvas.Point{X: x, Y: y}, ' ')
			pic.kinds[y][x] = grid
		}
	}
}

func (pic *picture) line(k kind, pattern pattern, line []canvas.Point) {
	for i, dot := range line {
		if i%pattern.period >= pattern.on {
			continue
		}
		for row := range min(pattern.thick, dot.Y+1) {
			pic.set(k, dot.X, dot.Y-row)
		}
	}
}

// brailleDots holds the number of each dot in a braille character, by row and column.
var brailleDots = [dotRows][dotColumns]int{{0, 3}, {1, 4}, {2, 5}, {6, 7}}

// set draws a dot in the style of a kind. Dots of other lines in the same cell stay, but get that
// style too.
func (pic *picture) set(k kind, x, y int) {
	var dots runes.PatternDots
	dots[brailleDots[y%dotRows][x%dotColumns]] = true
	r, at := runes.BraillePatternFromPatternDots(dots), canvas.Point{X: x / dotColumns, Y: y / dotRows}
	if was := pic.kinds[at.Y][at.X]; was == k || was > band {
		r = runes.CombineBraillePatterns(pic.cells.Cell(at).Rune, r)
	}
	pic.cells.SetRune(at, r)
	pic.kinds[at.Y][at.X] = k
}

func (pic *picture) lines(t theme.Theme) []string {
	looks := styles(t.Faint, t.Faint, t.Chip, t.Caution, t.Accent)
	return rows(&pic.cells, looks, func(x, y int) int { return int(pic.kinds[y][x]) })
}
