package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"tarmac/theme"
	"tarmac/views"
)

// question is the layer that replaces the footer before unsaved input is lost. A key that is no
// answer closes it and acts on the layer below.
type question struct {
	lost    string // what the user would lose
	answers views.Actions
}

// leaveAnyway returns the key that confirms the loss of input when the user leaves the session by
// an entry of the palette.
func leaveAnyway() views.Action { return views.Action{Key: "enter", Help: "leave anyway"} }

// confirmLoss calls endSession, which ends the session. If a screen has unsaved input, the user
// must first confirm with the key of answer.
func (m *Model) confirmLoss(answer views.Action, endSession func() tea.Cmd) tea.Cmd {
	lost := ""
	if m.session != nil {
		lost = m.session.unfinished()
	}
	if lost == "" {
		return endSession()
	}
	stay := func() { m.question = nil }
	answer.Do = func() tea.Cmd {
		stay()
		return endSession()
	}
	m.question = &question{lost, views.Actions{answer, {Key: "esc", Help: "stay", Do: views.Do(stay)}}}
	return nil
}

// confirmQuit quits the program. If a screen has unsaved input, it asks first. pressed is the
// default key of the pressed action. The user confirms with ctrl+c, or with q on a screen where q
// is not text.
func (m *Model) confirmQuit(pressed string) tea.Cmd {
	again := views.Action{
		Key: "ctrl+c", Also: []string{"ctrl+alt+c"}, Shown: cmp.Or(m.remap.shown[pressed], pressed), Help: "leave anyway",
	}
	if !m.takesText() {
		again.Also = append(again.Also, "q")
	}
	return m.confirmLoss(again, m.leave)
}

func (m *Model) questionLayer() layer {
	closing := func() { m.question = nil }
	return layer{
		open:      func() bool { return m.question != nil },
		view:      func(below []string, _, _ int) []string { return below },
		takesText: func() bool { return m.uppermost(1).typing() },
		press: func(msg tea.KeyPressMsg) tea.Cmd {
			if cmd, taken := m.question.answers.Press(msg); taken {
				return cmd
			}
			closing()
			if cmd, taken := m.keys.program.Press(msg); taken {
				return cmd
			}
			return m.runAction(msg)
		},
		paste: func(msg tea.PasteMsg) tea.Cmd {
			closing()
			return m.paste(msg)
		},
		footer: func() string { return m.question.line(m.theme, m.width) },
	}
}

// line draws the question in place of the footer.
func (q *question) line(t theme.Theme, width int) string {
	return spread(t.Critical.Render("! "+q.lost), " "+hints(t, q.answers.Help("").Bindings), width)
}

// leave ends the program after drawing an empty frame. Without that, some terminals that were
// resized would still show the company's figures after the program has ended.
func (m *Model) leave() tea.Cmd {
	m.leaving = true
	return tea.Quit
}
