// Package receivables is the page of what customers owe: by days past due, in
// total, and by those who owe the most.
package receivables

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/theme"
	"tarmac/views"
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
	data             *snapshot.Snapshot
	now              func() time.Time
	theme            theme.Theme
	width, height    int
	nav              views.Navigation
	overdue          key.Binding // leads to everybody's overdue invoices
	selected, offset int         // of the overdue customers
	picture          string      // what View returns while nothing changes
	drawn            bool
}

var _ views.Screen = (*Screen)(nil)

// New returns the page.
func New(o Options) *Screen {
	s := &Screen{
		data: o.Snapshot, now: o.Now, theme: o.Theme, nav: views.NewNavigation(),
		overdue: key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "overdue invoices")),
	}
	s.nav.Open.SetHelp("enter", "the customer's invoices")
	s.settle()
	return s
}

// Init returns nil: the snapshot fetches what is shown here.
func (s *Screen) Init() tea.Cmd { return nil }

// Refresh returns nil, as Init does.
func (s *Screen) Refresh() tea.Cmd { return nil }

// Typing reports false: there is nothing to type into.
func (s *Screen) Typing() bool { return false }

// Back reports false: what opens is another screen.
func (s *Screen) Back() bool { return false }

// SetSize sets the room for the page.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.settle()
}

// SetTheme sets the looks.
func (s *Screen) SetTheme(t theme.Theme) { s.theme, s.drawn = t, false }

// Help returns the keys that lead to the invoices behind the figures, and those that
// move through the customers while there are some.
func (s *Screen) Help() []views.HelpGroup {
	return []views.HelpGroup{{Title: "Receivables", Bindings: append([]key.Binding{s.nav.Open, s.overdue}, s.nav.Moves()...)}}
}

// Update takes a message. New figures are in the snapshot already when their
// message comes here.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshot.Answer:
		s.settle()
	case views.Tick:
		if s.data.Aging.Err() != nil {
			s.drawn = false // ages and countdowns go by the time
		}
	case tea.KeyPressMsg:
		return s.key(msg)
	}
	return nil
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(press, s.nav.Open):
		a, _ := s.data.Aging.Value()
		return views.Go(views.Invoices, views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: a.TopOverdue[s.selected].Name})
	case key.Matches(press, s.overdue):
		return views.Go(views.Invoices, views.InvoicesTarget{Status: apiclient.InvoiceOverdue})
	}
	s.move(press)
	return nil
}

// customers is how many rows there are to select from.
func (s *Screen) customers() int {
	a, ok := s.data.Aging.Value()
	if !ok || !s.data.Aging.State().HasFigures() || s.page() == 0 {
		return 0
	}
	return len(a.TopOverdue)
}

// page is how many customers the table shows at a time.
func (s *Screen) page() int { return max(0, s.arrange().customers-tableFrame) }

// settle keeps the selected customer within the list and in sight.
func (s *Screen) settle() {
	s.drawn = false
	n, page := s.customers(), s.page()
	s.selected = max(0, min(s.selected, n-1))
	s.offset = max(0, min(s.offset, s.selected, n-page))
	s.offset = max(s.offset, s.selected-page+1)
	s.nav.EnableMoves(n > 0)
	s.nav.Open.SetEnabled(n > 0)
	s.overdue.SetEnabled(s.data.Aging.State().HasFigures())
}

func (s *Screen) move(msg tea.KeyPressMsg) {
	page := max(1, s.page())
	switch {
	case key.Matches(msg, s.nav.Up):
		s.selected--
	case key.Matches(msg, s.nav.Down):
		s.selected++
	case key.Matches(msg, s.nav.PageUp):
		s.selected -= page
	case key.Matches(msg, s.nav.PageDown):
		s.selected += page
	case key.Matches(msg, s.nav.HalfUp):
		s.selected -= max(1, page/2)
	case key.Matches(msg, s.nav.HalfDown):
		s.selected += max(1, page/2)
	case key.Matches(msg, s.nav.Top):
		s.selected = 0
	case key.Matches(msg, s.nav.Bottom):
		s.selected = s.customers() - 1
	default:
		return
	}
	s.settle()
}

// View draws the page.
func (s *Screen) View() string {
	if !s.drawn {
		s.picture, s.drawn = strings.Join(panel.Box(s.draw(), s.width, s.height), "\n"), true
	}
	return s.picture
}
