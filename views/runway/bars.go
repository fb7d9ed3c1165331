package runway

import (
	"math"
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/money"
)

// bars draws each month's net as a bar beside the table, all to the same scale. Net outflow, which
// shortens the runway, extends to the right of an axis and net inflow to its left. If no month has
// net outflow, the bars of net inflow extend to the right. The resolution is half a cell.
type bars struct {
	left, right int   // widths in cells of the two sides of the axis
	whole       int64 // cents represented by left and right together
	inflowOnly  bool  // no month has net outflow, so bars to the right mean inflow
}

// barsMinWidth is the least width of the bars in cells. Smaller bars would add little to the
// figures.
const barsMinWidth = 8

// barsOf returns the bars for months in the given width. ok is false if the width is too small, all
// nets are zero, or the scale overflows an integer.
func barsOf(months []figures.Month, width int) (b bars, ok bool) {
	var out, in int64
	for _, m := range months {
		net := m.Flows().Net.Minor
		if net == math.MinInt64 {
			return b, false
		}
		out, in = max(out, -net), max(in, net)
	}
	b.whole, ok = money.Add(out, in)
	if !ok || b.whole == 0 || width < barsMinWidth {
		return b, false
	}
	if b.inflowOnly = out == 0; !b.inflowOnly && in > 0 {
		cells := figures.Apportion([]int64{in, out}, int64(width-1))
		b.left = min(max(1, int(cells[0])), width-2)
	}
	b.right = width - 1 - b.left
	return b, true
}

const netOut, netIn = "net out", "net in"

// head draws the titles "net in" and "net out" above the bars. It omits a title if its side has no
// room.
func (b bars) head() string {
	left, right := strings.Repeat(" ", b.left), netOut
	if b.inflowOnly {
		right = netIn
	}
	if room := b.left - len(netIn) - 1; room >= 0 {
		left = left[:room] + netIn + " "
	}
	if b.right <= len(right) {
		right = ""
	}
	return left + "│ " + right
}

// line returns a month's bar, or a dash if its net is unknown.
func (b bars) line(sum figures.Total) string {
	net, left := sum.Minor, strings.Repeat(" ", b.left)
	switch {
	case sum.Unknown:
		return left + "│" + money.Dash
	case net > 0 && !b.inflowOnly:
		n := b.halves(net, b.left)
		return left[(n+1)/2:] + strings.Repeat("╺", n%2) + strings.Repeat("━", n/2) + "│"
	}
	n := b.halves(max(net, -net), b.right)
	return left + "│" + strings.Repeat("━", n/2) + strings.Repeat("╸", n%2)
}

// halves returns the length of an amount's bar in half cells. A nonzero amount gets at least 1, and
// no bar is longer than side cells.
func (b bars) halves(cents int64, side int) int {
	if cents == 0 {
		return 0
	}
	n := int(figures.Apportion([]int64{cents, b.whole - cents}, 2*int64(b.left+b.right))[0])
	return min(max(1, n), 2*side)
}
