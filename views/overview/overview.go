// Package overview is the first page of the dashboard: cash, runway, receivables, money in and out
// by month, and the latest transactions and events.
package overview

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/annotations"
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
	known         *annotations.File
	theme         theme.Theme
	width, height int
	actions       views.Actions
	question      *masked.Question
	panels        bool    // there are panels to focus
	focus         panelID // the focused panel, or none
	ladder        bool    // the page shows how cash on hand adds up
	answers       *answers.Answers
	chart         chart.Cache
	cache         panel.Cache

	env views.Env
}

// New returns the page.
func New(env views.Env) *Screen {
	s := &Screen{data: env.Snapshot, env: env, theme: env.Theme, question: masked.NewQuestion(), panels: true}
	s.known = cmp.Or(env.Annotations, annotations.NewFile(nil))
	s.answers = answers.New(env, false, why.Lasts, why.Used, why.Worse, why.Owed)
	panels := func() bool { return s.panels && !s.ladder }
	s.actions = views.Actions{
		views.Back(func() bool { return s.ladder }, s.Back),
		{Key: "enter", Help: "open", When: func() bool { return s.focus != none || s.ladder || s.answers.IsFocused() },
			Do: s.open},
		{Key: "tab", Help: "next panel", When: panels, Do: views.Do(func() { s.moveFocus(1) })},
		{Key: "y", Help: "copy figures", When: s.canCopy, Do: func() tea.Cmd {
			return s.question.Copy(s.theme, "the figures", s.text())
		}},
		{Key: "shift+tab", Help: "previous panel", When: panels, Do: views.Do(func() { s.moveFocus(-1) })},
	}
	return s
}

// open opens the focused sentence or panel. From the ladder, it opens the page Runway.
func (s *Screen) open() tea.Cmd {
	switch {
	case s.answers.IsFocused():
		return s.answers.Open()
	case s.ladder:
		return views.Go(views.Runway, nil)
	case s.focus == cash:
		s.ladder = true
		return nil
	}
	return views.Go(s.focus.screen(), nil)
}

// Typing reports whether a question is open, which takes all key presses.
func (s *Screen) Typing() bool { return s.question.Open() }

// Back closes the open question or the ladder of cash, or else removes the focus from what has it.
// It returns false if there is nothing of these.
func (s *Screen) Back() bool {
	if s.question.Open() {
		s.question.Cancel()
		s.cache.Invalidate()
		return true
	}
	had := s.focus != none || s.answers.IsFocused()
	if s.ladder {
		s.ladder = false
		s.cache.Invalidate()
		return true
	}
	s.setFocus(none)
	return had
}

// SetVisible discards the cached drawing of the page, because ages and countdowns change while the
// page is hidden.
func (s *Screen) SetVisible(bool) { s.cache.Invalidate() }

// SetSize sets the size of the page in cells. A panel that no longer fits loses the focus.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.arrange()
}

// arrange lays the page out anew, after its size or its sentences have changed.
func (s *Screen) arrange() {
	const part, most = 4, 5
	s.answers.SetRoom(s.theme, s.width, min(most, s.height/part))
	s.cache.Invalidate()
	shown := s.layout().panels()
	s.panels = len(shown) > 0
	if s.focus != none && !slices.Contains(shown, s.focus) {
		s.setFocus(none)
	}
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.chart = t, chart.Cache{}
	s.arrange()
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
		s.answers.Refresh()
		s.arrange()
		return s.answers.Due()
	case answers.Computed:
		s.answers.Store(msg)
		s.arrange()
		return s.answers.Due()
	case views.Annotated:
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

// moveFocus moves the focus through the panels, and after the last one through the sentences.
func (s *Screen) moveFocus(by int) {
	shown := s.layout().panels()
	at := slices.Index(shown, s.focus)
	if s.focus != none || by > 0 {
		at += by
	}
	switch {
	case s.answers.IsFocused():
		if s.answers.Focus(by) {
			return
		}
		at = 0
		if by < 0 {
			at = len(shown) - 1
		}
	case at < 0 || at >= len(shown):
		if s.answers.Focus(by) {
			s.focus = none
			return
		}
		at = (at + len(shown)) % len(shown)
	}
	s.setFocus(shown[(at+len(shown))%len(shown)])
}

func (s *Screen) setFocus(id panelID) {
	s.focus = id
	s.answers.Unfocus()
	s.cache.Invalidate()
}

// View draws the page.
func (s *Screen) View() string {
	return s.cache.Text(func() []string {
		lines := s.drawLadder()
		if !s.ladder {
			lines = s.layout().draw(s)
		}
		return s.question.Below(panel.Box(lines, s.width, s.height), s.width)
	})
}
