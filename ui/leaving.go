package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/theme"
)

// question asks at the foot of the screen before something is lost.
type question struct {
	lost   string      // what would be lost
	answer key.Binding // the key that confirms; any other key cancels
	does   func() tea.Cmd
}

// leaveAnyway returns the confirming key of a question that a list entry raised.
func leaveAnyway() key.Binding {
	return key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "leave anyway"))
}

// confirmLoss runs do, which ends the session: at once if nothing would be lost, else after the
// person confirms.
func (m *Model) confirmLoss(answer key.Binding, do func() tea.Cmd) tea.Cmd {
	lost := ""
	if m.session != nil {
		lost = m.session.unfinished()
	}
	if lost == "" {
		return do()
	}
	m.question = &question{lost, answer, do}
	return nil
}

// confirmQuit quits the program, or asks first. by is the pressed key; the other quit key confirms
// too, unless it is a letter in a text field.
func (m *Model) confirmQuit(by key.Binding) tea.Cmd {
	again := key.NewBinding(
		key.WithKeys(m.keys.Abort.Keys()...),
		key.WithHelp(m.remap.label(by).Help().Key, "leave anyway"),
	)
	if !m.takesText() {
		again.SetKeys(append(again.Keys(), m.keys.Quit.Keys()...)...)
	}
	return m.confirmLoss(again, m.leave)
}

// answerQuestion handles a key while a question is open, and reports whether the key was used.
func (m *Model) answerQuestion(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
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

// line draws the question for the foot of the screen.
func (q *question) line(t theme.Theme, width int) string {
	stay := key.NewBinding(key.WithHelp("esc", "stay"))
	return spread(t.Critical.Render("! "+q.lost), " "+hint(t, q.answer)+"  "+hint(t, stay), width)
}

// leave ends the program with an empty frame. Some terminals that were resized meanwhile would
// otherwise keep lines with the company's figures.
func (m *Model) leave() tea.Cmd {
	m.leaving = true
	return tea.Quit
}
