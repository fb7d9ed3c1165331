package ui

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
)

// noticeLasts is how long a notice stays at the bottom of the screen.
const noticeLasts = 5 * time.Second

// Warning is a message with a text that is shown until the user presses a key or uses the mouse.
type Warning string

// notice is a line that says what was done or what went wrong, shown above the footer.
type notice struct {
	text    string
	problem bool
	stays   bool // until input arrives, not until a time
	until   time.Time
}

func (n *notice) show(msg views.Notice, now time.Time) {
	*n = notice{text: termtext.Line(msg.Text), problem: msg.Problem, until: now.Add(noticeLasts)}
}

func (n *notice) warn(w Warning) {
	*n = notice{text: termtext.Line(string(w)), problem: true, stays: true}
}

// dismiss removes a notice that stays until input arrives.
func (n *notice) dismiss() {
	if n.stays {
		*n = notice{}
	}
}

func (n *notice) expire(now time.Time) {
	if n.text != "" && !n.stays && !now.Before(n.until) {
		*n = notice{}
	}
}

func (n *notice) line(t theme.Theme) string {
	if n.problem {
		return t.Critical.Render("! " + n.text)
	}
	return t.Good.Render("✓ ") + n.text
}

// over draws the notice over a line of the screen, between the borders of panels: in the first gap
// that is wide enough, or else from the first gap to the last.
func (n notice) over(t theme.Theme, line string, width int) string {
	text := n.line(t)
	between := gaps(ansi.Strip(line), width)
	chosen := gap{between[0].from, between[len(between)-1].to, between[0].border}
	for _, g := range between {
		if ansi.StringWidth(text) <= g.to-g.from {
			chosen = g
			break
		}
	}
	text = ansi.Truncate(text, chosen.to-chosen.from, "…")
	if chosen.border {
		return overlay([]string{line}, []string{" " + text + " "}, chosen.from-1, 0, width)[0]
	}
	return overlay([]string{line}, []string{spread(text, "", chosen.to-chosen.from)}, chosen.from, 0, width)[0]
}

// gap is the room for a text on a line, in cells: in the lower border of a panel, between the sides
// of a panel, or beside panels.
type gap struct {
	from, to int
	border   bool
}

// gaps returns the room for texts on a line of a screen. It returns at least one gap.
func gaps(line string, width int) (found []gap) {
	at, from, border := 0, 0, false
	end := func() {
		g := gap{from, at, border}
		if from > 0 { // a cell away from the border
			g.from++
		}
		if at < width {
			g.to--
		}
		if border {
			g = gap{from + 2, at - 2, true} // a dash and a space away
		}
		if g.to > g.from {
			found = append(found, g)
		}
	}
	for _, r := range line {
		switch {
		case strings.ContainsRune("│╭╮╰╯", r):
			end()
			from, border = at+1, false
		case at == from:
			border = r == '─'
		}
		at += termtext.Width(string(r))
	}
	at = max(at, width)
	end()
	if len(found) == 0 {
		return []gap{{to: width}}
	}
	return found
}
