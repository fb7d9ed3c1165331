// Package ui is the root of the dashboard: it owns the terminal, routes messages, draws the parts
// around every screen and decides when figures are fetched again. The screens are packages below
// views.
package ui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/export"
	"tarmac/client/settings"
	"tarmac/client/state"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/welcome"
)

// Options configure the dashboard.
type Options struct {
	// Start is the first connection. It is opened while the first frame is drawn, and need not be
	// one of Profiles. If Start is nil, the welcome page opens instead.
	Start *Profile
	// Profiles and Demo are the connections between which the user can switch. The welcome page
	// also offers Demo and Books, which may be nil.
	Profiles []*Profile
	Demo     *Profile
	Books    *Profile // the user's own books; one of Profiles if there are any
	// Connect connects to an address that the user typed. If Connect is nil, the user cannot type
	// one.
	Connect func(ctx context.Context, baseURL, token string) (Connection, error)

	Now     func() time.Time
	Timeout time.Duration // time limit of one request

	Theme  string          // one of theme.Names; "" means the default
	Runway settings.Runway // thresholds for rating the runway; zero means the defaults
	// Refresh says how old figures may become before they are fetched again; zero values mean the
	// defaults.
	Refresh settings.Refresh

	// Notification returns the sequence with which the terminal shows a title and a text outside of
	// the dashboard, or "" if it cannot; nil if the person does not want that.
	Notification func(title, text string) string

	Links     bool                // the terminal can open addresses in details
	ASCII     bool                // the terminal shows ASCII characters only
	Mouse     bool                // handle mouse clicks; selecting text in the terminal then needs Shift
	Keys      map[string][]string // configured keys, by the action names of settings.Actions
	Clipboard Clipboard
	Documents Documents
	Drafts    state.Folder // folder of drafts, plans and filters; if nil, they are not saved
	ReadOnly  bool         // offer no changes on the server, whatever the profile
	// Keeps is the folder of what is kept of a session for the next, and Kept what it has now; nil
	// keeps nothing. ThemeSet and MouseSet say that the settings file has these settings, which
	// then win.
	Keeps              state.Folder
	Kept               state.Kept
	ThemeSet, MouseSet bool
	// Remote is true if the user has connected to this machine over SSH and must see nothing of it:
	// the dashboard then saves no files, cannot be suspended, and offers Profiles alone.
	Remote bool
	// Trim gives memory back to the system. It is called after a large history has been read; nil
	// does nothing.
	Trim func()
}

// Model is the root model. It is the program's only tea.Model and calls the methods of the screens
// itself.
type Model struct {
	ctx     context.Context
	options Options

	appearance          appearance
	theme               theme.Theme
	width, height       int
	nav                 views.Navigation
	keys                globalKeys
	remap               remap
	distinguishesEscape bool // the terminal can report esc and alt in different ways
	details             details
	palette             palette
	layers              []layer // question, palette, welcome page, dial, details and page

	// The dashboard shows either the welcome page, which asks for a server, or the session.
	welcome        *welcome.Screen
	connectsBank   bool // the user has chosen to connect a bank to new books
	choosingServer bool // true while the welcome page covers a session, so that the user can choose a server
	session        *session

	dial     *dial     // the attempt to connect; nil if there is none
	dials    uint64    // number of attempts to connect so far
	question *question // question before input is lost; nil if none is open

	schedule    schedule
	notice      notice
	kept        keptState
	connections connections

	wheelLines   int  // lines that wheel events have not scrolled yet
	wheelPending bool // a wheelTick is scheduled

	leaving bool
}

// New returns a model whose commands are cancelled when ctx ends.
func New(ctx context.Context, o Options) *Model {
	m := &Model{
		ctx:        ctx,
		options:    o,
		appearance: appearance{theme: o.Theme, dark: true}, // until the terminal says otherwise
		nav:        views.NewNavigation(),
		remap:      newRemap(o.Keys),
		schedule:   newSchedule(o.Refresh),
	}
	m.keys = m.newKeys(nil)
	m.welcome = welcome.New(m.welcomeOptions())
	m.layers = m.newLayers()
	if o.Remote {
		m.options.Documents = Documents{Places: export.Directories{Remote: true}}
	}
	m.restoreKept()
	m.applyAppearance()
	return m
}

func (m *Model) welcomeOptions() welcome.Options {
	o := m.options
	w := welcome.Options{
		Starting: o.Start != nil, Books: slices.Contains(o.Profiles, o.Books),
		Selected: o.choice(), Organizations: o.organizations(),
		Quit: func() tea.Cmd { return m.confirmQuit("q") },
	}
	if len(o.Profiles) > 0 {
		w.Profiles = views.Do(m.listProfiles)
	}
	return w
}

// choice returns the choice of the welcome page that repeats the first connection, or the demo if
// there is none. Keys that are typed before the first connection fails must not begin the demo.
func (o Options) choice() welcome.Choice {
	if o.Remote {
		return welcome.Choice(max(0, slices.Index(o.Profiles, o.Start)))
	}
	switch o.Start {
	case nil, o.Demo:
		return welcome.Demo
	case o.Books:
		return welcome.OwnBooks
	}
	return welcome.Server
}

// organizations returns the organizations of the welcome page, over SSH all profiles.
func (o Options) organizations() (all []welcome.Organization) {
	if o.Remote {
		for _, p := range o.Profiles {
			all = append(all, welcome.Organization{Name: p.Name, Hint: p.Hint})
		}
	}
	return all
}

// Init returns the commands that ask the terminal for its background color, schedule the first Tick
// and open the first connection.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tea.RequestBackgroundColor, everySecond()}
	if m.options.Start != nil {
		cmds = append(cmds, m.connect(m.options.Start, m.options.Start, false))
	}
	return tea.Batch(cmds...)
}

// everySecond returns the command that sends a Tick after one second. All polling depends on these
// ticks.
func everySecond() tea.Cmd {
	return tea.Tick(time.Second, func(t time.Time) tea.Msg { return views.Tick{Now: t} })
}

// Leaving reports whether the program ends after the next frame.
func (m *Model) Leaving() bool { return m.leaving }

// Close saves unsaved input and closes all connections. Call it after the program and its context
// have ended. The error says what could not be saved.
func (m *Model) Close() (err error) {
	if save := m.saveKept(); save != nil && !m.kept.failed {
		err = save().(keptSaved).err
	}
	if m.session != nil {
		err = errors.Join(err, m.session.flush(), m.session.flushFilters())
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
