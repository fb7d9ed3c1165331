package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/theme"
)

// question is asked at the foot of the screen before something is lost.
type question struct {
	lost   string      // what would be
	answer key.Binding // does it all the same; any other key does not
	does   func() tea.Cmd
}

// leaveAnyway answers a question that came of a choice in a list.
func leaveAnyway() key.Binding {
	return key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "leave anyway"))
}

// confirmLoss does something that ends the session, at once or when it was said
// what would be lost by it.
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

// confirmQuit ends the program, or asks first. by is what was pressed; the other key
// for it answers too, where it is no letter of a text.
func (m *Model) confirmQuit(by key.Binding) tea.Cmd {
	again := key.NewBinding(key.WithKeys(m.keys.Abort.Keys()...), key.WithHelp(m.remap.label(by).Help().Key, "leave anyway"))
	if !m.takesText() {
		again.SetKeys(append(again.Keys(), m.keys.Quit.Keys()...)...)
	}
	return m.confirmLoss(again, m.leave)
}

// answerQuestion takes the key that was pressed when a question was open, and reports
// whether it was meant for that.
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

// line asks the question at the foot of the screen.
func (q *question) line(t theme.Theme, width int) string {
	stay := key.NewBinding(key.WithHelp("esc", "stay"))
	return spread(t.Critical.Render("! "+q.lost), " "+hint(t, q.answer)+"  "+hint(t, stay), width)
}

// leave ends the program with an empty frame, which takes the company's figures off
// the screen: some terminals keep lines of what was shown when they were resized
// meanwhile.
func (m *Model) leave() tea.Cmd {
	m.leaving = true
	return tea.Quit
}
