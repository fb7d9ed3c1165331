package table

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Ink is a prerendered style: the sequences before and after a text. Rendering a lipgloss style for
// each cell would dominate the cost of a row.
type Ink struct{ before, after string }

// NewInk returns the ink of a style.
func NewInk(style lipgloss.Style) Ink {
	const mark = "x"
	before, after, ok := strings.Cut(style.Render(mark), mark)
	if !ok {
		return Ink{}
	}
	return Ink{before: before, after: after}
}

// Render returns the text in the ink.
func (i Ink) Render(text string) string { return i.before + text + i.after }

func (i Ink) write(b *strings.Builder, text string) {
	b.WriteString(i.before)
	b.WriteString(text)
	b.WriteString(i.after)
}
