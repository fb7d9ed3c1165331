package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// wheelGap is how long turns of the wheel are gathered: a terminal reports more of
// them than can be drawn, and keys would wait behind them.
const wheelGap = 16 * time.Millisecond

// What one turn of the wheel moves by, and what a gathering moves by at most.
const (
	linesPerTurn = 3
	mostTurned   = 60
)

// turned asks for what the wheel has gathered.
type turned struct{}

// wheel gathers a turn. The first of a gathering sees to its end.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	lines := 0
	switch msg.Button {
	case tea.MouseWheelUp:
		lines = -linesPerTurn
	case tea.MouseWheelDown:
		lines = linesPerTurn
	default:
		return nil
	}
	m.gathered = max(-mostTurned, min(m.gathered+lines, mostTurned))
	if m.gathering {
		return nil
	}
	m.gathering = true
	return tea.Tick(wheelGap, func(time.Time) tea.Msg { return turned{} })
}

// turn does what the keys up and down do, as often as the wheel was turned. Where
// text is typed it does nothing: those keys would lead to another field.
func (m *Model) turn() tea.Cmd {
	lines, name := m.gathered, "down"
	m.gathered, m.gathering = 0, false
	if lines < 0 {
		lines, name = -lines, "up"
	}
	if m.session == nil || !m.palette.open && !m.help.open && m.front().Typing() {
		return nil
	}
	var cmds []tea.Cmd
	for range lines {
		cmds = append(cmds, m.act(press(name)))
	}
	return tea.Batch(cmds...)
}

// click opens the screen whose tab was clicked.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	const tabLine = 1
	if m.session == nil || msg.Button != tea.MouseLeft || msg.Y != tabLine || m.palette.open {
		return nil
	}
	at := 0
	for i, label := range tabLabels(m.session.pages, m.session.active, m.width) {
		if at += ansi.StringWidth(label); label != "" && msg.X < at {
			m.help.open = false
			return m.visit(i)
		}
	}
	return nil
}
