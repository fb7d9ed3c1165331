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

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Overview, Digit: "1", Title: "Overview", Short: "Over",
		Needs: []snapshot.Part{
			snapshot.Account, snapshot.Cash, snapshot.Aging, snapshot.Months, snapshot.Latest, snapshot.Events,
		},
		Later: []snapshot.Part{snapshot.History},
		New:   func(env views.Env) views.Screen { return New(env) },
	}
}

// Screen is the overview page. All of its data comes from the snapshot.
type Screen struct {
	data          *snapshot.Snapshot
	annotations   *annotations.File
	theme         theme.Theme
	width, height int
	actions       views.Actions
	question      *masked.Question
	hasPanels     bool    // there are panels to focus
	focus         panelID // the focused panel, or none
	breakdown     bool    // the page shows how cash on hand adds up
	answers       *answers.Answers
	chart         chart.Cache // money out by month
	picture       chart.Cache // cash
	cache         panel.Cache

	env views.Env
}

// New returns the page.
func New(env views.Env) *Screen {
	s := &Screen{data: env.Snapshot, env: env, theme: env.Theme, question: masked.NewQuestion(), hasPanels: true}
	s.annotations = cmp.Or(env.Annotations, annotations.NewFile(nil))
	s.answers = answers.New(env, false, why.Lasts, why.Used, why.Worse, why.Owed)
	panels := func() bool { return s.hasPanels && !s.breakdown }
	s.actions = views.Actions{
		views.Back(func() bool { return s.breakdown }, s.Back),
		{Key: "enter", Help: "open", Do: s.open,
			When: func() bool { return s.focus != none || s.breakdown || s.answers.IsFocused() }},
		{Key: "tab", Help: "next panel", When: panels, Do: views.Do(func() { s.moveFocus(1) })},
		{Key: "y", Help: "copy figures", When: s.canCopy, Do: func() tea.Cmd {
			return s.question.Copy(s.theme, "the figures", s.text())
		}},
		{Key: "shift+tab", Help: "previous panel", When: panels, Do: views.Do(func() { s.moveFocus(-1) })},
	}
	return s
}

// Init returns nil, because the snapshot fetches the page's data.
func (s *Screen) Init() tea.Cmd { return nil }

// Update handles a message. When a snapshot.Result arrives, the snapshot already holds the new
// figures.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshot.Result:
		s.answers.Refresh()
		s.layOut()
		return s.answers.Due()
	case answers.Computed:
		s.answers.Store(msg)
		s.layOut()
		return s.answers.Due()
	case views.Annotated, views.Visible: // ages may have changed while the page was hidden
		s.cache.Invalidate()
	case views.Tick:
		if s.countsDown() {
			s.cache.Invalidate()
		}
	case views.Click:
		return s.click(msg.X, msg.Y)
	case tea.KeyPressMsg:
		return s.press(msg)
	}
	return nil
}

// View draws the page.
func (s *Screen) View() string {
	return s.cache.Text(func() []string {
		lines := s.drawBreakdown()
		if !s.breakdown {
			lines = s.layout().draw(s)
		}
		return s.question.Below(panel.Box(lines, s.width, s.height), s.width)
	})
}

// SetSize sets the size of the page in cells. A panel that no longer fits loses the focus.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.layOut()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.chart, s.picture = t, chart.Cache{}, chart.Cache{}
	s.layOut()
}

// Show returns nil, because the page ignores targets.
func (s *Screen) Show(any) tea.Cmd { return nil }

// Back closes the question or the breakdown of cash, or else removes the focus. It returns false if
// the page had none of these.
func (s *Screen) Back() bool {
	closed := s.focus != none || s.answers.IsFocused()
	switch {
	case s.question.Open():
		s.question.Cancel()
		closed = true
	case s.breakdown:
		s.breakdown, closed = false, true
	default:
		s.setFocus(none)
	}
	s.cache.Invalidate()
	return closed
}

// Help returns the keys of the question, or else of the page.
func (s *Screen) Help() []views.HelpGroup {
	if s.question.Open() {
		return s.question.Help()
	}
	return []views.HelpGroup{s.actions.Help("Overview")}
}

// State reports whether a question is open, which takes all key presses.
func (s *Screen) State() views.State { return views.State{Typing: s.question.Open()} }

// layOut fits the sentences into the page, and removes the focus from a panel that the page no
// longer shows.
func (s *Screen) layOut() {
	const part, maxLines = 4, 5
	if s.leads() {
		l := leadOf(s.width, s.height)
		s.answers.Limit(why.Lasts, why.Used)
		if _, digits := s.digits(); digits {
			if _, said := s.answers.About(why.Used); said {
				s.answers.Limit(why.Used)
			}
		}
		s.answers.SetRoom(s.theme, l.text, s.leadSentences(l))
	} else {
		s.answers.Limit()
		s.answers.SetRoom(s.theme, s.width, min(maxLines, s.height/part))
	}
	s.cache.Invalidate()
	shown := s.layout().panels()
	s.hasPanels = len(shown) > 0
	if s.focus != none && !slices.Contains(shown, s.focus) {
		s.setFocus(none)
	}
}

// leads reports whether the page begins with how long the cash lasts, next to a chart.
func (s *Screen) leads() bool { return s.width >= heroWidth && s.height >= heroHeight }

// open opens the focused sentence or panel. From the breakdown of cash, it opens the page Runway.
func (s *Screen) open() tea.Cmd {
	switch {
	case s.answers.IsFocused():
		return s.answers.Open()
	case s.breakdown:
		return views.Go(views.Runway, nil)
	case s.focus == cash:
		s.breakdown = true
		return nil
	case s.focus == changes:
		return s.answers.OpenAbout(why.Worse)
	}
	return views.Go(s.focus.screen(), nil)
}

// countsDown reports whether the page shows the age of stale figures or the time until a retry,
// which change every second.
func (s *Screen) countsDown() bool {
	return slices.ContainsFunc(snapshot.Parts[:], func(p snapshot.Part) bool { return s.data.State(p).Err != nil })
}

// canCopy reports whether at least one panel has figures to copy.
func (s *Screen) canCopy() bool {
	d := s.data
	states := []resource.State{d.Account.State(), d.Cash.State(), d.Aging.State(), d.Months.State()}
	return slices.ContainsFunc(states, resource.State.HasFigures)
}

func (s *Screen) press(msg tea.KeyPressMsg) tea.Cmd {
	s.cache.Invalidate()
	if s.question.Open() {
		return s.question.Press(msg)
	}
	cmd, _ := s.actions.Press(msg)
	return cmd
}

// click focuses the clicked panel, or opens its page if it already has the focus.
func (s *Screen) click(x, y int) tea.Cmd {
	switch id := s.layout().at(x, y); {
	case id == none || s.question.Open() || s.breakdown:
	case id == s.focus:
		return s.press(views.Enter())
	default:
		s.setFocus(id)
	}
	return nil
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
