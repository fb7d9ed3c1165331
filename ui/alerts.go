package ui

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/views"
)

// tellAlerts shows how many alerts are open, and what was reported. If the terminal does not have
// the focus, it returns the command with which the terminal notifies the user.
func (m *Model) tellAlerts(msg views.AlertsTold) tea.Cmd {
	m.session.openAlerts = msg.Open
	if msg.Text == "" {
		return nil
	}
	text := msg.Text
	if m.theme.Masked {
		text = mask.Text(text)
	}
	m.notice.warn(Warning(text + " · : alerts"))
	if !m.schedule.unwatched || m.options.Notification == nil {
		return nil
	}
	sequence := m.options.Notification("tarmac "+m.session.connection.Profile, text)
	if sequence == "" {
		return nil
	}
	return tea.Raw(sequence)
}
