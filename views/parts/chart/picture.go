package chart

import (
	"charm.land/lipgloss/v2"
	"github.com/NimbleMarkets/ntcharts/v2/canvas"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/graph"
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
	area // of Cash.Past; the styles of its rows follow
)

// pattern says which dots of a line are drawn: the first on of every period dots, so many rows
// thick.
type pattern struct{ on, period, thick int }

var (
	bold   = pattern{1, 1, 2}
	thin   = pattern{1, 1, 1}
	dashed = pattern{5, 8, 1}
	sparse = pattern{1, 4, 1}
)

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
	pic.line(ahead, sparse, p.dots(c.Course))
	for _, edge := range [...]func(Range) int64{
		func(r Range) int64 { return r.Low }, func(r Range) int64 { return r.High },
	} {
		points := make([]Point, len(c.Band))
		for i, r := range c.Band {
			points[i] = Point{Day: r.Day, Cents: edge(r)}
		}
		pic.line(band, thin, p.dots(points))
	}
	for _, b := range c.Branches {
		pic.line(branch, dashed, p.dots(b.Ahead))
	}
	pic.line(ahead, thin, p.dots(c.Ahead))
	if p.low < 0 {
		pic.line(past, bold, p.dots(c.Past))
	} else {
		pic.fill(c.Past)
	}
	for _, b := range c.Branches {
		pic.letter(b)
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
	if was := pic.kinds[at.Y][at.X]; was >= band && pic.cells.Cell(at).Rune > 0x2800 {
		r = runes.CombineBraillePatterns(pic.cells.Cell(at).Rune, r)
	}
	pic.cells.SetRune(at, r)
	pic.kinds[at.Y][at.X] = k
}

// fill fills the area below the line through points, in eighths of a cell. Amounts between two
// points are interpolated.
func (pic *picture) fill(points []Point) {
	for i := range points {
		from, to := points[max(0, i-1)], points[i]
		if from.Unknown || to.Unknown {
			continue
		}
		first, last := pic.column(from.Day), pic.column(to.Day)
		for x := first; x <= last; x++ {
			share := 0.5
			if last > first {
				share = float64(x-first) / float64(last-first)
			}
			cents := float64(from.Cents) + share*(float64(to.Cents)-float64(from.Cents))
			pic.column8(x, cents)
		}
	}
}

// column8 draws a column of the area from zero up.
func (pic *picture) column8(x int, cents float64) {
	height := cents / float64(pic.high) * float64(pic.height)
	for y := range pic.height {
		pic.cells.SetRune(canvas.Point{X: x, Y: y}, 0)
		pic.kinds[y][x] = area
	}
	graph.DrawColumnBottomToTop(&pic.cells, canvas.Point{X: x, Y: pic.height - 1}, min(height, float64(pic.height)),
		lipgloss.NewStyle())
}

func (pic *picture) lines(t theme.Theme) []string {
	looks := append(styles(t.Faint, t.Faint, t.Chip, t.Caution, t.Accent), t.Area...)
	return rows(&pic.cells, looks, func(x, y int) int {
		k := int(pic.kinds[y][x])
		if pic.kinds[y][x] == area {
			k += y * len(t.Area) / pic.height
		}
		return k
	})
}
