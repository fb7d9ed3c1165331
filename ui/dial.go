package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
	"tarmac/views/welcome"
)

// Profile is a server to which the user can connect.
type Profile struct {
	Name string // name in the list of profiles
	Hint string // address of the server, shown beside the name
	// Open opens the connection. It may block, because it runs in the background. ctx ends when the
	// connection is no longer needed, which may be long after Open has returned.
	Open func(ctx context.Context) (Connection, error)
	// Progress says how far Open has got, or returns "". It is called once a second. Progress may
	// be nil.
	Progress func() string
}

// dial is an attempt to connect, running or failed.
type dial struct {
	number  uint64
	to      *Profile
	profile *Profile // current profile once connected; nil for a typed address
	verify  bool     // the attempt fails if the server rejects the token
	ctx     context.Context
	cancel  context.CancelFunc

	progress string
	err      error // why the attempt failed; nil while it is running
}

// dialResult is the message that an attempt to connect has ended, with its outcome.
type dialResult struct {
	number     uint64
	connection Connection
	err        error
}

// connect returns the command that connects to a server, and cancels any earlier attempt. The
// current session stays until the attempt succeeds. If verify is set, the server must accept the
// token, so that an unusable connection does not replace the current one.
func (m *Model) connect(to, place *Profile, verify bool) tea.Cmd {
	m.cancelDial()
	m.dials++
	a := &dial{number: m.dials, to: to, profile: place, verify: verify}
	a.ctx, a.cancel = context.WithCancel(m.ctx)
	m.dial = a
	ctx, number, timeout := a.ctx, a.number, m.options.Timeout
	return func() tea.Msg {
		c, err := m.connections.make(ctx, to.Open)
		if err == nil && verify {
			err = verifyToken(ctx, c, timeout)
			if err != nil {
				m.connections.end(c)
			}
		}
		return dialResult{number, c, err}
	}
}

// connectAsChosen connects as the user chose on the welcome page, unless the user has meanwhile
// cancelled that attempt or chosen something else.
func (m *Model) connectAsChosen(attempt welcome.Attempt, to, place *Profile) tea.Cmd {
	if !m.welcome.Awaits(attempt) {
		return nil
	}
	return m.connect(to, place, true)
}

func verifyToken(ctx context.Context, c Connection, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	_, err := c.Client.Ping(ctx)
	return err
}

// cancelDial cancels the attempt to connect. If the attempt has failed, it closes the dialog that
// says so.
func (m *Model) cancelDial() {
	if m.dial != nil {
		m.dial.cancel()
		m.dial = nil
	}
}

// finishDial opens a session for the new connection, or shows why the attempt failed. Before it
// ends the previous session, it saves the input typed there.
func (m *Model) finishDial(msg dialResult) tea.Cmd {
	a := m.dial
	if a == nil || msg.number != a.number {
		if msg.err == nil {
			return m.closeConnection(msg.connection) // the attempt was cancelled, but the connection had just opened
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
			return m.closeConnection(msg.connection)
		}
	}
	if old != nil {
		_ = old.flushFilters() // a filter that cannot be saved does not keep the user here
	}
	m.dial, m.choosingServer = nil, false
	if p := a.profile; p != nil && p == m.options.Books && !slices.Contains(m.options.Profiles, p) {
		m.options.Profiles = append(slices.Clip(m.options.Profiles), p) // imported since the start
	}
	opening := m.open(a, msg.connection)
	if msg.connection.New || m.connectsBank {
		opening = tea.Batch(opening, m.goTo(views.Visit{Screen: views.Books, Target: m.firstStep()}))
	}
	m.connectsBank = false
	if old == nil {
		return opening
	}
	return tea.Batch(m.end(old), opening)
}

// unsaved is the error that the user's input could not be saved.
type unsaved struct{ error }

func (u unsaved) Error() string { return "the draft cannot be saved: " + u.error.Error() }

// dialFailed shows why the attempt to connect failed: on the welcome page if that is open,
// otherwise in a dialog over the current screen.
func (m *Model) dialFailed(err error) {
	if m.welcoming() {
		m.cancelDial()
		m.welcome.Failed(err)
		return
	}
	m.dial.cancel()
	m.dial.err = err
}

// dialErrorText says in one sentence why the attempt to connect failed.
func dialErrorText(err error) string {
	var u unsaved
	if errors.As(err, &u) {
		return "Not switched: " + termtext.Line(err.Error())
	}
	return "Could not connect: " + problem.Of(err).Text()
}

// dialActions returns the keys of the dialog about connecting. The keys of the screen behind it do
// not work, because a new session may replace that screen at any moment.
func (m *Model) dialActions() views.Actions {
	return views.Actions{
		{Key: "enter", Help: "try again", When: func() bool { return m.dial.err != nil }, Do: func() tea.Cmd {
			return m.connect(m.dial.to, m.dial.profile, m.dial.verify)
		}},
		{Key: "esc", Help: "stay here", Do: views.Do(m.cancelDial)},
	}
}

// dialWidth is the preferred width of the dialog, in cells.
const dialWidth = 64

// view draws the dialog about connecting over the lines of a screen of the given size.
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
	return overlay(screen, box, (width-w)/2, (height-h)/4, width)
}
