// Package views holds what every screen of the dashboard has in common. The
// screens themselves are in the packages below it, one each, beside the parts
// that several of them draw with: the ledger table, the charts, the panel that
// knows whether its figures are there, old or refused.
package views

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/snapshot"
	"tarmac/theme"
)

// Screen is one page of the dashboard. Screens are used by pointer from the one
// goroutine that runs the program: nothing in them is locked, and neither
// Update nor View waits for anything.
type Screen interface {
	// Init returns the command that fetches what only this screen shows. It is
	// called once, when the screen is first opened.
	Init() tea.Cmd
	// Update takes a message. Keys come only to the screen that is shown; every
	// other message goes to all of them, so that late answers find their owner.
	Update(msg tea.Msg) tea.Cmd
	// View draws the screen: Height lines, none wider than Width.
	View() string
	SetSize(width, height int)
	SetTheme(t theme.Theme)
	// Refresh returns the command that fetches again what only this screen shows.
	Refresh() tea.Cmd
	// Help returns the keys that work here now, in groups. The footer and the
	// help page are made from it; disabled bindings are left out of both.
	Help() []HelpGroup
	// Typing reports whether the screen takes text at the moment, so that letters
	// are letters and not commands.
	Typing() bool
	// Back closes the innermost thing that is open (a detail, a filter being
	// typed) and reports whether there was one.
	Back() bool
}

// Fetch returns the command that sends a request for a part of the snapshot; nil for
// none.
func Fetch(request snapshot.Request) tea.Cmd {
	if request == nil {
		return nil
	}
	return func() tea.Msg { return request() }
}

// HelpGroup is a titled set of bindings. Those of the first group come first in
// the footer.
type HelpGroup struct {
	Title    string
	Bindings []key.Binding
}

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

// Tick comes once a second while the dashboard runs: countdowns and the ages of
// old figures go by it. A screen whose picture does not depend on the time
// leaves it alone.
type Tick struct{ Now time.Time }
