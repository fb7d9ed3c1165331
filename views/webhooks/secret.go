package webhooks

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// secretKeyDelay is how long a newly shown secret ignores keys, because the user may have pressed
// them before it appeared.
const secretKeyDelay = 500 * time.Millisecond

// secret is the page that shows a signing secret once, a views.Layer. Its value is a pointer, so
// that printing the model prints an address instead of the secret.
type secret struct {
	views.BaseLayer
	shownSecret
	screen  *Screen
	actions views.Actions
}

// shownSecret is what the page shows. The zero value is a closed page.
type shownSecret struct {
	value         *apiclient.Secret
	host          string
	until         *time.Time // when the previous secret expires; nil for a new endpoint
	since         time.Time  // when the secret first became visible; zero while the page is hidden
	pendingAction armed
	before        armed // pendingAction before the latest key
	copied        bool
}

func newSecret(s *Screen) *secret {
	p := &secret{screen: s}
	p.actions = views.Actions{
		{Key: "y", Shown: "y y", Help: "copy", Do: p.twice(toCopy, func() tea.Cmd {
			p.copied = true
			return views.PutOnClipboard("the signing secret", p.value.Reveal())
		})},
		{Key: "esc", Shown: "esc esc", Help: "leave; not shown again", Do: p.twice(toLeave, views.Do(func() {
			p.shownSecret = shownSecret{}
		}))},
	}
	return p
}

// armed is the action that happens if its key is pressed a second time. Any other key cancels it.
type armed int

const (
	unarmed armed = iota
	toCopy
	toLeave
)

func (s *Screen) showSecret(value apiclient.Secret, host string, until *time.Time) {
	s.confirm.Cancel()
	s.form.Cancel()
	s.secret.shownSecret = shownSecret{value: &value, host: host, until: until}
	s.markSecretShown()
}

// markSecretShown stores the time at which the secret first becomes visible.
func (s *Screen) markSecretShown() {
	if s.Visible && s.secret.Open() && s.secret.since.IsZero() {
		s.secret.since = s.Now()
	}
}

func (p *secret) Open() bool { return p.value != nil }

// Cancel has no effect, because only the page's own keys close it.
func (*secret) Cancel() {}

func (p *secret) Help() []views.HelpGroup { return []views.HelpGroup{p.actions.Help("Secret")} }

// Press handles a key press. Pressing y twice copies the secret, esc twice closes the page.
func (p *secret) Press(press tea.KeyPressMsg) tea.Cmd {
	now := p.screen.Now()
	if p.since.IsZero() || now.Before(p.since.Add(secretKeyDelay)) || press.IsRepeat {
		return nil
	}
	p.before, p.pendingAction = p.pendingAction, unarmed
	cmd, _ := p.actions.Press(press)
	return cmd
}

// twice returns the Do of an action that happens if its key is pressed a second time.
func (p *secret) twice(a armed, do func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if p.before == a {
			return do()
		}
		p.pendingAction = a
		return nil
	}
}

func (p *secret) Draw() string {
	s := p.screen
	return strings.Join(panel.Box(p.lines(s.Theme, s.Width, s.Height), s.Width, s.Height), "\n")
}

// lines returns the lines of the page. The secret starts in the first column and has no frame, so
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
