// Package fact draws labelled figures as a column of labels and a right-aligned column of values.
// It never truncates a value, because a truncated amount reads as another amount.
package fact

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/mark"
)

// Fact is one figure with its label. Short replaces Value if Value does not fit; "" means that
// there is no shorter form. After is a word or percentage, drawn after the value if there is room.
// Mark is a character drawn before the label in the style of MarkStyle, such as in the legend of a
// chart; "" means none. Sign is the sign of a figure that leaves something out, for copies; Lines
// draws the mark of the screens instead.
type Fact struct {
	Label, Value, Short, After string
	Sign                       string
	Style                      lipgloss.Style
	Mark                       string
	MarkStyle                  lipgloss.Style
}

// widest is the maximum width of a line in cells. In a wider line, the value would be too far from
// its label.
const widest = 46

// Lines draws one fact per line, each at most width cells wide. To make room for a value, it
// truncates the label. It leaves out facts whose value does not fit even without a label.
func Lines(t theme.Theme, facts []Fact, width int) []string {
	marks := 0
	if slices.ContainsFunc(facts, func(f Fact) bool { return f.Sign != "" }) {
		marks = min(2, max(0, width-2))
	}
	room := min(width, widest) - marks
	lines := make([]string, len(facts))
	for i, f := range facts {
		lines[i] = f.line(t, room, width-marks)
		if marks > 0 {
			lines[i] += mark.Behind(t, f.Sign != "")
		}
	}
	return lines
}

// Title returns the title of a panel with the facts, and whether it has the mark: it has if all
// known figures lack something, and the facts have none then.
func Title(title string, facts []Fact) (string, bool) {
	known, marked := 0, 0
	for _, f := range facts {
		if f.Value != money.Dash {
			known++
		}
		if f.Sign != "" {
			marked++
		}
	}
	if marked < 2 || marked < known {
		return title, false
	}
	for i := range facts {
		facts[i].Sign = ""
	}
	return title, true
}

func (f Fact) line(t theme.Theme, room, width int) string {
	if cells := ansi.StringWidth(f.Mark) + 1; f.Mark != "" && room > cells {
		mark := f.MarkStyle.Render(f.Mark) + " "
		f.Mark = ""
		return mark + f.line(t, room-cells, width-cells)
	}
	if t.Masked {
		f.Value, f.Short, f.After = mask.Unpadded(f.Value), mask.Unpadded(f.Short), mask.Unpadded(strings.TrimSpace(f.After))
	}
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
		after = " · " + unsigned(f.After)
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

// unsigned returns a text such as "  ~9.4%" in its width without the sign.
func unsigned(text string) string {
	bare := strings.TrimLeft(text, " ")
	cut := len([]rune(bare)) - len([]rune(figures.Unmarked(bare)))
	return text[:len(text)-len(bare)] + strings.Repeat(" ", cut*min(1, len(text)-len(bare))) + figures.Unmarked(bare)
}

// Wrap breaks a sentence into faint lines of at most width cells.
func Wrap(t theme.Theme, sentence string, width int) []string {
	return WrapIn(t, t.Faint, sentence, width)
}

// WrapIn is Wrap in another style.
func WrapIn(t theme.Theme, style lipgloss.Style, sentence string, width int) []string {
	if sentence == "" || width <= 0 {
		return nil
	}
	if t.Masked {
		sentence = mask.Unpadded(sentence) // wrapping could split an amount
	}
	// Without hyphens, lines do not break within dates and negative amounts.
	const unbroken = "\u2011"
	text := ansi.Wrap(strings.ReplaceAll(sentence, "-", unbroken), width, "")
	lines := strings.Split(strings.ReplaceAll(text, unbroken, "-"), "\n")
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// FirstLines returns the first n of the lines. If it drops any, the last returned line ends with an
// ellipsis.
func FirstLines(t theme.Theme, lines []string, n int) []string {
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
