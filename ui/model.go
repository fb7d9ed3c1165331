// Package ui is the dashboard's root: it owns the terminal, routes messages,
// draws what frames every screen and decides when figures are fetched again.
// What is inside the frame belongs to the packages below views.
package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/settings"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/welcome"
)

// Options are a dashboard's surroundings.
type Options struct {
	// Start is what is connected to first, beside the first frame. Nil opens the
	// welcome page instead. It is one of Profiles, the demo, or beside them.
	Start *Profile
	// Profiles and Demo are what can be switched to; the welcome page offers the demo
	// too. Demo may be nil.
	Profiles []*Profile
	Demo     *Profile
	// Connect connects to a server that was typed; nil where none can be.
	Connect func(ctx context.Context, baseURL, token string) (Connection, error)

	Now     func() time.Time
	Timeout time.Duration // of one request

	Theme  string          // one of theme.Names; "" is the default
	Runway settings.Runway // zero is the default
	// Refresh is how old figures may become; what is zero is the default.
	Refresh settings.Refresh

	Mouse     bool                // whether the mouse works; the terminal's own selecting of text then needs Shift
	Keys      map[string][]string // those set for actions, by the actions' names in settings.Actions
	Clipboard Clipboard
	Documents Documents
	Drafts    string // the directory of proposals that are being written; "" keeps none
	ReadOnly  bool   // whatever would change something is left out, whichever profile is shown
}

// Model is the root model. It is the only tea.Model of the program; screens are
// plain objects that it calls.
type Model struct {
	ctx     context.Context
	options Options

	appearance          appearance
	theme               theme.Theme
	width, height       int
	nav                 views.Navigation
	keys                keyMap
	remap               remap
	distinguishesEscape bool // the terminal tells esc from alt
	help                help
	details             details
	palette             palette

	// One of these two is shown: the page that asks where to connect, or the
	// screens of the connection there is.
	welcome        *welcome.Screen
	choosingServer bool // the page is shown over a session
	session        *session

	dial     *dial // to connect; nil when there is none
	dials    uint64
	question *question // before something is lost; nil when nothing is

	schedule    schedule
	notice      notice
	connections connections

	wheelLines   int  // the lines that the wheel was turned by
	wheelPending bool // and whether more is awaited

	leaving bool
}

// New returns the model. ctx ends its commands.
func New(ctx context.Context, o Options) *Model {
	m := &Model{
		ctx:        ctx,
		options:    o,
		appearance: appearance{theme: o.Theme}, // for light: readable on both until the terminal has said which it is
		nav:        views.NewNavigation(),
		keys:       newKeyMap(nil),
		remap:      newRemap(o.Keys),
		schedule:   newSchedule(o.Refresh),
		welcome:    welcome.New(welcome.Options{Starting: o.Start != nil, Profiles: len(o.Profiles) > 0}),
	}
	m.applyAppearance()
	return m
}

// Init asks the terminal for its background and starts the clock.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tea.RequestBackgroundColor, everySecond()}
	if m.options.Start != nil {
		cmds = append(cmds, m.connect(m.options.Start, m.options.Start, false))
	}
	return tea.Batch(cmds...)
}

// everySecond is the program's one clock.
func everySecond() tea.Cmd {
	return tea.Tick(time.Second, func(t time.Time) tea.Msg { return views.Tick{Now: t} })
}

// Leaving reports whether the program ends with the next frame.
func (m *Model) Leaving() bool { return m.leaving }

// Close saves what was typed and ends every connection, after the program and its
// context have ended. Its error says what could not be saved.
func (m *Model) Close() (err error) {
	if m.session != nil {
		err = m.session.flush()
	}
	m.connections.close()
	return err
}

func (m *Model) resize() {
	m.welcome.SetSize(m.width, m.height)
	if m.session == nil {
		return
	}
	for _, p := range m.session.pages {
		p.screen.SetSize(m.width, m.bodyHeight())
	}
}

func (m *Model) bodyHeight() int { return max(0, m.height-chromeHeight) }

func (m *Model) setTheme(t theme.Theme) {
	m.theme = t
	m.welcome.SetTheme(t)
	if m.session == nil {
		return
	}
	for _, p := range m.session.pages {
		p.screen.SetTheme(t)
	}
}
