package chart

import (
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/NimbleMarkets/ntcharts/v2/canvas"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/graph"
	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// A cell of a terminal has two columns and four rows of braille dots.
const (
	dotColumns = 2
	dotRows    = 4
)

// plane maps days and amounts to the dots of a plot. width and height are in cells; low and high
// are the amounts in minor units at the lower and upper edge.
type plane struct {
	currency      string
	scale         money.Scale
	first         civil.Date
	days          int
	low, high     int64
	width, height int
}

// plane returns the plane that contains everything in the picture and zero. Its size is not set. It
// returns false if no past amount is known.
func (c Cash) plane() (p plane, ok bool) {
	lines := [][]Point{c.Past, c.Ahead, c.Course}
	for _, b := range c.Branches {
		lines = append(lines, b.Ahead)
	}
	p.currency = c.Currency
	var last civil.Date
	include := func(day civil.Date, low, high int64, known bool) {
		if p.first.IsZero() || day.Before(p.first) {
			p.first = day
		}
		if last.IsZero() || day.After(last) {
			last = day
		}
		if known {
			p.low, p.high = min(p.low, low), max(p.high, high)
		}
	}
	for i, points := range lines {
		for _, point := range points {
			include(point.Day, point.Cents, point.Cents, !point.Unknown)
			ok = ok || i == 0 && !point.Unknown
		}
	}
	for _, r := range c.Band {
		include(r.Day, min(r.Low, r.High), max(r.Low, r.High), true)
	}
	if p.low == p.high {
		p.low, p.high = min(p.low, math.MaxInt64-1), min(p.low, math.MaxInt64-1)+1
	}
	p.days = max(1, last.DaysSince(p.first))
	p.scale = money.ScaleOf(max(p.high, -max(p.low, -math.MaxInt64)), p.currency, 3, 3)
	return p, ok
}

// column returns the column of cells for a day.
func (p plane) column(d civil.Date) int { return p.dotColumn(d) / dotColumns }

func (p plane) dotColumn(d civil.Date) int {
	last := dotColumns*p.width - 1
	return min(last, max(0, d.DaysSince(p.first)*last/p.days))
}

// dotRow returns the row of dots for an amount in minor units; row 0 is at the top. The
// floating-point numbers only select a dot.
func (p plane) dotRow(cents float64) int {
	last := float64(dotRows*p.height - 1)
	share := (cents - float64(p.low)) / (float64(p.high) - float64(p.low))
	return int(last) - int(math.Round(min(1, max(0, share))*last))
}

func (p plane) dot(point Point) canvas.Point {
	return canvas.Point{X: p.dotColumn(point.Day), Y: p.dotRow(float64(point.Cents))}
}

// dots returns the dots of the line through points, from left to right.
func (p plane) dots(points []Point) (dots []canvas.Point) {
	for i, point := range points {
		to := p.dot(point)
		if point.Unknown {
			continue
		}
		if i == 0 || points[i-1].Unknown {
			dots = append(dots, to)
			continue
		}
		from := p.dot(points[i-1])
		between := graph.GetLinePoints(from, to)
		if len(between) > 0 && between[0] != from {
			slices.Reverse(between) // ntcharts orders the dots of steep lines by their rows
		}
		dots = append(dots, between[min(1, len(between)):]...)
	}
	return dots
}

// tickSteps are the distances between ticks within a power of ten.
var tickSteps = [...]int64{1, 2, 5}

// ticks returns at most most round amounts from low to high, in ascending order. If zero is
// in that range, it is one of them. One is the number of minor units of one unit of the
// currency.
func ticks(low, high, one int64, most int) (all []int64) {
	const largestUnit = 1_000_000_000_000_000_000
	for unit := one; ; unit *= 10 {
		for _, times := range tickSteps {
			step := unit * times
			from, to := low/step, high/step
			if from*step < low {
				from++
			}
			if to*step > high {
				to--
			}
			if to-from >= int64(max(1, most)) && (unit < largestUnit || times < tickSteps[len(tickSteps)-1]) {
				continue
			}
			for i := from; i <= to; i++ {
				all = append(all, i*step)
			}
			return all
		}
	}
}

// rowsPerTick is the least distance, in rows of cells, between two labels of a scale.
const rowsPerTick = 3

// labels returns the scale at the left of a plot, one text for each row of cells, and the rows that
// have a tick. All texts have the returned width.
func (p plane) labels(style lipgloss.Style) (labels []string, width int, rows map[int]int64) {
	at, rows := map[int]string{}, map[int]int64{}
	before := ""
	for _, cents := range ticks(p.low, p.high, money.One(p.currency), 1+(p.height-1)/rowsPerTick) {
		y := p.dotRow(float64(cents)) / dotRows
		label := p.scale.Round(cents)
		if _, taken := at[y]; taken && cents != 0 || label == before {
			continue
		}
		at[y], rows[y], before = label, cents, label
		width = max(width, ansi.StringWidth(label))
	}
	labels = make([]string, p.height)
	for y := range labels {
		labels[y] = style.Render(strings.Repeat(" ", width-ansi.StringWidth(at[y]))+at[y]) + " "
	}
	return labels, width + 1, rows
}
