// Package fact draws labelled figures as a column of labels and a right-aligned column of values.
// It never truncates a value, because a truncated amount reads as another amount.
package fact

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
	"tarmac/theme"
)

// Fact is one figure with its label. Short replaces Value if that does not fit; "" means that there
// is no shorter form. After is a word or share drawn after the value if there is room.
type Fact struct {
	Label, Value, Short, After string
	Style                      lipgloss.Style
}

// widest is the maximum width of a line in cells. In a wider one, the eye would lose the way from
// the label to the value.
const widest = 46

// Lines draws one fact per line, at most width cells wide. Labels are truncated in favour of
// values. A value that does not fit without its label is left out.
func Lines(t theme.Theme, facts []Fact, width int) []string {
	room := min(width, widest)
	lines := make([]string, len(facts))
	for i, f := range facts {
		lines[i] = f.line(t, room, width)
	}
	return lines
}

func (f Fact) line(t theme.Theme, room, width int) string {
	value := f.Value
	if ansi.StringWidth(value) > room && f.Short != "" {
		value = f.Short
	}
	cells := ansi.StringWidth(value)
	if cells > room {
		return t.Faint.Render(termtext.Fit(f.Label, width))
	}
	// If space is short, drop After first, then use Short, then truncate the label.
	after := ""
	if f.After != "" {
		after = " · " + f.After
	}
	label := ansi.StringWidth(f.Label)
	if label+2+cells+ansi.StringWidth(after) > room {
		after = ""
	}
	if label+1+cells > room && f.Short != "" {
		value, cells = f.Short, ansi.StringWidth(f.Short)
	}
	gap := room - cells - ansi.StringWidth(after)
	lead := termtext.Fit(f.Label, max(0, gap-1))
	return t.Faint.Render(lead) + strings.Repeat(" ", min(1, gap)) + f.Style.Render(value+after)
}

// Join joins the first parts with a dot between them, as many as fit into width cells. Parts are
// never truncated.
func Join(parts []string, width int) string {
	line := ""
	for _, part := range parts {
		if line != "" {
			part = line + " · " + part
		}
		if ansi.StringWidth(part) > width {
			break
		}
		line = part
	}
	return line
}

// Wrap breaks a sentence into faint lines of at most width cells.
func Wrap(t theme.Theme, sentence string, width int) []string {
	if sentence == "" || width <= 0 {
		return nil
	}
	lines := strings.Split(ansi.Wrap(sentence, width, ""), "\n")
	for i, line := range lines {
		lines[i] = t.Faint.Render(line)
	}
	return lines
}

// Within returns the first n lines. If it drops any, the last line ends in an ellipsis.
func Within(t theme.Theme, lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	if n <= 0 {
		return nil
	}
	kept := append([]string(nil), lines[:n]...)
	kept[n-1] += t.Faint.Render(" …")
	return kept
}

// Columns draws the facts in two columns, the first half at the left. If width is too small for two
// columns, it draws one.
func Columns(t theme.Theme, facts []Fact, width int) []string {
	const gap = 4
	half := (width - gap) / 2
	if half < 32 {
		return Lines(t, facts, width)
	}
	rows := (len(facts) + 1) / 2
	left, right := Lines(t, facts[:rows], half), Lines(t, facts[rows:], half)
	for i, line := range right {
		left[i] += strings.Repeat(" ", gap+half-ansi.StringWidth(left[i])) + line
	}
	return left
}
