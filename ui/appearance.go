package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/settings"
	"tarmac/theme"
	"tarmac/views"
)

// appearance holds the display settings that the user can change in the dashboard.
type appearance struct {
	theme      string // one of theme.Names
	chosen     bool   // the user has chosen the theme in this session
	dark       bool   // the terminal reported a dark background
	colourless bool   // the terminal reported that it shows no colours

	masked bool // amounts are hidden
}

// applyAppearance gives all screens the chosen theme and hides or shows their amounts.
func (m *Model) applyAppearance() {
	t := theme.Named(m.appearance.theme, m.appearance.dark)
	if m.options.Runway != (settings.Runway{}) {
		t.Thresholds = theme.Thresholds(m.options.Runway)
	}
	t.Masked, t.Links = m.appearance.masked, m.options.Links
	t.Colourless, t.ASCII = m.appearance.colourless, m.options.ASCII
	m.setTheme(t)
}

// mask hides the amounts on all screens, or shows them again.
func (m *Model) mask() tea.Cmd {
	m.appearance.masked = !m.appearance.masked
	m.applyAppearance()
	if m.appearance.masked {
		return views.Tell("amounts hidden; copying or exporting asks first")
	}
	return views.Tell("amounts shown")
}

// switchMouse turns the handling of mouse clicks on or off.
func (m *Model) switchMouse() tea.Cmd {
	m.options.Mouse = !m.options.Mouse
	if m.options.Mouse {
		return views.Tell("mouse on; hold shift to select text")
	}
	return views.Tell("mouse off")
}

// chooseTheme switches to a theme and shows its name in a notice.
func (m *Model) chooseTheme(name string) tea.Cmd {
	m.appearance.theme, m.appearance.chosen = name, true
	m.applyAppearance()
	if m.options.ThemeSet {
		return views.Tell("theme: " + m.theme.Name + " until you quit; then the settings file's again")
	}
	return views.Tell("theme: " + m.theme.Name)
}

// nextTheme returns the theme after the current one in theme.Names. The first theme follows the
// last.
func (m *Model) nextTheme() string {
	names := theme.Names()
	return names[(slices.Index(names, m.theme.Name)+1)%len(names)]
}
