package runway

import (
	"math"
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/theme"
)

// bars are the nets of the months, drawn beside the table to one scale: right of a line
// more went out, which is what shortens the runway, left of it more came in. Where nothing
// went out the line is at the left all the same, so that bars begin beside the figures.
// Half a cell is the least there is.
type bars struct {
	left, right int   // cells on each side of the line
	whole       int64 // the cents that both sides together stand for
	gains       bool  // every month brought something in: that is right of the line
}

const (
	barsGap   = 6  // cells between the table and the bars
	barsLeast = 40 // fewer cells say little that the figures do not
)

// barsOf returns the bars of the months in so many cells; false where these are too
// few, where there is nothing to draw, and where the scale does not fit an integer.
func barsOf(months []figures.Month, width int) (b bars, ok bool) {
	var out, in int64
	for _, m := range months {
		net := m.Summary.NetUSDCents
		if net == math.MinInt64 {
			return b, false
		}
		out, in = max(out, -net), max(in, net)
	}
	b.whole, ok = money.Add(out, in)
	if !ok || b.whole == 0 || width < barsLeast {
		return b, false
	}
	if b.gains = out == 0; !b.gains && in > 0 {
		cells := figures.Apportion([]int64{in, out}, int64(width-1))
		b.left = min(max(1, int(cells[0])), width-2)
	}
	b.right = width - 1 - b.left
	return b, true
}

const netOut, netIn = "net out", "net in"

// head names the sides where there is room.
func (b bars) head(t theme.Theme) string {
	left, right := strings.Repeat(" ", b.left), netOut
	if b.gains {
		right = netIn
	}
	if room := b.left - len(netIn) - 1; room >= 0 {
		left = left[:room] + netIn + " "
	}
	if b.right <= len(right) {
		right = ""
	}
	return t.Faint.Render(left + "│ " + right)
}

// line draws a month's net, in at most the cells of both sides and the line; a dash for
// one that is unknown.
func (b bars) line(t theme.Theme, sum figures.Sum) string {
	net := sum.Cents
	axis, style, cents := t.Faint.Render("│"), t.Outflow, -net
	if sum.Unknown {
		return strings.Repeat(" ", b.left) + axis + t.Unknown.Render(money.Dash)
	}
	if net > 0 {
		style, cents = t.Inflow, net
	}
	if net > 0 && !b.gains {
		n := b.halves(cents, b.left)
		return strings.Repeat(" ", b.left-(n+1)/2) + style.Render(strings.Repeat("╺", n%2)+strings.Repeat("━", n/2)) + axis
	}
	n := b.halves(cents, b.right)
	return strings.Repeat(" ", b.left) + axis + style.Render(strings.Repeat("━", n/2)+strings.Repeat("╸", n%2))
}

// halves is how many halves of a cell an amount takes on a side of so many cells. What
// is not nothing is seen.
func (b bars) halves(cents int64, side int) int {
	if cents == 0 {
		return 0
	}
	n := int(figures.Apportion([]int64{cents, b.whole - cents}, 2*int64(b.left+b.right))[0])
	return min(max(1, n), 2*side)
}
