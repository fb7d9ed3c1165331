package chart

import (
	"slices"

	"github.com/NimbleMarkets/ntcharts/v2/canvas"

	"tarmac/internal/civil"
)

// letter writes the letter of a branch at the end of its line, so that branches differ even without
// colours and where they overlap. If that cell has a letter, the one before it is taken.
func (pic *picture) letter(b Branch) {
	dots := pic.dots(b.Ahead)
	for _, dot := range slices.Backward(dots) {
		at := canvas.Point{X: dot.X / dotColumns, Y: dot.Y / dotRows}
		if r := pic.cells.Cell(at).Rune; r < 'A' || r > 'Z' {
			pic.cells.SetRune(at, b.Letter)
			pic.kinds[at.Y][at.X] = branch
			return
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
