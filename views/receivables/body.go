package receivables

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/panel"
)

// body is the shown side of the page.
type body struct{ screen *Screen }

func (body) Arrange(int, int) {}

func (b body) Lines(width, height int) []string {
	missing, panels := b.screen.missing, b.screen.panels
	if b.screen.paying {
		missing, panels = b.screen.bills.missing, b.screen.bills.panels
	}
	below := missing()
	lines := append(panel.Box(panels(), width, height-len(below)), below...)
	lines = panel.Box(lines, width, height)
	if top := b.screen.Top(); top != nil && len(lines) > 0 {
		lines[len(lines)-1] = listdetail.Fit(top.Draw(), width)
	}
	return lines
}

// pairs is a page.Pair of either side.
type pairs interface {
	Move(press tea.KeyPressMsg) bool
	Click(inside bool, x, y int) (tea.Cmd, bool)
	Back() bool
}

// shown returns the pair of lists of the shown side, with their arrangement.
func (b body) shown() (pairs, arrangement) {
	if s := b.screen; s.paying {
		return &s.bills.pair, s.bills.arrange()
	}
	return &b.screen.pair, b.screen.arrange()
}

func (b body) Move(press tea.KeyPressMsg) bool {
	pair, _ := b.shown()
	moved := pair.Move(press)
	if s := b.screen; !s.paying && !s.pair.Inside {
		s.bucket = 0
	}
	return moved
}

// Click selects the clicked record. A click on the selected one opens it.
func (b body) Click(x, y int) tea.Cmd {
	s := b.screen
	pair, a := b.shown()
	state := s.Snapshot.Aging.State()
	if s.paying {
		state = s.bills.state()
	}
	x, y = x-a.side(), y-a.above-a.buckets
	if inside := a.invoices > 0 && y >= a.customers; y > 0 && state.HasFigures() && (inside || a.customers > 0) {
		if inside {
			y -= a.customers
		}
		was := s.bucket
		s.bucket = 0
		cmd, hit := pair.Click(inside, x, y-1)
		if !hit {
			s.bucket = was
		}
		return cmd
	}
	return nil
}

func (b body) Help() []views.HelpGroup {
	if s := b.screen; s.paying {
		return []views.HelpGroup{s.Nav.Help("Vendors", s.bills.vendors.Len() > 0)}
	}
	return []views.HelpGroup{b.screen.Nav.Help("Customers", b.screen.rows() > 0)}
}

// Back leaves the inner list, the selected bucket, or else the text filter.
func (b body) Back() bool {
	s := b.screen
	pair, _ := b.shown()
	switch {
	case pair.Back():
	case s.paying:
		return s.bills.vendors.Back()
	case s.bucket > 0:
		s.bucket = 0
	default:
		return s.customers.Back()
	}
	return true
}

func (b body) SetTheme(t theme.Theme) {
	b.screen.customers.SetTheme(t)
	b.screen.open.SetTheme(t)
	b.screen.bills.vendors.SetTheme(t)
	b.screen.bills.bills.SetTheme(t)
}

// rows returns the number of customers to select.
func (s *Screen) rows() int {
	if a := s.arrange(); s.Snapshot.Aging.State().HasFigures() && a.customers+a.invoices > 0 {
		return s.customers.Len()
	}
	return 0
}
