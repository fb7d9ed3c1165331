package ui

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/views"
)

// wheelGap is how long wheel events are collected before the screen scrolls. A terminal reports
// more events than can be drawn, and drawing for each would delay keys.
const wheelGap = 16 * time.Millisecond

// linesPerTurn is how many lines one wheel event scrolls. mostScrolled is how many lines the events
// collected during a wheelGap scroll at most.
const (
	linesPerTurn = 3
	mostScrolled = 60
)

// wheelTick is the message that the collected wheel events must be applied.
type wheelTick struct{}

// wheel collects a wheel event. For the first one it returns the command that sends wheelTick.
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

// scrollByWheel sends the key up or down once for each collected line. It does nothing in a text
// field, where these keys would change the field.
func (m *Model) scrollByWheel() tea.Cmd {
	lines, name := m.wheelLines, "down"
	m.wheelLines, m.wheelPending = 0, false
	if lines < 0 {
		lines, name = -lines, "up"
	}
	if top := m.top(); top.scrolls == nil || !top.scrolls() {
		return nil
	}
	var cmds []tea.Cmd
	for range lines {
		cmds = append(cmds, m.runAction(keyPress(name)))
	}
	return tea.Batch(cmds...)
}

// Line numbers on the screen, from 0: the tab line and the first line below it.
const (
	tabLine  = 1
	bodyLine = 2
)

// click presses the clicked key of the footer, or passes the click to the uppermost layer.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	if m.welcoming() || msg.Button != tea.MouseLeft || m.height < chromeHeight {
		return nil
	}
	top := m.top()
	switch {
	case msg.Y == m.height-1:
		return m.clickHint(msg.X)
	case top.click == nil:
		return nil
	}
	return top.click(msg.X, msg.Y)
}

// clickPage opens the page of the clicked tab, or passes the click to the screen.
func (m *Model) clickPage(x, y int) tea.Cmd {
	switch {
	case y == tabLine:
		return m.clickTab(x)
	case y < bodyLine || m.front().State().Typing:
		return nil
	}
	return m.session.address(m.session.active, m.front().Update(views.Click{X: x, Y: y - bodyLine}))
}

// clickTab opens the page whose tab is in column x.
func (m *Model) clickTab(x int) tea.Cmd {
	at := 0
	for i, label := range tabLabels(m.session.pages, m.session.active, m.width) {
		if at += ansi.StringWidth(label); label != "" && x < at {
			return m.openPage(i)
		}
	}
	return nil
}

// clickHint presses the clicked key of the footer. It does nothing while the footer shows something
// else: a question or, on a screen too low for a body, a notice.
func (m *Model) clickHint(x int) tea.Cmd {
	if m.top().footer != nil || m.notice.text != "" && m.bodyHeight() == 0 {
		return nil
	}
	here, always := m.activeKeys()
	left, right := footerKeys(m.theme, here, always, m.finderKeys(), m.width)
	for _, end := range []struct {
		keys []key.Binding
		at   int
	}{{left, 0}, {right, m.width - ansi.StringWidth(hints(m.theme, right))}} {
		at := end.at
		for _, b := range end.keys {
			width := ansi.StringWidth(hint(m.theme, b))
			if x >= at && x < at+width {
				return m.runAction(keyPress(b.Keys()[0]))
			}
			at += width + hintGap
		}
	}
	return nil
}
