// Package masked masks amounts in texts, and asks for confirmation before hidden amounts are
// written to a file or copied to the clipboard.
package masked

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// Question is a prompt that asks for confirmation before hidden amounts are written or copied.
// Create it with NewQuestion.
type Question struct {
	views.BaseLayer
	verb, where string
	then        func() tea.Cmd
	looks       theme.Theme
	actions     views.Actions
}

// NewQuestion returns a closed prompt.
func NewQuestion() *Question {
	q := &Question{}
	q.actions = views.Actions{
		{Key: "y", Help: "yes, with amounts", Do: q.confirm},
		{Key: "n", Also: []string{"esc"}, Help: "cancel", Do: func() tea.Cmd { q.Cancel(); return nil }},
	}
	return q
}

// SetTheme sets the colours and styles.
func (q *Question) SetTheme(looks theme.Theme) { q.looks = looks }

// Ask opens the prompt. If the user answers yes, it calls proceed. verb and destination fill the
// prompt's text, for example "Export" and "the file". If amounts are not hidden, Ask calls proceed
// immediately and returns its command.
func (q *Question) Ask(looks theme.Theme, verb, destination string, proceed func() tea.Cmd) tea.Cmd {
	if !looks.Masked {
		return proceed()
	}
	q.looks, q.verb, q.where, q.then = looks, verb, destination, proceed
	return nil
}

// Copy returns the command that copies text to the clipboard. The notice that follows contains
// name, which describes the text. If the text contains hidden amounts, Copy opens the prompt
// instead.
func (q *Question) Copy(looks theme.Theme, name, text string) tea.Cmd {
	if !looks.Masked || mask.Text(text) == text {
		return views.PutOnClipboard(name, text)
	}
	return q.Ask(looks, "Copy", "the clipboard", func() tea.Cmd {
		return func() tea.Msg { return views.Copy{What: name, Text: text, Unmasked: true} }
	})
}

// Open reports whether the prompt is open.
func (q *Question) Open() bool { return q.then != nil }

// Cancel closes the prompt without an answer.
func (q *Question) Cancel() { q.then = nil }

// Press handles a key press: y confirms, n and esc cancel, any other key has no effect.
func (q *Question) Press(press tea.KeyPressMsg) tea.Cmd {
	if !q.Open() {
		return nil
	}
	cmd, _ := q.actions.Press(press)
	return cmd
}

func (q *Question) confirm() tea.Cmd {
	then := q.then
	q.Cancel()
	return then()
}

// Draw draws the prompt in one line.
func (q *Question) Draw() string {
	return q.looks.Caution.Render("! Amounts are hidden; "+q.where+" will show them. "+q.verb+" anyway?") + "  " +
		q.looks.KeyName.Render("y") + q.looks.KeyDesc.Render("/") + q.looks.KeyName.Render("n")
}

// Below returns the lines of page. While the prompt is open, it replaces the last line.
func (q *Question) Below(page []string, width int) []string {
	if !q.Open() || len(page) == 0 {
		return page
	}
	return append(page[:len(page)-1:len(page)-1], panel.Box([]string{q.Draw()}, width, 1)...)
}

// Help returns the keys that answer the prompt.
func (q *Question) Help() []views.HelpGroup {
	return []views.HelpGroup{q.actions.Help("Masked")}
}
