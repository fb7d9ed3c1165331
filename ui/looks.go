package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/settings"
	"tarmac/theme"
	"tarmac/views"
)

// looks is what a person has chosen of how the screens look.
type looks struct {
	theme string // one of theme.Names
	dark  bool   // the terminal's background, as far as it has said

	masked bool // no amount is shown
}

// relook dresses the screens anew.
func (m *Model) relook() {
	t := theme.Named(m.looks.theme, m.looks.dark)
	if m.options.Runway != (settings.Runway{}) {
		t.Thresholds = theme.Thresholds(m.options.Runway)
	}
	t.Masked = m.looks.masked
	m.setTheme(t)
}

// mask hides every amount, or shows them again.
func (m *Model) mask() tea.Cmd {
	m.looks.masked = !m.looks.masked
	m.relook()
	if m.looks.masked {
		return views.Tell("amounts are masked; copies and files ask first")
	}
	return views.Tell("amounts are shown")
}

// wear puts on a theme, and says which.
func (m *Model) wear(name string) tea.Cmd {
	m.looks.theme = name
	m.relook()
	return views.Tell("theme: " + m.theme.Name)
}

// nextTheme returns the theme after the one that is worn.
func (m *Model) nextTheme() string {
	names := theme.Names()
	return names[(slices.Index(names, m.theme.Name)+1)%len(names)]
}
