package ui

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// wheelGap is how long turns of the wheel are gathered: a terminal reports more of
// them than can be drawn, and keys would wait behind them.
const wheelGap = 16 * time.Millisecond

// What one turn of the wheel moves by, and what a gathering moves by at most.
const (
	linesPerTurn = 3
	mostScrolled = 60
)

// wheelTick asks for what the wheel has gathered.
type wheelTick struct{}

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
	m.wheelLines = max(-mostScrolled, min(m.wheelLines+lines, mostScrolled))
	if m.wheelPending {
		return nil
	}
	m.wheelPending = true
	return tea.Tick(wheelGap, func(time.Time) tea.Msg { return wheelTick{} })
}

// scrollByWheel does what the keys up and down do, as often as the wheel was turned. Where
// text is typed it does nothing: those keys would lead to another field.
func (m *Model) scrollByWheel() tea.Cmd {
	lines, name := m.wheelLines, "down"
	m.wheelLines, m.wheelPending = 0, false
	if lines < 0 {
		lines, name = -lines, "up"
	}
	if m.session == nil || !m.palette.open && !m.help.open && !m.details.open && m.front().Typing() {
		return nil
	}
	var cmds []tea.Cmd
	for range lines {
		cmds = append(cmds, m.act(press(name)))
	}
	return tea.Batch(cmds...)
}

// What stands above a screen: the header and the tab line.
const (
	tabLine  = 1
	bodyLine = 2
)

// click does what is at the place: opens the page of a tab, presses the key that the
// footer names, or leaves it to the screen. Beside a dialog it does nothing.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	if m.session == nil || m.welcoming() || m.question != nil || msg.Button != tea.MouseLeft || m.height < chromeHeight {
		return nil
	}
	switch dialog := m.palette.open || m.dial != nil || m.details.open; {
	case msg.Y == m.height-1:
		return m.clickHint(msg.X)
	case dialog:
		return nil
	case msg.Y == tabLine:
		return m.clickTab(msg.X)
	case m.help.open || m.front().Typing():
		return nil
	}
	if msg.Y < bodyLine {
		return nil
	}
	return m.session.address(m.session.active, m.front().Click(msg.X, msg.Y-bodyLine))
}

func (m *Model) clickTab(x int) tea.Cmd {
	at := 0
	for i, label := range tabLabels(m.session.pages, m.session.active, m.width) {
		if at += ansi.StringWidth(label); label != "" && x < at {
			m.help.open = false
			return m.openPage(i)
		}
	}
	return nil
}

// clickHint presses a key of the footer. While a notice stands there none is named.
func (m *Model) clickHint(x int) tea.Cmd {
	if m.notice.text != "" {
		return nil
	}
	here, always := m.activeKeys()
	left, right := footerKeys(m.theme, here, always, m.remap.label(m.keys.Help), m.width)
	for _, end := range []struct {
		keys []key.Binding
		at   int
	}{{left, 0}, {right, m.width - ansi.StringWidth(hints(m.theme, right))}} {
		at := end.at
		for _, b := range end.keys {
			width := ansi.StringWidth(hint(m.theme, b))
			if x >= at && x < at+width {
				return m.act(press(b.Keys()[0]))
			}
			at += width + hintGap
		}
	}
	return nil
}
