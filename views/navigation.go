package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Navigation holds the keys that move through a list: arrows, vi keys and emacs keys. Every
// screen uses the same set.
type Navigation struct {
	Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom key.Binding
}

// NewNavigation returns all bindings enabled, with their help texts.
func NewNavigation() Navigation {
	bind := func(a Action) key.Binding { return a.shown() }
	return Navigation{
		Up:       bind(Action{Key: "up", Also: []string{"k", "ctrl+p"}, Shown: "↑/k", Help: "up"}),
		Down:     bind(Action{Key: "down", Also: []string{"j", "ctrl+n"}, Shown: "↓/j", Help: "down"}),
		PageUp:   bind(Action{Key: "pgup", Also: []string{"ctrl+b"}, Help: "page up"}),
		PageDown: bind(Action{Key: "pgdown", Also: []string{"ctrl+f"}, Shown: "pgdn", Help: "page down"}),
		HalfUp:   bind(Action{Key: "ctrl+u", Help: "half a page up"}),
		HalfDown: bind(Action{Key: "ctrl+d", Help: "half a page down"}),
		Top:      bind(Action{Key: "g", Also: []string{"home"}, Help: "first"}),
		Bottom:   bind(Action{Key: "G", Also: []string{"end"}, Help: "last"}),
	}
}

// Moves returns the keys that move the cursor, in the order of the help page.
func (n Navigation) Moves() []key.Binding {
	return []key.Binding{n.Up, n.Down, n.Top, n.Bottom, n.PageDown, n.PageUp, n.HalfDown, n.HalfUp}
}

// Help returns the keys that move the cursor under a title, disabled unless on.
func (n Navigation) Help(title string, on bool) HelpGroup {
	group := HelpGroup{Title: title, Bindings: n.Moves()}
	for i, b := range group.Bindings {
		if !on {
			group.Bindings[i] = Disabled(b)
		}
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
