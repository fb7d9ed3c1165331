package chart

import (
	"math"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/NimbleMarkets/ntcharts/v2/canvas"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/runes"

	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/theme"
)

// Point is the actual or expected cash on a day.
type Point struct {
	Day   civil.Date
	Cents int64
}

// Cash is a chart of cash over time. Past and Ahead hold points in the order of their days, which
// the chart joins with straight lines; Ahead may be empty. Points before the day PartialBefore are
// incomplete; a zero date means that all are complete. Zero is the day on which cash runs out. It
// is the zero date if that day is unknown or beyond the chart. Branches are hypothetical
// alternatives to Ahead.
type Cash struct {
	Past, Ahead           []Point
	PartialBefore         civil.Date
	PastLabel, AheadLabel string
	Today, Zero           civil.Date
	Branches              []Branch
}

// Branch is the expected cash in one hypothetical scenario, which Letter identifies. Ahead and Zero
// have the same meaning as in Cash.
type Branch struct {
	Letter rune
	Ahead  []Point
	Zero   civil.Date
}

const (
	cashMinWidth  = 34
	cashMinHeight = 6
)

// Line draws past cash as a line and expected cash as dots. The axis below shows the months, today,
// and when cash runs out. Negative cash is drawn at zero, and the legend says so.
func (c Cash) Line(t theme.Theme, width, height int) []string {
	table := func() []string { return c.table(t, width, height) }
	return drawSafely(width, height, func() []string {
		if width < cashMinWidth || height < cashMinHeight || len(c.Past) == 0 {
			return table()
		}
		return c.plot(t, width, height)
	}, table)
}

// plane maps days and amounts in cents to the cells of a plot.
type plane struct {
	first         civil.Date
	days          int
	width, height int
	top           int64
}

func (p plane) column(d civil.Date) int {
	return min(p.width-1, max(0, d.DaysSince(p.first)*(p.width-1)/p.days))
}

// row returns the row for an amount in cents; row 0 is at the top. The floating-point number only
// selects a cell.
func (p plane) row(cents float64) int {
	share := max(0, cents) / float64(p.top)
	return p.height - 1 - min(p.height-1, int(math.Round(share*float64(p.height-1))))
}

func (c Cash) plane(width, height int) plane {
	first, last := c.Past[0].Day, c.Past[len(c.Past)-1].Day
	lines := [][]Point{c.Past, c.Ahead}
	for _, b := range c.Branches {
		lines = append(lines, b.Ahead)
	}
	top := int64(0)
	for _, points := range lines {
		if n := len(points); n > 0 && points[n-1].Day.After(last) {
			last = points[n-1].Day
		}
		for _, p := range points {
			top = max(top, p.Cents)
		}
	}
	return plane{first: first, days: max(1, last.DaysSince(first)), width: width, height: height, top: scaleTop(top)}
}

func (c Cash) plot(t theme.Theme, width, height int) []string {
	plotHeight := height - 3
	labels, labelWidth := scale(c.plane(1, 1).top, plotHeight, t.Faint)
	p := c.plane(width-labelWidth, plotHeight)

	cells := canvas.New(p.width, p.height)
	today := p.column(c.Today)
	for y := range p.height {
		cells.SetRune(canvas.Point{X: today, Y: y}, '┊')
	}
	from, past := p.sequence(c.Past)
	graph.DrawLineSequence(&cells, false, from, past, runes.ArcLineStyle, t.Text)
	c.interrupt(&cells, p, from)
	dots := p.dots(&cells, c.Ahead)
	branches := c.branches(&cells, p)
	// Where the line of past cash crosses the vertical line of today, past cash is drawn on top.
	drawnPast := func(x, y int) bool {
		r := cells.Cell(canvas.Point{X: x, Y: y}).Rune
		return x >= from && x < from+len(past) && r != '┊'
	}
	lines := make([]string, 0, height)
	lines = append(lines, c.legend(t, width))
	plot := rows(&cells, styles(t.Faint, t.Accent, t.Caution, t.Chip), func(x, y int) int {
		switch {
		case branches[canvas.Point{X: x, Y: y}]:
			return 3
		case dots[canvas.Point{X: x, Y: y}]:
			return 2
		case drawnPast(x, y):
			return 1
		}
		return 0
	})
	for y, line := range plot {
		lines = append(lines, labels[y]+line)
	}
	axis, names := c.axis(p)
	margin := strings.Repeat(" ", labelWidth)
	return append(lines, margin+t.Faint.Render(axis), margin+t.Faint.Render(names))
}

// interrupt draws the line of past cash as dashes where it is incomplete.
func (c Cash) interrupt(cells *canvas.Model, p plane, from int) {
	if c.PartialBefore.IsZero() {
		return
	}
	for x := from; x < p.column(c.PartialBefore); x++ {
		for y := range p.height {
			cell := canvas.Point{X: x, Y: y}
			switch cells.Cell(cell).Rune {
			case '─':
				cells.SetRune(cell, '╌')
			case '│':
				cells.SetRune(cell, '╎')
			}
		}
	}
}

// sequence returns where the line through points is: its first column, and its row in that and each
// following column.
func (p plane) sequence(points []Point) (firstColumn int, rows []int) {
	firstColumn = p.column(points[0].Day)
	to := p.column(points[len(points)-1].Day)
	at := 0
	for x := firstColumn; x <= to; x++ {
		day := float64(x) * float64(p.days) / float64(max(1, p.width-1))
		for at+2 < len(points) && float64(points[at+1].Day.DaysSince(p.first)) <= day {
			at++
		}
		rows = append(rows, p.row(between(points, at, day, p.first)))
	}
	return firstColumn, rows
}

// between returns the cash on a day, interpolated between point i and the next one. day is the
// number of days since startDate.
func between(points []Point, i int, day float64, startDate civil.Date) float64 {
	a := points[i]
	if i+1 == len(points) {
		return float64(a.Cents)
	}
	b := points[i+1]
	from, to := float64(a.Day.DaysSince(startDate)), float64(b.Day.DaysSince(startDate))
	if to <= from {
		return float64(b.Cents)
	}
	share := min(1, max(0, (day-from)/(to-from)))
	return float64(a.Cents) + (float64(b.Cents)-float64(a.Cents))*share
}

// dots draws the line through points as dots and returns the cells that it has drawn.
func (p plane) dots(cells *canvas.Model, points []Point) map[canvas.Point]bool {
	drawn := map[canvas.Point]bool{}
	if len(points) == 0 {
		return drawn
	}
	from, rows := p.sequence(points)
	for i, y := range rows {
		before := y
		if i > 0 {
			before = rows[i-1]
		}
		// Where the line is steep, draw a dot in every row between two columns.
		for ; ; y += sign(before - y) {
			cell := canvas.Point{X: from + i, Y: y}
			if r := cells.Cell(cell).Rune; r == 0 || r == '┊' {
				cells.SetRune(cell, '·')
				drawn[cell] = true
			}
			if y == before || y+sign(before-y) == before {
				break
			}
		}
	}
	return drawn
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

func (c Cash) legend(t theme.Theme, width int) string {
	legend := t.Accent.Render("──") + " " + c.PastLabel
	if !c.PartialBefore.IsZero() {
		legend += "  " + t.Accent.Render("╌╌") + " partial"
	}
	if len(c.Ahead) > 0 {
		legend += "  " + t.Caution.Render("··") + " " + c.AheadLabel
	}
	if len(c.Branches) > 0 {
		legend += "  " + t.Chip.Render("·"+string(c.Branches[0].Letter)+"·") + " hypothetical"
	}
	for _, p := range c.Past {
		if p.Cents < 0 {
			return legend + t.Faint.Render("  below zero: drawn at zero")
		}
	}
	return legend
}

// axis returns the time axis with its ticks, and the line of labels below it. The months in which
// cash runs out and the current day are labelled first, then as many other months as fit.
func (c Cash) axis(p plane) (axis, names string) {
	line, text := []rune(strings.Repeat("─", p.width)), []rune(strings.Repeat(" ", p.width))
	taken := make([]bool, p.width+1)
	put := func(d civil.Date, label string, tick rune) {
		x := p.column(d)
		word := []rune(label)
		start := max(0, min(x-len(word)/2, p.width-len(word)))
		end := start + len(word)
		if end > p.width {
			return
		}
		for i := max(0, start-1); i < min(p.width, end+1); i++ {
			if taken[i] {
				return
			}
		}
		for i, r := range word {
			text[start+i], taken[start+i] = r, true
		}
		line[x] = tick
	}
	if !c.Zero.IsZero() {
		put(c.Zero, "zero "+c.Zero.String()[:7]+" (est.)", '▼')
	}
	for _, b := range c.Branches {
		if !b.Zero.IsZero() {
			put(b.Zero, string(b.Letter)+" "+b.Zero.String()[:7], '▼')
		}
	}
	put(c.Today, "today", '┴')
	step := monthStep(p)
	for m := p.first.FirstOfMonth(); p.days > 0; m = m.AddMonths(step) {
		if m.DaysSince(p.first) > p.days {
			break
		}
		if !m.Before(p.first) {
			put(m, m.String()[:7], '┴')
		}
	}
	c.marks(p, line)
	return string(line), string(text)
}

// monthStep returns how many months apart the labels of the time axis must be so that they do not
// touch.
func monthStep(p plane) int {
	for _, step := range [...]int{1, 2, 3, 6, 12, 24, 60, 120} {
		if step*30*p.width/p.days >= len("2026-11")+2 {
			return step
		}
	}
	return 1200
}

// table draws the date on which cash runs out and, below it, the cash at the ends of past months,
// newest first.
func (c Cash) table(t theme.Theme, width, height int) []string {
	const least = len("2026-11  $12.4k")
	if width < least {
		return nil
	}
	var lines []string
	if !c.Zero.IsZero() {
		lines = append(lines, t.Caution.Render("zero "+c.Zero.String()[:7]+" (est.)"))
	}
	for _, b := range c.Branches {
		if !b.Zero.IsZero() {
			lines = append(lines, t.Chip.Render(string(b.Letter)+" zero "+b.Zero.String()[:7]))
		}
	}
	for i := len(c.Past) - 1; i >= 0 && len(lines) < height; i-- {
		p := c.Past[i]
		mark := ""
		if p.Day.Before(c.PartialBefore) {
			mark = figures.Partial
		}
		lines = append(lines, p.Day.String()+"  "+mark+money.Short(p.Cents))
	}
	return lines
}

func styles(s ...lipgloss.Style) []lipgloss.Style { return s }
