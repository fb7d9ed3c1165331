package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/amount"
)

// noticeLasts is how long a notice stays at the foot of the screen.
const noticeLasts = 5 * time.Second

// notice is the line at the foot of the screen that says what was done. It takes
// the keys' place, but not that of help.
type notice struct {
	text    string
	problem bool
	until   time.Time
}

func (n *notice) show(msg views.Notice, now time.Time) {
	*n = notice{text: termtext.Line(msg.Text), problem: msg.Problem, until: now.Add(noticeLasts)}
}

func (n *notice) expire(now time.Time) {
	if n.text != "" && !now.Before(n.until) {
		*n = notice{}
	}
}

func (n *notice) line(t theme.Theme) string {
	if n.problem {
		return t.Critical.Render("! " + n.text)
	}
	return t.Good.Render("✓ ") + n.text
}

// mostCopied is how much text goes to a clipboard through the terminal; many
// terminals drop what is longer.
const mostCopied = 74_994

// copy puts text on the clipboard by way of the terminal, which works over SSH too.
// No terminal says whether it did.
func (m *Model) copy(c views.Copy) tea.Cmd {
	if m.theme.Masked {
		c.Text = amount.Mask(c.Text)
	}
	if len(c.Text) > mostCopied {
		return views.Warn(c.What + " is too long to copy through a terminal")
	}
	m.notice.show(views.Notice{Text: "copied " + c.What + " (through the terminal: OSC 52)"}, m.options.Now())
	return tea.SetClipboard(c.Text)
}
