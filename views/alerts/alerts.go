// Package alerts is the page of alerts: what `tarmac watch` checks, the channels it notifies, and
// the commands that change both. The page also reports new notifications to the dashboard.
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

// maxAge is how long loaded alerts are shown before they are loaded again.
const maxAge = 30 * time.Second

// Page returns the page's name and constructor for the root model. Only sessions with alerts have
// the page.
func Page() views.Page {
	return views.Page{
		Name: views.Alerts, Title: "Alerts", Background: true,
		Available: func(env views.Env) bool { return env.Alerts != nil },
		New:       func(env views.Env) views.Screen { return New(env) },
	}
}

// Screen is the page of alerts. It uses no page.Data, because the alerts come from files of this
// machine: an outage of the server doesn't make them stale.
type Screen struct {
	overview resource.Resource[*alerts.Overview]
	lastSent time.Time // time of the latest notification at the last load
	lines    []string  // all lines of the page
	offset   int       // index of the first visible line

	theme         theme.Theme
	width, height int
	nav           views.Navigation
	actions       views.Actions
	env           views.Env
}

// New returns the page without alerts.
func New(env views.Env) *Screen {
	s := &Screen{env: env, nav: views.NewNavigation()}
	s.actions = views.Actions{{Key: "y", Help: "copy", When: s.loaded, Do: s.copy}}
	s.SetTheme(env.Theme)
	return s
}

// Init returns the command that loads the alerts.
func (s *Screen) Init() tea.Cmd { return s.load() }

// loadedMsg is the result of load.
type loadedMsg struct {
	request  uint64
	overview *alerts.Overview
	err      error
}

// load returns the command that loads the alerts, or nil while they are being loaded.
func (s *Screen) load() tea.Cmd {
	if s.overview.Waiting() {
		return nil
	}
	request, parent, timeout, read := s.overview.Begin(), s.env.Context, s.env.Timeout, s.env.Alerts
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		overview, err := read(ctx)
		return loadedMsg{request, overview, err}
	}
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case loadedMsg:
		return s.store(msg)
	case views.Refresh:
		return s.load()
	case views.Tick:
		if resource.Due(s.overview.State(), s.env.Now(), resource.Policy{MaxAge: maxAge}) {
			return s.load()
		}
	case tea.KeyPressMsg:
		if cmd, handled := s.actions.Press(msg); handled {
			return cmd
		}
		if lines, ok := s.nav.LineMove(msg, s.height); ok {
			s.scroll(lines)
		}
	}
	return nil
}

// store stores loaded alerts. It returns the command that sends a views.AlertsTold to the
// dashboard.
func (s *Screen) store(msg loadedMsg) tea.Cmd {
	first := s.overview.LoadedAt().IsZero()
	now := s.env.Now()
	retry := resource.NextRetry(now, msg.err, s.overview.Failures())
	if !s.overview.Complete(msg.request, msg.overview, resource.Ready, msg.err, now, retry) {
		return nil
	}
	s.layOut()
	if msg.err != nil {
		return nil
	}
	var report views.AlertsTold
	for _, e := range msg.overview.Open() {
		report.Open = append(report.Open, alerts.TextOf([]alerts.Entry{e}))
	}
	if !first {
		report.Text = alerts.TextOf(msg.overview.Since(s.lastSent))
	}
	s.lastSent = msg.overview.LastTold()
	return func() tea.Msg { return report }
}

func (s *Screen) loaded() bool { return !s.overview.LoadedAt().IsZero() }

// copy returns the command that copies the alerts as text.
func (s *Screen) copy() tea.Cmd {
	overview, _ := s.overview.Value()
	return views.PutOnClipboard("the alerts", strings.Join(append(overview.Lines(), overview.Looked()), "\n"))
}

// SetSize sets the size of the page in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.layOut()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme = t
	s.layOut()
}

// Show returns nil, because the page ignores targets.
func (s *Screen) Show(any) tea.Cmd { return nil }

// Back returns false, because the page has nothing to close.
func (s *Screen) Back() bool { return false }

// State returns the fetch state of the alerts.
func (s *Screen) State() views.State {
	return views.State{Fetched: []resource.State{s.overview.State()}}
}

// Help returns the keys of the page.
func (s *Screen) Help() []views.HelpGroup {
	return []views.HelpGroup{s.actions.Help("Alerts"), s.nav.Help("Move", s.loaded())}
}

// View draws the page.
func (s *Screen) View() string {
	var lines []string
	if s.loaded() {
		lines = s.lines[s.offset:]
		if below := len(lines) - s.height; below > 0 && s.height > 1 {
			note := s.theme.Faint.Render(termtext.Fit(plural.Count(below+1, "more line"), s.width))
			lines = append(lines[:s.height-1:s.height-1], note)
		}
	} else {
		frame := panel.Frame{Title: "Alerts", Width: s.width, Height: s.height}
		lines = panel.Draw(s.theme, frame, s.overview.State(), s.env.Now())
	}
	return strings.Join(panel.Box(lines, s.width, s.height), "\n")
}
