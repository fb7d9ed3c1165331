// Package runway is the page of how long the cash lasts: the figures that the
// server estimates, the cash behind and ahead of us, and the months it was made of.
package runway

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/chart"
	"tarmac/views/panel"
	"tarmac/views/snapshot"
)

// Options are the screen's surroundings. Now is the session's clock.
type Options struct {
	Snapshot *snapshot.Snapshot
	Now      func() time.Time
	Theme    theme.Theme
}

// Screen is the page. It fetches nothing of its own.
type Screen struct {
	data          *snapshot.Snapshot
	now           func() time.Time
	theme         theme.Theme
	width, height int
	nav           views.Navigation
	offset        int // months scrolled away above the table
	chart         chart.Kept
	picture       string // what View returns while nothing changes
	drawn         bool
}

var _ views.Screen = (*Screen)(nil)

// New returns the page.
func New(o Options) *Screen {
	s := &Screen{data: o.Snapshot, now: o.Now, theme: o.Theme, nav: views.NewNavigation()}
	s.settle()
	return s
}

// Init returns nil: the snapshot fetches what is shown here.
func (s *Screen) Init() tea.Cmd { return nil }

// Refresh returns nil, as Init does.
func (s *Screen) Refresh() tea.Cmd { return nil }

// Typing reports false: there is nothing to type into.
func (s *Screen) Typing() bool { return false }

// Back reports false: nothing opens here.
func (s *Screen) Back() bool { return false }

// SetSize sets the room for the page.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.settle()
}

// SetTheme sets the looks.
func (s *Screen) SetTheme(t theme.Theme) { s.theme, s.drawn, s.chart = t, false, chart.Kept{} }

// Help returns the keys that work here: those that scroll, while there is
// something to scroll to.
func (s *Screen) Help() []views.HelpGroup {
	return []views.HelpGroup{{Title: "Runway", Bindings: s.nav.Moves()}}
}

// Update takes a message. New figures are in the snapshot already when their
// message comes here.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshot.Answer:
		s.settle()
	case views.Tick:
		if s.data.Cash.Err() != nil || s.data.Months.Err() != nil {
			s.drawn = false // ages and countdowns go by the time
		}
	case tea.KeyPressMsg:
		s.scroll(msg)
	}
	return nil
}

// settle keeps the scrolled table within its rows.
func (s *Screen) settle() {
	s.drawn = false
	s.offset = max(0, min(s.offset, s.surplus()))
	s.nav.EnableMoves(s.surplus() > 0)
}

func (s *Screen) scroll(msg tea.KeyPressMsg) {
	page := max(1, s.arrange().table-tableFrame)
	switch {
	case key.Matches(msg, s.nav.Up):
		s.offset--
	case key.Matches(msg, s.nav.Down):
		s.offset++
	case key.Matches(msg, s.nav.PageUp):
		s.offset -= page
	case key.Matches(msg, s.nav.PageDown):
		s.offset += page
	case key.Matches(msg, s.nav.HalfUp):
		s.offset -= max(1, page/2)
	case key.Matches(msg, s.nav.HalfDown):
		s.offset += max(1, page/2)
	case key.Matches(msg, s.nav.Top):
		s.offset = 0
	case key.Matches(msg, s.nav.Bottom):
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
	if !s.drawn {
		s.picture, s.drawn = strings.Join(panel.Box(s.draw(), s.width, s.height), "\n"), true
	}
	return s.picture
}
