package field

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
	"tarmac/theme"
)

// Draw returns the field in exactly width cells. If the text does not fit, Draw shows the part
// around the cursor, or the beginning if the field is not focused.
func (t *Text) Draw(looks theme.Theme, width int) string {
	switch value := t.shown(); {
	case width <= 0:
		return ""
	case t.Focused():
		return t.drawFocused(looks, width)
	case value == "":
		return looks.Faint.Render(termtext.Fit(t.hint, width))
	default:
		return looks.Text.Render(termtext.Fit(value, width))
	}
}

func (t *Text) drawFocused(looks theme.Theme, width int) string {
	value, at := []rune(t.shown()), t.in.Position()
	if len(value) == 0 {
		hint := termtext.Fit(t.hint, width)
		first := ansi.Truncate(hint, 1, "")
		if first == "" {
			first, hint = " ", termtext.Fit(" ", width)
		}
		return looks.Cursor.Render(first) + looks.Faint.Render(strings.TrimPrefix(hint, first))
	}
	before, rest := string(value[:at]), string(value[at:])
	under := ansi.Truncate(rest, 1, "")
	if ansi.StringWidth(under) == 0 {
		under = ansi.Truncate(rest, 2, "") // Truncate to 1 cell gives "" for a wide character
	}
	after := strings.TrimPrefix(rest, under)
	if ansi.StringWidth(under) == 0 || ansi.StringWidth(under) > width {
		under, after = " ", ""
	}
	room := width - ansi.StringWidth(under)
	if over := ansi.StringWidth(before) - room; over > 0 {
		before = ansi.TruncateLeft(before, over+1, "…")
	}
	// If the cut went through a wide character, before may be one cell too wide.
	before = ansi.Truncate(before, room, "")
	room -= ansi.StringWidth(before)
	return looks.Text.Render(before) + looks.Cursor.Render(under) + looks.Text.Render(termtext.Fit(after, room))
}
