package ui

import (
	"context"
	"errors"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// Profile is somewhere to connect to.
type Profile struct {
	Name string // what it is called in lists
	Hint string // where that is
	// Open makes the connection. ctx ends when the connection is not wanted any more,
	// also after it was made. It may take its time: it runs beside the dashboard.
	Open func(ctx context.Context) (Connection, error)
	// Progress says how far Open has come, "" when there is nothing to say. It is
	// asked once a second; nil says nothing.
	Progress func() string
}

// dial is a connection that is being made, or that could not be.
type dial struct {
	number  uint64
	to      *Profile
	profile *Profile // what is marked as shown when it is made; nil for what was typed
	verify  bool     // the server has to know the token
	ctx     context.Context
	cancel  context.CancelFunc

	progress string
	err      error // why it could not be made
}

// dialed is the outcome of a dial.
type dialed struct {
	number     uint64
	connection Connection
	err        error
}

// connect begins a dial and ends the one before. What is shown stays until it has
// succeeded. With proves the server is asked whether it knows the token: a
// connection that would show nothing replaces none.
func (m *Model) connect(to, place *Profile, proves bool) tea.Cmd {
	m.cancelDial()
	m.dials++
	a := &dial{number: m.dials, to: to, profile: place, verify: proves}
	a.ctx, a.cancel = context.WithCancel(m.ctx)
	m.dial = a
	ctx, number, timeout := a.ctx, a.number, m.options.Timeout
	return func() tea.Msg {
		c, err := m.connections.make(ctx, to.Open)
		if err == nil && proves {
			err = verifyToken(ctx, c, timeout)
			if err != nil {
				m.connections.end(c)
			}
		}
		return dialed{number, c, err}
	}
}

func verifyToken(ctx context.Context, c Connection, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	_, err := c.Client.Ping(ctx)
	return err
}

// cancelDial ends the dial that is under way, or removes one that failed.
func (m *Model) cancelDial() {
	if m.dial != nil {
		m.dial.cancel()
		m.dial = nil
	}
}

// dialed opens the screens of a connection, or tells why there is none. The session
// before ends when all that was typed into it is on the disk, and not before.
func (m *Model) dialed(msg dialed) tea.Cmd {
	a := m.dial
	if a == nil || msg.number != a.number {
		if msg.err == nil {
			return m.drop(msg.connection) // it was given up
		}
		return nil
	}
	if msg.err != nil {
		m.dialFailed(msg.err)
		return nil
	}
	old := m.session
	if old != nil {
		if err := old.flush(); err != nil {
			m.dialFailed(unsaved{err})
			return m.drop(msg.connection)
		}
	}
	m.dial, m.choosingServer = nil, false
	opening := m.open(a, msg.connection)
	if old == nil {
		return opening
	}
	return tea.Batch(m.end(old), opening)
}

// unsaved is that what was typed cannot be saved.
type unsaved struct{ error }

func (u unsaved) Error() string { return "the draft cannot be saved: " + u.error.Error() }

// dialFailed tells why there is no other connection: on the page that asked for it, else
// over what is shown.
func (m *Model) dialFailed(err error) {
	if m.welcoming() {
		m.cancelDial()
		m.welcome.Failed(err)
		return
	}
	m.dial.cancel()
	m.dial.err = err
}

// dialErrorText says why there is no other connection.
func dialErrorText(err error) string {
	var u unsaved
	if errors.As(err, &u) {
		return "Not switched: " + termtext.Line(err.Error())
	}
	return "Could not connect: " + problem.Of(err).Text()
}

type dialKeys struct{ Again, Stay key.Binding }

func newDialKeys() dialKeys {
	return dialKeys{
		Again: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "try again")),
		Stay:  key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "stay here")),
	}
}

// keyInDial takes a key while a connection is being made: what is behind the box
// may be gone in a moment.
func (m *Model) keyInDial(msg tea.KeyPressMsg) tea.Cmd {
	keys, a := newDialKeys(), m.dial
	switch {
	case key.Matches(msg, keys.Stay):
		m.cancelDial()
	case key.Matches(msg, keys.Again) && a.err != nil:
		return m.connect(a.to, a.profile, a.verify)
	}
	return nil
}

func (a *dial) help() []views.HelpGroup {
	keys := newDialKeys()
	keys.Again.SetEnabled(a.err != nil)
	return []views.HelpGroup{{Bindings: []key.Binding{keys.Again, keys.Stay}}}
}

// dialWidth is how wide the box is where there is room.
const dialWidth = 64

// view draws how far the dial has come over a screen of that size.
func (a *dial) view(t theme.Theme, screen []string, width, height int) []string {
	w := min(width, dialWidth)
	room := max(1, w-4)
	text := []string{"Connecting…"}
	switch {
	case a.err != nil:
		text = []string{dialErrorText(a.err), "The current connection stays open."}
	case a.progress != "":
		text = append(text, termtext.Line(a.progress))
	}
	var lines []string
	for i, sentence := range text {
		style := t.Text
		if a.err != nil && i == 0 {
			style = t.Critical
		} else if i > 0 {
			style = t.Faint
		}
		for line := range strings.SplitSeq(ansi.Wrap(sentence, room, ""), "\n") {
			lines = append(lines, style.Render(line))
		}
	}
	h := min(height, len(lines)+2)
	box := panel.Draw(t, panel.Frame{
		Title: termtext.Line(a.to.Name), Width: w, Height: h, Focused: true,
		Body: func(width, height int) []string { return panel.Box(lines, width, height) },
	}, resource.State{Status: resource.Ready}, time.Time{})
	return over(screen, box, (width-w)/2, (height-h)/4, width)
}
