package listdetail

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
	"tarmac/theme"
)

// Chips holds the short labels of the active filters, such as "money in".
type Chips []string

// Line draws each label in brackets, or "no filter" if there are no labels.
func (c Chips) Line(t theme.Theme) string {
	if len(c) == 0 {
		return t.Faint.Render("no filter")
	}
	drawn := make([]string, len(c))
	for i := range c {
		drawn[i] = t.Chip.Render(c.text(i))
	}
	return strings.Join(drawn, " ")
}

// At returns the index of the label that Line draws at column x. ok is false if no label is there.
func (c Chips) At(x int) (at int, ok bool) {
	for i := range c {
		width := ansi.StringWidth(c.text(i))
		if x >= 0 && x < width {
			return i, true
		}
		x -= width + 1
	}
	return 0, false
}

func (c Chips) text(i int) string { return "[" + termtext.Line(c[i]) + "]" }
