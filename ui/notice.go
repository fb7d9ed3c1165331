package ui

import (
	"time"

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
