package chart

import (
	"slices"

	"github.com/NimbleMarkets/ntcharts/v2/canvas"

	"tarmac/internal/civil"
)

// letterEvery is the distance, in columns, between two letters on a branch's line.
const letterEvery = 10

// branches draws each branch as a line of dots interrupted by its letter, so that branches differ
// even without colours and where they overlap. It returns the cells that it has drawn.
func (c Cash) branches(cells *canvas.Model, p plane) map[canvas.Point]bool {
	drawn := map[canvas.Point]bool{}
	for i, b := range c.Branches {
		for cell := range p.dots(cells, b.Ahead) {
			drawn[cell] = true
		}
		if len(b.Ahead) == 0 {
			continue
		}
		from, rows := p.sequence(b.Ahead)
		for x := 3 + i*letterEvery/(len(c.Branches)+1); x < len(rows); x += letterEvery {
			cell := canvas.Point{X: from + x, Y: rows[x]}
			cells.SetRune(cell, b.Letter)
			drawn[cell] = true
		}
	}
	return drawn
}

// marks puts a ▼ and the letter of the branch on the axis for each day on which cash runs out.
// Marks that would overlap are placed side by side, in the order of their days.
func (c Cash) marks(p plane, axis []rune) {
	type mark struct {
		day  civil.Date
		text []rune
	}
	var all []mark
	if !c.Zero.IsZero() {
		all = append(all, mark{c.Zero, []rune("▼")})
	}
	for _, b := range c.Branches {
		if !b.Zero.IsZero() {
			all = append(all, mark{b.Zero, []rune{'▼', b.Letter}})
		}
	}
	slices.SortStableFunc(all, func(a, b mark) int { return a.day.Compare(b.day) })
	starts, next := make([]int, len(all)), 0
	for i, m := range all {
		starts[i] = max(next, p.column(m.day))
		next = starts[i] + len(m.text)
	}
	end := len(axis)
	for i, m := range slices.Backward(all) {
		end = min(end, starts[i]+len(m.text)) - len(m.text)
		if end >= 0 {
			copy(axis[end:], m.text)
		}
	}
}
