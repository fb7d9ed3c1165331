// Package alerts is the page of what `tarmac watch` looks at: the alerts with their state, the
// channels that tell them, and the commands that change them. The page also tells the dashboard
// what was told since it was opened.
package alerts

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/alerts"
	"tarmac/client/resource"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// maxAge is the age from which the state of the alerts is read again, shown or not.
const maxAge = 30 * time.Second

// Page returns the page's name and constructor for the root model. Sessions without alerts of their
// own do not have the page.
func Page() views.Page {
	return views.Page{
		Name: views.Alerts, Title: "Alerts", Background: true,
		Available: func(env views.Env) bool { return env.Alerts != nil },
		New:       func(env views.Env) views.Screen { return views.Adapt(New(env)) },
	}
}

// Screen is the page of alerts.
type Screen struct {
	views.Base

	state  resource.Resource[*alerts.Overview]
	told   time.Time // when anything was told last, as of the last reading
	lines  []string  // all lines of the page
	offset int       // index of the first visible one

	theme         theme.Theme
	width, height int
	nav           views.Navigation
	actions       views.Actions
	env           views.Env
}

// New returns the page. It reads the state of the alerts at the first tick.
func New(env views.Env) *Screen {
	s := &Screen{env: env, nav: views.NewNavigation()}
	s.actions = views.Actions{{Key: "y", Help: "copy", When: s.known, Do: s.copy}}
	s.SetTheme(env.Theme)
	return s
}

// Init returns the command that reads the state of the alerts.
func (s *Screen) Init() tea.Cmd { return s.Refresh() }

// overview is the result of a reading.
type overview struct {
	request uint64
	of      *alerts.Overview
	err     error
}

// Refresh returns the command that reads the state of the alerts, or nil while another one runs.
func (s *Screen) Refresh() tea.Cmd {
	if s.state.Waiting() {
		return nil
	}
	request, parent, timeout, read := s.state.Begin(), s.env.Context, s.env.Timeout, s.env.Alerts
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		of, err := read(ctx)
		return overview{request, of, err}
	}
}

// Fetched returns the fetch state of the alerts.
func (s *Screen) Fetched() []resource.State { return []resource.State{s.state.State()} }

// Update handles keys, ticks and results of readings.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case overview:
		return s.store(msg)
	case views.Tick:
		if resource.Due(s.state.State(), s.env.Now(), resource.Policy{MaxAge: maxAge}) {
			return s.Refresh()
		}
	case tea.KeyPressMsg:
		if cmd, taken := s.actions.Press(msg); taken {
			return cmd
		}
		if lines, ok := s.nav.LineMove(msg, s.height); ok {
			s.scroll(lines)
		}
	}
	return nil
}

// store keeps a result. It returns the command that tells the dashboard how many alerts are open,
// and what was told since the last reading.
func (s *Screen) store(msg overview) tea.Cmd {
	first := s.state.LoadedAt().IsZero()
	now := s.env.Now()
	if !s.state.Complete(msg.request, msg.of, resource.Ready, msg.err, now,
		resource.NextRetry(now, msg.err, s.state.Failures())) {
		return nil
	}
	s.draw()
	if msg.err != nil {
		return nil
	}
	told := views.AlertsTold{Open: len(msg.of.Open())}
	if !first {
		told.Text = alerts.TextOf(msg.of.Since(s.told))
	}
	s.told = msg.of.LastTold()
	return func() tea.Msg { return told }
}

func (s *Screen) known() bool {
	_, known := s.state.Value()
	return known
}

// copy returns the command that copies the overview.
func (s *Screen) copy() tea.Cmd {
	of, _ := s.state.Value()
	return views.PutOnClipboard("the alerts", strings.Join(append(of.Lines(), of.Looked()), "\n"))
}

// SetSize sets the size of the page in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.draw()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme = t
	s.draw()
}

// scroll moves what is visible by some lines.
func (s *Screen) scroll(lines int) {
	s.offset = max(0, min(s.offset+lines, len(s.lines)-s.height))
}

// Help returns the keys of the page.
func (s *Screen) Help() []views.HelpGroup {
	return []views.HelpGroup{s.actions.Help("Alerts"), s.nav.Help("Move", s.known())}
}

// View draws the page.
func (s *Screen) View() string {
	if s.known() {
		lines := panel.Box(s.lines[s.offset:], s.width, s.height)
		if below := len(s.lines) - s.offset - s.height; below > 0 && s.height > 1 {
			note := s.theme.Faint.Render(termtext.Fit(plural.Count(below+1, "more line"), s.width))
			lines = panel.Box(append(lines[:s.height-1], note), s.width, s.height)
		}
		return strings.Join(lines, "\n")
	}
	frame := panel.Frame{Title: "Alerts", Width: s.width, Height: s.height}
	return strings.Join(panel.Box(panel.Draw(s.theme, frame, s.state.State(), s.env.Now()), s.width, s.height), "\n")
}
