package webhooks

import (
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/theme"
	"tarmac/views"
)

// lookFirst is how long a new secret ignores keys: those were pressed before it appeared.
const lookFirst = 500 * time.Millisecond

// secret is the signing secret on the screen. The pointer keeps it out of a printed model.
type secret struct {
	value  *apiclient.Secret
	host   string
	until  *time.Time // when the previous secret expires; nil for a new endpoint
	since  time.Time  // when it appeared
	armed  armed
	copied bool
}

// armed is the action that the next press of the same key performs.
type armed int

const (
	unarmed armed = iota
	toCopy
	toLeave
)

func (s *Screen) reveal(value apiclient.Secret, host string, until *time.Time) {
	s.leave()
	s.mode, s.secret = showing, secret{value: &value, host: host, until: until}
	s.lookAtSecret()
}

// lookAtSecret records when the secret appeared.
func (s *Screen) lookAtSecret() {
	if s.visible && s.mode == showing && s.secret.since.IsZero() {
		s.secret.since = s.env.Now()
	}
}

// keyAtSecret copies the secret or closes its page when the same key is pressed twice.
func (s *Screen) keyAtSecret(press tea.KeyPressMsg) tea.Cmd {
	p := &s.secret
	if p.since.IsZero() || s.env.Now().Before(p.since.Add(lookFirst)) || press.IsRepeat {
		return nil
	}
	before := p.armed
	p.armed = unarmed
	switch {
	case key.Matches(press, s.keys.CopySecret) && before == toCopy:
		p.copied = true
		return views.PutOnClipboard("the signing secret", p.value.Reveal())
	case key.Matches(press, s.keys.CopySecret):
		p.armed = toCopy
	case key.Matches(press, s.keys.LeaveSecret) && before == toLeave:
		s.mode, s.secret = browsing, secret{}
	case key.Matches(press, s.keys.LeaveSecret):
		p.armed = toLeave
	}
	return nil
}

// lines draws the secret without a frame from the first column, so that the mouse can select it. If
// it does not fit whole, the page asks for a larger window instead.
func (p *secret) lines(t theme.Theme, width, height int) []string {
	room := max(1, width)
	whole := pieces(p.value.Reveal(), room)
	if len(whole)+2 > height {
		return wrap("The signing secret needs "+strconv.Itoa(len(whole)+2)+" lines at this width: enlarge the window.", room)
	}
	lines := []string{t.Title.Render("Signing secret of " + p.host)}
	for _, line := range whole {
		lines = append(lines, t.Strong.Render(line))
	}
	question := ""
	switch p.armed {
	case toCopy:
		question = "Other programs can read the clipboard. Press y again to copy."
	case toLeave:
		question = "It is not shown again. Press esc again to leave."
	}
	style := t.Warning
	if question == "" {
		style, question = t.Caution, "Shown only once: store it where the receiver reads it."
		if p.copied {
			question = "Copied. Clear the clipboard once the secret is stored."
		}
	}
	for _, line := range wrap(question, room) {
		lines = append(lines, style.Render(line))
	}
	lines = append(lines, "")
	lines = append(lines, wrap("Anyone who has it can sign deliveries in this organization's name. The "+apiclient.SecretPrefix+" prefix is part of the secret.", room)...)
	if p.until != nil {
		lines = append(lines, wrap("The previous secret stays valid until "+moment(*p.until)+": update the receiver before then.", room)...)
	}
	return append(append(lines, ""), wrap("y y copies · esc esc leaves. A lost secret cannot be shown again, only replaced.", room)...)
}

// pieces cuts ASCII text into lines of the width.
func pieces(text string, width int) []string {
	var out []string
	for len(text) > width {
		out, text = append(out, text[:width]), text[width:]
	}
	return append(out, text)
}
