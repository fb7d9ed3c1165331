// Package overview is the first page of the dashboard: cash, runway, receivables, money in and out
// by month, and the latest transactions and events.
package overview

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
)

// Screen is the overview page. It requests nothing itself; all its data comes from the snapshot.
type Screen struct {
	views.Base

	data          *snapshot.Snapshot
	theme         theme.Theme
	width, height int
	keys          keyMap
	question      masked.Question
	focus         panelID // the focused panel, or none
	chart         chart.Cache
	cache         panel.Cache

	env views.Env
}

type keyMap struct{ Next, Previous, Open, Copy key.Binding }

// New returns the page.
func New(env views.Env) *Screen {
	return &Screen{data: env.Snapshot, env: env, theme: env.Theme, question: masked.NewQuestion(), keys: keyMap{
		Next:     key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "next panel")),
		Previous: key.NewBinding(key.WithKeys("shift+tab"), key.WithHelp("shift+tab", "previous panel")),
		Open:     key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "open page"), key.WithDisabled()),
		Copy:     key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy figures")),
	}}
}

// Typing reports whether a question is open, which takes all key presses.
func (s *Screen) Typing() bool { return s.question.Open() }

// Back closes the open question, or else removes the focus from the focused panel. It returns false
// if there is neither.
func (s *Screen) Back() bool {
	if s.question.Open() {
		s.question.Close()
		s.cache.Invalidate()
		return true
	}
	had := s.focus != none
	s.setFocus(none)
	return had
}

// SetVisible discards the cached drawing of the page, because ages and countdowns change while the
// page is hidden.
func (s *Screen) SetVisible(bool) { s.cache.Invalidate() }

// SetSize sets the size of the page in cells. A panel that no longer fits loses the focus.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.cache.Invalidate()
	shown := s.layout().panels()
	s.keys.Next.SetEnabled(len(shown) > 0)
	s.keys.Previous.SetEnabled(len(shown) > 0)
	if !slices.Contains(shown, s.focus) {
		s.setFocus(none)
	}
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.chart = t, chart.Cache{}
	s.cache.Invalidate()
}

// Help returns the keys that work on this page.
func (s *Screen) Help() []views.HelpGroup {
	if s.question.Open() {
		return s.question.Help()
	}
	s.enable()
	return []views.HelpGroup{
		{Title: "Overview", Bindings: []key.Binding{s.keys.Open, s.keys.Next, s.keys.Copy, s.keys.Previous}},
	}
}

// Update handles a message. When a snapshot.Result arrives, the snapshot already holds the new
// figures.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshot.Result:
		s.cache.Invalidate()
	case views.Tick:
		if s.countsDown() {
			s.cache.Invalidate()
		}
	case tea.KeyPressMsg:
		return s.key(msg)
	}
	return nil
}

// countsDown reports whether the page shows the age of stale figures or the time until a retry,
// which change every second.
func (s *Screen) countsDown() bool {
	for _, part := range snapshot.Parts {
		if s.data.State(part).Err != nil {
			return true
		}
	}
	return false
}

// enable enables the copy key if at least one panel has figures to copy.
func (s *Screen) enable() {
	d := s.data
	states := []resource.State{d.Account.State(), d.Cash.State(), d.Aging.State(), d.Months.State()}
	s.keys.Copy.SetEnabled(slices.ContainsFunc(states, resource.State.HasFigures))
}

func (s *Screen) key(msg tea.KeyPressMsg) tea.Cmd {
	s.enable()
	switch {
	case s.question.Open():
		s.cache.Invalidate()
		return s.question.Answer(msg)
	case key.Matches(msg, s.keys.Copy):
		s.cache.Invalidate()
		return s.question.Copy(s.theme, "the figures", s.text())
	case key.Matches(msg, s.keys.Next):
		s.moveFocus(1)
	case key.Matches(msg, s.keys.Previous):
		s.moveFocus(-1)
	case key.Matches(msg, s.keys.Open):
		return views.Go(s.focus.screen(), nil)
	}
	return nil
}

func (s *Screen) moveFocus(by int) {
	shown := s.layout().panels()
	at := slices.Index(shown, s.focus)
	if at < 0 && by < 0 {
		at = 0
	}
	s.setFocus(shown[(at+by+len(shown))%len(shown)])
}

func (s *Screen) setFocus(id panelID) {
	s.focus = id
	s.cache.Invalidate()
	s.keys.Open.SetEnabled(id != none)
}

// View draws the page.
func (s *Screen) View() string {
	return s.cache.Text(func() []string {
		return s.question.Below(s.theme, panel.Box(s.layout().draw(s), s.width, s.height), s.width)
	})
}
