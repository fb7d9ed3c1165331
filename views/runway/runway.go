// Package runway is the page of how long the cash lasts: the figures that the
// server estimates, the cash behind and ahead of us, the months it was made of, and
// what somebody supposes of the months to come.
package runway

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/scenario"
	"tarmac/client/snapshot"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
)

// Screen is the page. It fetches nothing of its own. What is supposed is always
// labelled as hypothetical.
type Screen struct {
	views.Base

	data          *snapshot.Snapshot
	theme         theme.Theme
	width, height int
	keys          keyMap
	question      masked.Question
	scenarios     scenario.Set
	outlooks      []outlook // what the server says first, then the scenarios
	form          form
	keeping       keeping
	offset        int // months scrolled away above the table
	chart         chart.Kept
	chartCompared bool // the chart has scenarios in it
	cache         panel.Cache

	env views.Env
}

// New returns the page.
func New(env views.Env) *Screen {
	s := &Screen{data: env.Snapshot, env: env, theme: env.Theme, keys: newKeyMap(), question: masked.NewQuestion()}
	s.keeping.directory, s.keeping.origin = env.Drafts, env.Origin
	s.recount()
	return s
}

// Init reads the scenarios that were kept; the snapshot fetches the rest.
func (s *Screen) Init() tea.Cmd { return s.restore() }

// Typing reports whether the form of a scenario is open, or a letter is an answer.
func (s *Screen) Typing() bool { return s.form.open || s.question.Open() }

// Back closes the form, or what is asked.
func (s *Screen) Back() bool {
	was := s.Typing()
	s.form.open = false
	s.question.Close()
	s.settle()
	return was
}

// SetVisible draws the page anew when it comes into view: ages and countdowns go by the
// time.
func (s *Screen) SetVisible(bool) { s.cache.Invalidate() }

// SetSize sets the room for the page.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.settle()
}

// SetTheme sets the looks.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.chart = t, chart.Kept{}
	s.cache.Invalidate()
}

// Update takes a message. New figures are in the snapshot already when their
// message comes here.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshot.Answer:
		s.recount()
		return s.restore()
	case restored:
		return s.restored(msg)
	case kept:
		return s.kept(msg)
	case views.Tick:
		if s.data.Cash.Err() != nil || s.data.Months.Err() != nil {
			s.cache.Invalidate() // ages and countdowns go by the time
		}
	case tea.KeyPressMsg:
		return s.press(msg)
	case tea.PasteMsg:
		if s.form.open {
			s.typed(msg)
		}
	}
	return nil
}

// recount computes the scenarios and draws the chart anew, since one of them or what
// they start from may have changed.
func (s *Screen) recount() {
	s.outlooks = s.computeOutlooks()
	if s.chartCompared || s.scenarios.Count() > 0 {
		s.chart = chart.Kept{}
	}
	s.chartCompared = s.scenarios.Count() > 0
	s.settle()
}

// settle keeps the scrolled table within its rows.
func (s *Screen) settle() {
	s.cache.Invalidate()
	s.offset = max(0, min(s.offset, s.surplus()))
	s.enable()
}

func (s *Screen) scroll(msg tea.KeyPressMsg) {
	page := max(1, s.arrange().table-tableFrame)
	switch {
	case key.Matches(msg, s.keys.Up):
		s.offset--
	case key.Matches(msg, s.keys.Down):
		s.offset++
	case key.Matches(msg, s.keys.PageUp):
		s.offset -= page
	case key.Matches(msg, s.keys.PageDown):
		s.offset += page
	case key.Matches(msg, s.keys.HalfUp):
		s.offset -= max(1, page/2)
	case key.Matches(msg, s.keys.HalfDown):
		s.offset += max(1, page/2)
	case key.Matches(msg, s.keys.Top):
		s.offset = 0
	case key.Matches(msg, s.keys.Bottom):
		s.offset = s.surplus()
	default:
		return
	}
	s.settle()
}

// surplus is how many months have no room in the table.
func (s *Screen) surplus() int {
	months, _ := s.data.Months.Value()
	if s.arrange().table == 0 || !s.data.Months.State().HasFigures() {
		return 0
	}
	return max(0, len(months)-(s.arrange().table-tableFrame))
}

// View draws the page.
func (s *Screen) View() string {
	return s.cache.Text(func() []string {
		return s.question.Below(s.theme, panel.Box(s.draw(), s.width, s.height), s.width)
	})
}
