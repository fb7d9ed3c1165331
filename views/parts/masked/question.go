// Package masked masks amounts in texts, and asks for confirmation before hidden amounts are
// written to a file or copied to the clipboard.
package masked

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// Question is a prompt that asks for confirmation before hidden amounts are written or copied.
// Create it with NewQuestion.
type Question struct {
	verb, where string
	then        func() tea.Cmd
	yes, no     key.Binding
}

// NewQuestion returns a closed prompt.
func NewQuestion() Question {
	return Question{
		yes: key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "yes, with amounts")),
		no:  key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "cancel")),
	}
}

// Ask opens the prompt. If the user answers yes, it calls proceed. verb and destination fill the
// prompt's text, for example "Export" and "the file". If amounts are not hidden, Ask calls proceed
// immediately and returns its command.
func (q *Question) Ask(looks theme.Theme, verb, destination string, proceed func() tea.Cmd) tea.Cmd {
	if !looks.Masked {
		return proceed()
	}
	q.verb, q.where, q.then = verb, destination, proceed
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

// Close closes the prompt without an answer.
func (q *Question) Close() { q.then = nil }

// Answer handles a key press: y confirms, n and esc cancel, any other key has no effect.
func (q *Question) Answer(press tea.KeyPressMsg) tea.Cmd {
	then := q.then
	switch {
	case then == nil:
	case key.Matches(press, q.yes):
		q.Close()
		return then()
	case key.Matches(press, q.no):
		q.Close()
	}
	return nil
}

// Line draws the prompt in one line.
func (q *Question) Line(looks theme.Theme) string {
	return looks.Caution.Render("! Amounts are hidden; "+q.where+" will show them. "+q.verb+" anyway?") + "  " +
		looks.KeyName.Render("y") + looks.KeyDesc.Render("/") + looks.KeyName.Render("n")
}

// Below returns the lines of page. While the prompt is open, it replaces the last line.
func (q *Question) Below(looks theme.Theme, page []string, width int) []string {
	if !q.Open() || len(page) == 0 {
		return page
	}
	return append(page[:len(page)-1:len(page)-1], panel.Box([]string{q.Line(looks)}, width, 1)...)
}

// Help returns the keys that answer the prompt.
func (q *Question) Help() []views.HelpGroup {
	return []views.HelpGroup{{Title: "Masked", Bindings: []key.Binding{q.yes, q.no}}}
}
