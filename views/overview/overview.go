// Package overview is the first page of the dashboard: cash, runway, receivables, money in and out
// by month, and the latest transactions and events.
package overview

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/client/why"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/answers"
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
	actions       views.Actions
	question      *masked.Question
	panels        bool    // there are panels to focus
	focus         panelID // the focused panel, or none
	answers       *answers.Answers
	chart         chart.Cache
	cache         panel.Cache

	env views.Env
}

// New returns the page.
func New(env views.Env) *Screen {
	s := &Screen{data: env.Snapshot, env: env, theme: env.Theme, question: masked.NewQuestion(), panels: true}
	s.answers = answers.New(env, why.Lasts, why.Used, why.Worse, why.Owed)
	panels := func() bool { return s.panels }
	s.actions = views.Actions{
		{Key: "enter", Help: "open page", When: func() bool { return s.focus != none },
			Do: func() tea.Cmd { return views.Go(s.focus.screen(), nil) }},
		{Key: "tab", Help: "next panel", When: panels, Do: func() tea.Cmd { s.moveFocus(1); return nil }},
		{Key: "y", Help: "copy figures", When: s.canCopy, Do: func() tea.Cmd {
			return s.question.Copy(s.theme, "the figures", s.text())
		}},
		{Key: "shift+tab", Help: "previous panel", When: panels, Do: func() tea.Cmd { s.moveFocus(-1); return nil }},
	}
	return s
}

// Typing reports whether a question is open, which takes all key presses.
func (s *Screen) Typing() bool { return s.question.Open() }

// Back closes the open question, or else removes the focus from the focused panel. It returns false
// if there is neither.
func (s *Screen) Back() bool {
	if s.question.Open() {
		s.question.Cancel()
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
	s.panels = len(shown) > 0
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
	return []views.HelpGroup{s.actions.Help("Overview")}
}

// Update handles a message. When a snapshot.Result arrives, the snapshot already holds the new
// figures.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshot.Result:
		s.cache.Invalidate()
		return s.answers.Due()
	case answers.Computed:
		if s.answers.Store(msg) {
			s.SetSize(s.width, s.height)
		}
		return s.answers.Due()
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

// canCopy reports whether at least one panel has figures to copy.
func (s *Screen) canCopy() bool {
	d := s.data
	states := []resource.State{d.Account.State(), d.Cash.State(), d.Aging.State(), d.Months.State()}
	return slices.ContainsFunc(states, resource.State.HasFigures)
}

func (s *Screen) key(msg tea.KeyPressMsg) tea.Cmd {
	if s.question.Open() {
		s.cache.Invalidate()
		return s.question.Press(msg)
	}
	cmd, taken := s.actions.Press(msg)
	if taken {
		s.cache.Invalidate()
	}
	return cmd
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
}

// View draws the page.
func (s *Screen) View() string {
	return s.cache.Text(func() []string {
		return s.question.Below(panel.Box(s.layout().draw(s), s.width, s.height), s.width)
	})
}
