// Package runway is the page that shows how long the cash lasts: the server's estimates, past and
// expected cash, the monthly sums, and the user's what-if scenarios.
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

// Screen is the runway page. It reads its figures from the snapshot and always labels scenarios as
// hypothetical.
type Screen struct {
	views.Base

	data          *snapshot.Snapshot
	theme         theme.Theme
	width, height int
	keys          keyMap
	question      masked.Question
	scenarios     scenario.Set
	outlooks      []outlook // the server's estimate first, then the scenarios
	form          form
	keeping       keeping
	offset        int // months scrolled past at the top of the table
	chart         chart.Kept
	chartCompared bool // the chart includes scenarios
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

// Init returns the command that reads the saved scenarios. The snapshot fetches all other data.
func (s *Screen) Init() tea.Cmd { return s.restore() }

// Typing reports whether the form or a question takes the keys.
func (s *Screen) Typing() bool { return s.form.open || s.question.Open() }

// Back closes the form or the question, and reports whether one was open.
func (s *Screen) Back() bool {
	was := s.Typing()
	s.form.open = false
	s.question.Close()
	s.settle()
	return was
}

// SetVisible redraws the page when it is shown, since ages and countdowns change with time.
func (s *Screen) SetVisible(bool) { s.cache.Invalidate() }

// SetSize sets the size of the page in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.settle()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.chart = t, chart.Kept{}
	s.cache.Invalidate()
}

// Update handles a message. The snapshot is up to date before its messages arrive here.
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
			s.cache.Invalidate() // ages and countdowns change with time
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

// recount recomputes the scenarios and redraws the chart after a change of scenarios or figures.
func (s *Screen) recount() {
	s.outlooks = s.computeOutlooks()
	if s.chartCompared || s.scenarios.Count() > 0 {
		s.chart = chart.Kept{}
	}
	s.chartCompared = s.scenarios.Count() > 0
	s.settle()
}

// settle keeps the scroll offset of the table in range.
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

// surplus returns how many months do not fit into the table.
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
