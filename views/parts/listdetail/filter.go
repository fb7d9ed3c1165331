package listdetail

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Filter is the prompt of a text filter that applies after each key. It is a views.Layer.
type Filter struct {
	Prompt
	hint    string
	text    func() string
	set     func(text string)
	before  string // the filter before the prompt was opened, restored if the user cancels
	actions views.Actions
}

// NewFilter returns a closed prompt. The hint shows while it is empty. text returns the filter, and
// set sets it.
func NewFilter(hint string, text func() string, set func(text string)) *Filter {
	f := &Filter{hint: hint, text: text, set: set}
	f.actions = views.PromptActions("apply", func() tea.Cmd { f.Close(); return nil }, f.Cancel)
	return f
}

// longestFilter is the maximum length of a text filter, in characters.
const longestFilter = 200

// Ask opens the prompt with the current filter.
func (f *Filter) Ask() { f.AskWith(f.hint) }

// AskWith opens the prompt with the current filter and another hint.
func (f *Filter) AskWith(hint string) {
	f.before = f.text()
	f.Prompt.Open("Filter  ", hint, longestFilter, f.before)
}

// Open reports whether the prompt is open.
func (f *Filter) Open() bool { return f.Typing() }

// Press handles a key press: enter keeps the filter, esc restores the earlier one, any other key
// edits it.
func (f *Filter) Press(press tea.KeyPressMsg) tea.Cmd {
	cmd, taken := f.actions.Press(press)
	if !taken {
		f.Prompt.Press(press)
		f.set(f.Text())
	}
	return cmd
}

// Paste inserts pasted text.
func (f *Filter) Paste(paste tea.PasteMsg) {
	f.Prompt.Paste(paste)
	f.set(f.Text())
}

// Cancel closes the prompt and restores the earlier filter.
func (f *Filter) Cancel() {
	f.Close()
	f.set(f.before)
}

// Help returns the keys of the prompt.
func (f *Filter) Help() []views.HelpGroup { return []views.HelpGroup{f.actions.Help("Filter")} }

// Draw draws the prompt in one line.
func (f *Filter) Draw() string { return f.Line() }
