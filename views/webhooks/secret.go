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
		return wrap("The signing secret needs "+strconv.Itoa(len(whole)+2)+" lines of this width: make the window larger.", room)
	}
	lines := []string{t.Title.Render("Signing secret of " + p.host)}
	for _, line := range whole {
		lines = append(lines, t.Strong.Render(line))
	}
	question := ""
	switch p.armed {
	case toCopy:
		question = "Clipboards keep what they are given, and other programs read them. y again copies it."
	case toLeave:
		question = "It is not shown again. esc again leaves."
	}
	style := t.Warning
	if question == "" {
		style, question = t.Caution, "It is shown this once: put it where the receiver reads it."
		if p.copied {
			question = "It was handed to the clipboard; take it out of there when it is in place."
		}
	}
	for _, line := range wrap(question, room) {
		lines = append(lines, style.Render(line))
	}
	lines = append(lines, "")
	lines = append(lines, wrap("Whoever has it can sign deliveries in this organization's name. All of it is the key, "+apiclient.SecretPrefix+" included.", room)...)
	if p.until != nil {
		lines = append(lines, wrap("The previous secret signs too until "+moment(*p.until)+": change the receiver over before then.", room)...)
	}
	return append(append(lines, ""), wrap("y y copies it · esc esc leaves. A secret that is lost is replaced by a new one, not shown again.", room)...)
}

// pieces cuts ASCII text into lines of the width.
func pieces(text string, width int) []string {
	var out []string
	for len(text) > width {
		out, text = append(out, text[:width]), text[width:]
	}
	return append(out, text)
}
