package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Navigation is the set of keys that move through a list, the same on every
// screen: arrows and vi, with emacs beside them.
type Navigation struct {
	Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom, Open, Back key.Binding
}

// NewNavigation returns the keys as the help page lists them.
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

// Moves lists the keys that move, for a help group.
func (n Navigation) Moves() []key.Binding {
	return []key.Binding{n.Up, n.Down, n.Top, n.Bottom, n.PageDown, n.PageUp, n.HalfDown, n.HalfUp}
}

// EnableMoves switches the keys that move on or off.
func (n *Navigation) EnableMoves(on bool) {
	for _, b := range []*key.Binding{&n.Up, &n.Down, &n.Top, &n.Bottom, &n.PageDown, &n.PageUp, &n.HalfDown, &n.HalfUp} {
		b.SetEnabled(on)
	}
}

// far is further than any pane is long: panes keep within themselves.
const far = 1 << 20

// Pages returns by how many lines a key that turns pages moves a pane of so many
// rows; ok is false for every other key.
func (n Navigation) Pages(press tea.KeyPressMsg, rows int) (lines int, ok bool) {
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

// Lines is Pages for a pane that has the single steps and its two ends to itself.
func (n Navigation) Lines(press tea.KeyPressMsg, rows int) (lines int, ok bool) {
	switch {
	case key.Matches(press, n.Up):
		return -1, true
	case key.Matches(press, n.Down):
		return 1, true
	case key.Matches(press, n.Top):
		return -far, true
	case key.Matches(press, n.Bottom):
		return far, true
	}
	return n.Pages(press, rows)
}

// Enter returns the key that opens, for a click that does the same.
func Enter() tea.KeyPressMsg { return tea.KeyPressMsg{Code: tea.KeyEnter} }
