// Package ui is the dashboard's root: it owns the terminal, routes messages,
// draws what frames every screen and decides when figures are fetched again.
// What is inside the frame belongs to the packages below views.
package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/settings"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/snapshot"
	"tarmac/views/welcome"
)

// Options are a dashboard's surroundings.
type Options struct {
	// Start makes the first connection; it runs beside the first frame. Nil opens
	// the welcome page instead.
	Start func(context.Context) (Connection, error)
	// Progress says how far a connection that is being made has come, "" when
	// there is nothing to say. It is asked once a second; nil says nothing.
	Progress func() string
	// StartDemo and Connect are what the welcome page can choose from.
	StartDemo func(context.Context) (Connection, error)
	Connect   func(ctx context.Context, baseURL, token string) (Connection, error)

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
	ReadOnly  bool   // whatever would change something is left out
}

// Model is the root model. It is the only tea.Model of the program; screens are
// plain objects that it calls.
type Model struct {
	ctx     context.Context
	options Options

	looks         looks
	theme         theme.Theme
	width, height int
	nav           views.Navigation
	keys          keyMap
	remap         remap
	help          help
	palette       palette

	// One of these two is shown: the page that asks where to connect, or the
	// screens of the connection there is.
	welcome *welcome.Screen
	session *session

	schedule    schedule
	stage       stage
	notice      notice
	connections connections

	gathered  int  // the lines that the wheel was turned by
	gathering bool // and whether more is awaited

	leaving bool
}

// session is a connection with its snapshot and screens.
type session struct {
	profile string
	client  *apiclient.Client
	data    *snapshot.Snapshot
	pages   []page
	active  int
	trail   []int // the pages that esc leads back to
}

// New returns the model. ctx ends its commands.
func New(ctx context.Context, o Options) *Model {
	m := &Model{
		ctx:      ctx,
		options:  o,
		looks:    looks{theme: o.Theme}, // for light: readable on both until the terminal has said which it is
		nav:      views.NewNavigation(),
		keys:     newKeyMap(nil),
		remap:    newRemap(o.Keys),
		schedule: newSchedule(o.Refresh),
		welcome:  welcome.New(welcome.Options{Starting: o.Start != nil}),
	}
	m.relook()
	return m
}

// Init asks the terminal for its background and starts the clock.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tea.RequestBackgroundColor, everySecond()}
	if m.options.Start != nil {
		cmds = append(cmds, m.connect(m.options.Start))
	}
	return tea.Batch(cmds...)
}

// everySecond is the program's one clock.
func everySecond() tea.Cmd {
	return tea.Tick(time.Second, func(t time.Time) tea.Msg { return views.Tick{Now: t} })
}

// leave asks the program to end.
type leave struct{}

// connected is the outcome of an attempt to connect.
type connected struct {
	connection Connection
	err        error
}

func (m *Model) connect(start func(context.Context) (Connection, error)) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		c, err := m.connections.make(ctx, start)
		return connected{c, err}
	}
}

// Close saves what was typed and ends every connection that was made. It is
// called when the program and its context have ended. Its error says what could not
// be saved.
func (m *Model) Close() (err error) {
	if m.session != nil {
		for _, p := range m.session.pages {
			if keeper, ok := p.screen.(interface{ Flush() error }); ok {
				err = errors.Join(err, keeper.Flush())
			}
		}
	}
	m.connections.close()
	return err
}

// open shows the screens of a connection and starts fetching.
func (m *Model) open(c Connection) tea.Cmd {
	data := snapshot.New(m.ctx, c.Client, snapshot.Options{Now: m.options.Now, Timeout: m.options.Timeout})
	m.session = &session{profile: c.Profile, client: c.Client, data: data, pages: newPages(m, c.Client, data)}
	m.keys = newKeyMap(m.session.pages)
	m.resize()
	for _, p := range m.session.pages {
		p.screen.SetTheme(m.theme)
	}
	first := m.show(0)
	return tea.Batch(m.schedule.start(data), first)
}

// show brings a page to the front. Its own fetching starts when it is first
// shown.
func (m *Model) show(i int) tea.Cmd {
	s := m.session
	s.active = i
	m.stage.front.Store(s.pages[i].name)
	s.data.Show(partsOf(s.pages[i].name)...)
	if s.pages[i].opened {
		return nil
	}
	s.pages[i].opened = true
	return s.pages[i].screen.Init()
}

// go to another page, remembering the way back.
func (m *Model) visit(i int) tea.Cmd {
	s := m.session
	if i == s.active {
		return nil
	}
	s.trail = append(s.trail, s.active)
	if len(s.trail) > 50 {
		s.trail = s.trail[1:]
	}
	return m.show(i)
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
