package listdetail

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
	"tarmac/theme"
)

// Chips are the short labels of the filters that are set, such as "money in".
type Chips []string

// Line draws each label in brackets, or "no filter" if there are none.
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

// At returns the index of the label at a column of the result of Line. ok is false beside labels.
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
