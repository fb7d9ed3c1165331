package receivables

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/panel"
)

// body is the shown side of the page.
type body struct{ *Screen }

func (body) Arrange(int, int) {}

func (b body) Lines(width, height int) []string {
	missing, panels := b.missing, b.panels
	if b.paying {
		missing, panels = b.bills.missing, b.bills.panels
	}
	below := missing()
	lines := append(panel.Box(panels(), width, height-len(below)), below...)
	lines = panel.Box(lines, width, height)
	if top := b.Top(); top != nil && len(lines) > 0 {
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
	if b.paying {
		return &b.bills.pair, b.bills.arrange()
	}
	return &b.pair, b.arrange()
}

func (b body) Move(press tea.KeyPressMsg) bool {
	pair, _ := b.shown()
	moved := pair.Move(press)
	if !b.paying && !b.Screen.pair.Inside {
		b.bucket = 0
	}
	return moved
}

// Click selects the clicked record. A click on the selected one opens it.
func (b body) Click(x, y int) tea.Cmd {
	pair, a := b.shown()
	state := b.Snapshot.Aging.State()
	if b.paying {
		state = b.bills.state()
	}
	x, y = x-a.side(), y-a.above-a.buckets
	if inside := a.invoices > 0 && y >= a.customers; y > 0 && state.HasFigures() && (inside || a.customers > 0) {
		if inside {
			y -= a.customers
		}
		was := b.bucket
		b.bucket = 0
		cmd, hit := pair.Click(inside, x, y-1)
		if !hit {
			b.bucket = was
		}
		return cmd
	}
	return nil
}

func (b body) Help() []views.HelpGroup {
	if b.paying {
		return []views.HelpGroup{b.Nav.Help("Vendors", b.bills.vendors.Len() > 0)}
	}
	return []views.HelpGroup{b.Nav.Help("Customers", b.rows() > 0)}
}

// Back leaves the inner list, the selected bucket, or else the text filter.
func (b body) Back() bool {
	pair, _ := b.shown()
	text := b.customers
	switch {
	case pair.Back():
	case b.paying:
		return b.bills.vendors.Back()
	case b.bucket > 0:
		b.bucket = 0
	default:
		return text.Back()
	}
	return true
}

func (b body) SetTheme(t theme.Theme) {
	b.customers.SetTheme(t)
	b.Screen.open.SetTheme(t)
	b.bills.vendors.SetTheme(t)
	b.bills.bills.SetTheme(t)
}

// rows returns the number of customers to select.
func (s *Screen) rows() int {
	if a := s.arrange(); s.Snapshot.Aging.State().HasFigures() && a.customers+a.invoices > 0 {
		return s.customers.Len()
	}
	return 0
}
