package runway

import (
	"math"
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/theme"
)

// bars draws the net of each month as a bar beside the table, all to one scale. Net outflow, which
// shortens the runway, extends right of the axis and net inflow left of it. If no month has net
// outflow, all bars extend right. The resolution is half a cell.
type bars struct {
	left, right int   // cells on each side of the axis
	whole       int64 // cents that left and right cells together represent
	inflowOnly  bool  // whether no month has net outflow, so that bars to the right are inflow
}

const (
	barsGap      = 6  // cells between the table and the bars
	barsMinWidth = 40 // minimum width of the bars; narrower ones add little to the figures
)

// barsOf returns the bars of the months in the given width. It returns false if the width is too
// small, all nets are zero, or the scale overflows an integer.
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

// head draws the titles "net in" and "net out" above the bars, each only if its side has room.
func (b bars) head(t theme.Theme) string {
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
	return t.Faint.Render(left + "│ " + right)
}

// line draws a month's bar, or a dash if its net is unknown.
func (b bars) line(t theme.Theme, sum figures.Total) string {
	net := sum.Cents
	axis, style, cents := t.Faint.Render("│"), t.Outflow, -net
	if sum.Unknown {
		return strings.Repeat(" ", b.left) + axis + t.Unknown.Render(money.Dash)
	}
	if net > 0 {
		style, cents = t.Inflow, net
	}
	if net > 0 && !b.inflowOnly {
		n := b.halves(cents, b.left)
		bar := strings.Repeat("╺", n%2) + strings.Repeat("━", n/2)
		return strings.Repeat(" ", b.left-(n+1)/2) + style.Render(bar) + axis
	}
	n := b.halves(cents, b.right)
	return strings.Repeat(" ", b.left) + axis + style.Render(strings.Repeat("━", n/2)+strings.Repeat("╸", n%2))
}

// halves returns the length of an amount's bar in half cells: at least 1 for any amount but zero,
// and at most the given number of cells.
func (b bars) halves(cents int64, side int) int {
	if cents == 0 {
		return 0
	}
	n := int(figures.Apportion([]int64{cents, b.whole - cents}, 2*int64(b.left+b.right))[0])
	return min(max(1, n), 2*side)
}
