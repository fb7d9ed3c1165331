// Package ui is the root of the dashboard: it owns the terminal, routes messages, draws the frame
// around every screen and decides when figures are fetched again. The packages below views draw the
// contents.
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

// Options configure a dashboard.
type Options struct {
	// Start is the first connection, opened while the first frame is drawn. It need not be one of
	// Profiles. If nil, the welcome page opens instead.
	Start *Profile
	// Profiles and Demo are the connections to switch between; the welcome page offers Demo too.
	// Demo may be nil.
	Profiles []*Profile
	Demo     *Profile
	// Connect connects to an address that the person typed; nil forbids that.
	Connect func(ctx context.Context, baseURL, token string) (Connection, error)

	Now     func() time.Time
	Timeout time.Duration // of one request

	Theme  string          // one of theme.Names; "" is the default
	Runway settings.Runway // zero is the default
	// Refresh says how old figures may become; zero values mean the default.
	Refresh settings.Refresh

	Mouse     bool                // whether mouse clicks are handled; selecting text in the terminal then needs Shift
	Keys      map[string][]string // configured keys, by the action names of settings.Actions
	Clipboard Clipboard
	Documents Documents
	Drafts    string // the directory of proposals in progress; "" saves none
	ReadOnly  bool   // whether the dashboard offers no writes, in any profile
}

// Model is the root model, the only tea.Model of the program. It calls the screens directly.
type Model struct {
	ctx     context.Context
	options Options

	appearance          appearance
	theme               theme.Theme
	width, height       int
	nav                 views.Navigation
	keys                keyMap
	remap               remap
	distinguishesEscape bool // the terminal distinguishes esc from alt
	help                help
	details             details
	palette             palette

	// Either the welcome page, which asks for a server, or the session is shown.
	welcome        *welcome.Screen
	choosingServer bool // the welcome page is shown over a session
	session        *session

	dial     *dial     // the connection attempt; nil if none
	dials    uint64    // number of connection attempts so far
	question *question // asked before something is lost; nil if none

	schedule    schedule
	notice      notice
	connections connections

	wheelLines   int  // scroll distance not yet applied, in lines
	wheelPending bool // whether a wheelTick is scheduled

	leaving bool
}

// New returns a model whose commands end with ctx.
func New(ctx context.Context, o Options) *Model {
	m := &Model{
		ctx:        ctx,
		options:    o,
		appearance: appearance{theme: o.Theme}, // readable on light and dark backgrounds until the terminal reports its own
		nav:        views.NewNavigation(),
		keys:       newKeyMap(nil),
		remap:      newRemap(o.Keys),
		schedule:   newSchedule(o.Refresh),
		welcome:    welcome.New(welcome.Options{Starting: o.Start != nil, Profiles: len(o.Profiles) > 0}),
	}
	m.applyAppearance()
	return m
}

// Init returns the commands that ask the terminal for its background colour, start the tick of each
// second and open the first connection.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tea.RequestBackgroundColor, everySecond()}
	if m.options.Start != nil {
		cmds = append(cmds, m.connect(m.options.Start, m.options.Start, false))
	}
	return tea.Batch(cmds...)
}

// everySecond returns the command that sends a Tick after a second. All polling depends on it.
func everySecond() tea.Cmd {
	return tea.Tick(time.Second, func(t time.Time) tea.Msg { return views.Tick{Now: t} })
}

// Leaving reports whether the next frame is the last.
func (m *Model) Leaving() bool { return m.leaving }

// Close saves what was typed and closes every connection, after the program and its context have
// ended. It returns an error for text that could not be saved.
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
