package table

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Ink is a text style, stored as the escape sequences before and after a text. Rendering a lipgloss
// style for each cell would dominate the cost of drawing a row. The zero value is plain text.
type Ink struct{ before, after string }

// NewInk returns style as escape sequences.
func NewInk(style lipgloss.Style) Ink {
	const mark = "x"
	before, after, ok := strings.Cut(style.Render(mark), mark)
	if !ok {
		return Ink{}
	}
	return Ink{before: before, after: after}
}

// Render returns the text between the escape sequences.
func (i Ink) Render(text string) string { return i.before + text + i.after }

func (i Ink) write(b *strings.Builder, text string) {
	b.WriteString(i.before)
	b.WriteString(text)
	b.WriteString(i.after)
}
