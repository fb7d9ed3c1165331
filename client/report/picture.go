package report

import (
	"fmt"
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/money"
)

// picture is a chart. Its shapes have coordinates from 0 to 1000, from the top left.
type picture struct {
	Title  string
	Shapes []shape
	Axis   []mark // amounts on the left; each has a line across the chart
	Ticks  []mark // days or months below
	Legend []legend
}

// shape is a rectangle, a line through points or the area within points.
type shape struct {
	Kind       shapeKind
	Class      string // class of the style sheet, which has the colour
	X, Y, W, H int    // of a rectangle
	Points     string // of a line or area: pairs of coordinates, such as "0,5 10,7"
}

type shapeKind string

// Values of shapeKind, which are the names of the elements in SVG.
const (
	rectangle shapeKind = "rect"
	line      shapeKind = "polyline"
	area      shapeKind = "polygon"
)

// mark is a label of an axis. At is its place in thousandths of the axis.
type mark struct {
	At   int
	Text string
}

// Percent returns the place in the form of SVG, such as "12.5%".
func (m mark) Percent() string { return figures.Percent(int64(m.At)) }

type legend struct{ Class, Text string }

// extent is the number of units of a picture in each direction.
const extent = 1000

// scale maps amounts in minor units to heights. It always contains zero.
type scale struct{ low, high int64 }

func newScale(cents ...int64) scale {
	var s scale
	for _, c := range cents {
		s.low, s.high = min(s.low, c), max(s.high, c)
	}
	if s.low == s.high {
		s.high = 1
	}
	return s
}

// at returns the distance of an amount from the lower end of the scale, from 0 to extent.
func (s scale) at(cents int64) int {
	low, high := s.low, s.high
	const safe = 1 << 50 // differences of smaller numbers, times extent, fit into an int64
	if high > safe || low < -safe {
		cents, low, high = cents>>14, low>>14, high>>14
	}
	return int((cents - low) * extent / (high - low))
}

// fromTop returns the distance of an amount from the upper end of the scale, from 0 to extent.
func (s scale) fromTop(cents int64) int { return extent - s.at(cents) }

// bar returns a vertical bar from zero to an amount.
func (s scale) bar(class string, x, width int, cents int64) shape {
	top, bottom := s.fromTop(max(cents, 0)), s.fromTop(min(cents, 0))
	return shape{Kind: rectangle, Class: class, X: x, Y: top, W: width, H: bottom - top}
}

// horizontal returns a horizontal bar between two amounts, as high as the picture.
func (s scale) horizontal(class string, from, to int64) shape {
	left, right := s.at(min(from, to)), s.at(max(from, to))
	return shape{Kind: rectangle, Class: class, X: left, W: max(2, right-left), H: extent}
}

// axis returns about four round amounts on the scale, as marks from the top.
func (s scale) axis(currency string) (marks []mark) {
	step := roundStep((uint64(s.high)-uint64(s.low))/4, money.One(currency))
	for cents, ok := s.low/step*step, true; ok && cents <= s.high; cents, ok = money.Add(cents, step) {
		marks = append(marks, mark{s.fromTop(cents), axisText(cents, currency)})
	}
	return marks
}

// axisText returns an amount without decimal places that are zero, such as "$2M".
func axisText(minor int64, currency string) string {
	if minor == 0 {
		return "0"
	}
	return money.ShortRound(minor, currency)
}

// roundStep returns the smallest of 1, 2, 5, 10, 20, 50 units of a currency and so on that is not
// below an amount. One unit is the given number of minor units.
func roundStep(minor uint64, one int64) int64 {
	for step := one; ; step *= 10 {
		for _, factor := range [...]int64{1, 2, 5} {
			if step > 1e18 || uint64(step*factor) >= minor {
				return step * factor
			}
		}
	}
}

// points returns coordinates in the form of SVG.
func points(xy [][2]int) string {
	var b strings.Builder
	for i, p := range xy {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d,%d", p[0], p[1])
	}
	return b.String()
}

// cashPicture shows the cash at the ends of months, with gaps where it is unknown. It returns false
// if all of it is.
func cashPicture(months []Month, currency string) (p picture, ok bool) {
	cents := make([]int64, len(months))
	for i, m := range months {
		if !m.End.Unknown {
			cents[i], ok = m.End.Minor, true
		}
	}
	s := newScale(cents...)
	p = picture{
		Title: "Cash on hand at the end of each month (estimate)", Axis: s.axis(currency), Ticks: monthTicks(months),
	}
	for i, c := range cents {
		left, width := columnOf(i, len(months))
		class := "cash"
		if i == len(months)-1 {
			class = "cash now"
		}
		if !months[i].End.Unknown {
			p.Shapes = append(p.Shapes, s.bar(class, left+width/6, width-width/3, c))
		}
	}
	return p, ok
}

// flowPicture shows the money in and out of months, with gaps where it is unknown. It returns false
// if all of it is.
func flowPicture(months []Month, currency string) (p picture, ok bool) {
	var cents []int64
	for _, m := range months {
		if m.In.Unknown || m.Out.Unknown {
			cents = append(cents, 0, 0)
			continue
		}
		cents, ok = append(cents, m.In.Minor, m.Out.Minor), true
	}
	s := newScale(cents...)
	p = picture{
		Title: "Money in and out by month", Axis: s.axis(currency), Ticks: monthTicks(months),
		Legend: []legend{{"in", "in"}, {"out", "out"}},
	}
	for i := range months {
		left, width := columnOf(i, len(months))
		half := width * 2 / 5
		if months[i].In.Unknown || months[i].Out.Unknown {
			continue
		}
		p.Shapes = append(p.Shapes, s.bar("in", left+width/10, half, cents[2*i]),
			s.bar("out", left+width/10+half, half, cents[2*i+1]))
	}
	return p, ok
}

// columnOf returns the left end and the width of a month's column in a picture.
func columnOf(i, n int) (left, width int) {
	left = i * extent / n
	return left, (i+1)*extent/n - left
}

// monthTicks returns the names of months below their columns.
func monthTicks(months []Month) (ticks []mark) {
	for i, m := range months {
		left, width := columnOf(i, len(months))
		ticks = append(ticks, mark{left + width/2, shortMonth(m.First)})
	}
	return ticks
}
