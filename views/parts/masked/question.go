// Package masked asks, while amounts are masked on the screen, before they go where
// they can be read: into a file, onto the clipboard.
package masked

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// Question is what is asked before amounts leave the screen.
type Question struct {
	verb, where string
	then        func() tea.Cmd
	yes, no     key.Binding
}

// NewQuestion returns one that is not asked.
func NewQuestion() Question {
	return Question{
		yes: key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "yes, with amounts")),
		no:  key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "cancel")),
	}
}

// Ask asks whether to do what would show amounts, "Export" to "the file"; where they
// are not masked it is done at once.
func (q *Question) Ask(looks theme.Theme, verb, where string, then func() tea.Cmd) tea.Cmd {
	if !looks.Masked {
		return then()
	}
	q.verb, q.where, q.then = verb, where, then
	return nil
}

// Copy puts text on the clipboard, after asking where that has masked amounts in it.
func (q *Question) Copy(looks theme.Theme, what, text string) tea.Cmd {
	if !looks.Masked || mask.Text(text) == text {
		return views.PutOnClipboard(what, text)
	}
	return q.Ask(looks, "Copy", "the clipboard", func() tea.Cmd {
		return func() tea.Msg { return views.Copy{What: what, Text: text, Unmasked: true} }
	})
}

// Open reports whether an answer is awaited.
func (q *Question) Open() bool { return q.then != nil }

// Close leaves the question without an answer.
func (q *Question) Close() { q.then = nil }

// Answer takes a key: y does what was asked about, n and esc do not, every other key
// is not an answer.
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

// Line draws the question, what it is about first.
func (q *Question) Line(looks theme.Theme) string {
	return looks.Caution.Render("! Amounts are hidden; "+q.where+" will show them. "+q.verb+" anyway?") + "  " +
		looks.KeyName.Render("y") + looks.KeyDesc.Render("/") + looks.KeyName.Render("n")
}

// Below draws the question, while it is open, in place of a page's last line.
func (q *Question) Below(looks theme.Theme, page []string, width int) []string {
	if !q.Open() || len(page) == 0 {
		return page
	}
	return append(page[:len(page)-1:len(page)-1], panel.Box([]string{q.Line(looks)}, width, 1)...)
}

// Help returns the keys that answer.
func (q *Question) Help() []views.HelpGroup {
	return []views.HelpGroup{{Title: "Masked", Bindings: []key.Binding{q.yes, q.no}}}
}
