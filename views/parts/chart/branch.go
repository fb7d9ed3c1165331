package chart

import (
	"slices"

	"github.com/NimbleMarkets/ntcharts/v2/canvas"

	"tarmac/internal/civil"
)

// letterEvery is the distance, in columns, between two letters on a branch's line.
const letterEvery = 10

// letters writes the letter of a branch on its line, so that branches differ even without colours
// and where they overlap. The first letter is the given number of columns from the line's start.
func (pic *picture) letters(b Branch, offset int) {
	dots := pic.dots(b.Ahead)
	if len(dots) == 0 {
		return
	}
	next := dots[0].X/dotColumns + 3 + offset
	for _, dot := range dots {
		at := canvas.Point{X: dot.X / dotColumns, Y: dot.Y / dotRows}
		if at.X >= next {
			pic.cells.SetRune(at, b.Letter)
			pic.kinds[at.Y][at.X] = branch
			next = at.X + letterEvery
		}
	}
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
