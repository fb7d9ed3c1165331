package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/theme"
)

// question is the prompt that replaces the footer before unsaved input is lost.
type question struct {
	lost   string      // what the user would lose
	answer key.Binding // the key that confirms; any other key cancels
	does   func() tea.Cmd
}

// leaveAnyway returns the key that confirms the loss of input when the user leaves the session by
// an entry of the palette.
func leaveAnyway() key.Binding {
	return key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "leave anyway"))
}

// confirmLoss calls endSession, which ends the session. If a screen has unsaved input, the user
// must first confirm with the key answer.
func (m *Model) confirmLoss(answer key.Binding, endSession func() tea.Cmd) tea.Cmd {
	lost := ""
	if m.session != nil {
		lost = m.session.unfinished()
	}
	if lost == "" {
		return endSession()
	}
	m.question = &question{lost, answer, endSession}
	return nil
}

// confirmQuit quits the program. If a screen has unsaved input, it asks first. pressed is the
// binding of the pressed key. The user confirms with ctrl+c, or with q on a screen where q is not
// text.
func (m *Model) confirmQuit(pressed key.Binding) tea.Cmd {
	again := key.NewBinding(
		key.WithKeys(m.keys.Abort.Keys()...),
		key.WithHelp(m.remap.label(pressed).Help().Key, "leave anyway"),
	)
	if !m.takesText() {
		again.SetKeys(append(again.Keys(), m.keys.Quit.Keys()...)...)
	}
	return m.confirmLoss(again, m.leave)
}

// answerQuestion handles a key press while a question is open. handled says that nothing else may
// handle the key press.
func (m *Model) answerQuestion(msg tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	q := m.question
	if q == nil {
		return nil, false
	}
	m.question = nil
	if own, ok := m.remap.translate(msg); ok && !m.takesText() {
		msg = own
	}
	switch {
	case key.Matches(msg, q.answer):
		return q.does(), true
	case key.Matches(msg, m.keys.Back):
		return nil, true
	}
	return nil, false
}

// line draws the question in place of the footer.
func (q *question) line(t theme.Theme, width int) string {
	stay := key.NewBinding(key.WithHelp("esc", "stay"))
	return spread(t.Critical.Render("! "+q.lost), " "+hint(t, q.answer)+"  "+hint(t, stay), width)
}

// leave ends the program after drawing an empty frame. Without that, some terminals that were
// resized would still show the company's figures after the program has ended.
func (m *Model) leave() tea.Cmd {
	m.leaving = true
	return tea.Quit
}
