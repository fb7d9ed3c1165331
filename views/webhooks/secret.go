package webhooks

import (
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/theme"
	"tarmac/views"
)

// secretKeyDelay is how long a newly shown secret ignores keys, because the user may have pressed
// them before it appeared.
const secretKeyDelay = 500 * time.Millisecond

// secret is the page that shows a signing secret once. Its value is a pointer, so that printing the
// model prints an address instead of the secret.
type secret struct {
	value         *apiclient.Secret
	host          string
	until         *time.Time // when the previous secret expires; nil for a new endpoint
	since         time.Time  // when the secret first became visible; zero while the page is hidden
	pendingAction armed
	copied        bool
}

// armed is the action that happens if its key is pressed a second time. Any other key cancels it.
type armed int

const (
	unarmed armed = iota
	toCopy
	toLeave
)

func (s *Screen) showSecret(value apiclient.Secret, host string, until *time.Time) {
	s.leave()
	s.mode, s.secret = showing, secret{value: &value, host: host, until: until}
	s.markSecretShown()
}

// markSecretShown stores the time at which the secret first becomes visible.
func (s *Screen) markSecretShown() {
	if s.visible && s.mode == showing && s.secret.since.IsZero() {
		s.secret.since = s.env.Now()
	}
}

// keyInSecret handles a key press on the secret's page. Pressing y twice copies the secret.
// Pressing esc twice closes the page.
func (s *Screen) keyInSecret(press tea.KeyPressMsg) tea.Cmd {
	p := &s.secret
	if p.since.IsZero() || s.env.Now().Before(p.since.Add(secretKeyDelay)) || press.IsRepeat {
		return nil
	}
	before := p.pendingAction
	p.pendingAction = unarmed
	switch {
	case key.Matches(press, s.keys.CopySecret) && before == toCopy:
		p.copied = true
		return views.PutOnClipboard("the signing secret", p.value.Reveal())
	case key.Matches(press, s.keys.CopySecret):
		p.pendingAction = toCopy
	case key.Matches(press, s.keys.LeaveSecret) && before == toLeave:
		s.mode, s.secret = browsing, secret{}
	case key.Matches(press, s.keys.LeaveSecret):
		p.pendingAction = toLeave
	}
	return nil
}

// lines returns the lines of the page. The secret has no frame and starts in the first column, so
// that the user can select it with the mouse. If the window is too small for the secret, the page
// asks for a larger one.
func (p *secret) lines(t theme.Theme, width, height int) []string {
	room := max(1, width)
	whole := splitEvery(p.value.Reveal(), room)
	if len(whole)+2 > height {
		return wrap("The signing secret needs "+strconv.Itoa(len(whole)+2)+" lines at this width: enlarge the window.", room)
	}
	lines := []string{t.Title.Render("Signing secret of " + p.host)}
	for _, line := range whole {
		lines = append(lines, t.Strong.Render(line))
	}
	question := ""
	switch p.pendingAction {
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
	add := func(text string) { lines = append(lines, wrap(text, room)...) }
	add("")
	add("Anyone who has it can sign deliveries in this organization's name. " +
		"The " + apiclient.SecretPrefix + " prefix is part of the secret.")
	if p.until != nil {
		add("The previous secret stays valid until " + record.Minute(*p.until) + ": update the receiver before then.")
	}
	add("")
	add("y y copies · esc esc leaves. A lost secret cannot be shown again, only replaced.")
	return lines
}

// splitEvery cuts ASCII text into lines of at most width characters.
func splitEvery(text string, width int) []string {
	var out []string
	for len(text) > width {
		out, text = append(out, text[:width]), text[width:]
	}
	return append(out, text)
}
