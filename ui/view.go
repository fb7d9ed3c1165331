package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/views/panel"
)

// View draws the frame. The alternate screen is asked for here and nowhere else:
// a branch that forgot it would leave it.
func (m *Model) View() tea.View {
	v := tea.NewView(m.render())
	v.AltScreen = true
	v.WindowTitle = "tarmac" // fixed: a title is written to the terminal as it is
	return v
}

func (m *Model) render() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	if m.session == nil {
		return m.welcome.View()
	}
	s, now := m.session, m.options.Now()
	lines := []string{
		header(m.theme, s.data, s.profile, m.width, now),
		tabs(m.theme, s.pages, s.active, m.width),
	}
	groups := m.front().Help()
	if m.help.open {
		lines = append(lines, m.help.view(m.theme, m.helpGroups(), m.width, m.bodyHeight())...)
	} else if m.bodyHeight() > 0 {
		lines = append(lines, m.front().View())
	}
	lines = append(lines, footer(m.theme, groups, m.keys.Help, m.width))
	if m.height < chromeHeight {
		// Too low for the frame: the header says the most.
		return strings.Join(panel.Box(lines, m.width, m.height), "\n")
	}
	return strings.Join(lines, "\n")
}
