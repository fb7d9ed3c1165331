package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/settings"
	"tarmac/theme"
	"tarmac/views"
)

// appearance is what a person has chosen of how the screens look.
type appearance struct {
	theme string // one of theme.Names
	dark  bool   // the terminal's background, as far as it has said

	masked bool // no amount is shown
}

// applyAppearance dresses the screens anew.
func (m *Model) applyAppearance() {
	t := theme.Named(m.appearance.theme, m.appearance.dark)
	if m.options.Runway != (settings.Runway{}) {
		t.Thresholds = theme.Thresholds(m.options.Runway)
	}
	t.Masked = m.appearance.masked
	m.setTheme(t)
}

// mask hides every amount, or shows them again.
func (m *Model) mask() tea.Cmd {
	m.appearance.masked = !m.appearance.masked
	m.applyAppearance()
	if m.appearance.masked {
		return views.Tell("amounts hidden; copying or exporting asks first")
	}
	return views.Tell("amounts shown")
}

// chooseTheme puts on a theme, and says which.
func (m *Model) chooseTheme(name string) tea.Cmd {
	m.appearance.theme = name
	m.applyAppearance()
	return views.Tell("theme: " + m.theme.Name)
}

// nextTheme returns the theme after the present one.
func (m *Model) nextTheme() string {
	names := theme.Names()
	return names[(slices.Index(names, m.theme.Name)+1)%len(names)]
}
