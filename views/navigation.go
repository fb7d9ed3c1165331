package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Navigation holds the keys that move through a list: arrows, vi keys and emacs keys. Every
// screen uses the same set.
type Navigation struct {
	Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom, Open, Back key.Binding
}

// NewNavigation returns all bindings enabled, with their help texts.
func NewNavigation() Navigation {
	return Navigation{
		Up:       key.NewBinding(key.WithKeys("up", "k", "ctrl+p"), key.WithHelp("↑/k", "up")),
		Down:     key.NewBinding(key.WithKeys("down", "j", "ctrl+n"), key.WithHelp("↓/j", "down")),
		PageUp:   key.NewBinding(key.WithKeys("pgup", "ctrl+b"), key.WithHelp("pgup", "page up")),
		PageDown: key.NewBinding(key.WithKeys("pgdown", "ctrl+f"), key.WithHelp("pgdn", "page down")),
		HalfUp:   key.NewBinding(key.WithKeys("ctrl+u"), key.WithHelp("ctrl+u", "half a page up")),
		HalfDown: key.NewBinding(key.WithKeys("ctrl+d"), key.WithHelp("ctrl+d", "half a page down")),
		Top:      key.NewBinding(key.WithKeys("g", "home"), key.WithHelp("g", "first")),
		Bottom:   key.NewBinding(key.WithKeys("G", "end"), key.WithHelp("G", "last")),
		Open:     key.NewBinding(key.WithKeys("enter", "right", "l"), key.WithHelp("enter", "open")),
		Back:     key.NewBinding(key.WithKeys("esc", "left", "h"), key.WithHelp("esc", "back")),
	}
}

// Moves returns the keys that move the cursor, without Open and Back, in the order of the help
// page.
func (n Navigation) Moves() []key.Binding {
	return []key.Binding{n.Up, n.Down, n.Top, n.Bottom, n.PageDown, n.PageUp, n.HalfDown, n.HalfUp}
}

// EnableMoves enables or disables all keys that Moves returns.
func (n *Navigation) EnableMoves(on bool) {
	for _, b := range []*key.Binding{&n.Up, &n.Down, &n.Top, &n.Bottom, &n.PageDown, &n.PageUp, &n.HalfDown, &n.HalfUp} {
		b.SetEnabled(on)
	}
}

// Help returns the keys that move the cursor under a title, disabled unless on.
func (n Navigation) Help(title string, on bool) HelpGroup {
	group := HelpGroup{Title: title, Bindings: n.Moves()}
	for i := range group.Bindings {
		group.Bindings[i].SetEnabled(on)
	}
	return group
}

// far is a scroll distance greater than the length of any pane. Panes limit their scroll offset to
// their length.
const far = 1 << 20

// PageMove returns how many lines a page key scrolls a pane that shows the given number of rows. A
// negative result scrolls up. For any other key, ok is false.
func (n Navigation) PageMove(press tea.KeyPressMsg, rows int) (lines int, ok bool) {
	switch {
	case key.Matches(press, n.PageUp):
		return -rows, true
	case key.Matches(press, n.PageDown):
		return rows, true
	case key.Matches(press, n.HalfUp):
		return -max(1, rows/2), true
	case key.Matches(press, n.HalfDown):
		return max(1, rows/2), true
	}
	return 0, false
}

// Step returns -1 for a key that moves up by one line, 1 for one that moves down, and otherwise 0.
func (n Navigation) Step(press tea.KeyPressMsg) int {
	switch {
	case key.Matches(press, n.Up):
		return -1
	case key.Matches(press, n.Down):
		return 1
	}
	return 0
}

// LineMove handles the keys of PageMove, and the keys that scroll by one line or to either end.
func (n Navigation) LineMove(press tea.KeyPressMsg, rows int) (lines int, ok bool) {
	if step := n.Step(press); step != 0 {
		return step, true
	}
	switch {
	case key.Matches(press, n.Top):
		return -far, true
	case key.Matches(press, n.Bottom):
		return far, true
	}
	return n.PageMove(press, rows)
}

// Enter returns a press of the enter key. Screens pass it to their own Update when a click opens
// something.
func Enter() tea.KeyPressMsg { return tea.KeyPressMsg{Code: tea.KeyEnter} }
