package views

import "charm.land/bubbles/v2/key"

// PromptKeys are the keys that end a prompt for a line of text.
type PromptKeys struct{ Apply, Cancel key.Binding }

// NewPromptKeys returns enter and esc. The parameter apply is the help text of enter.
func NewPromptKeys(apply string) PromptKeys {
	return PromptKeys{
		Apply:  key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", apply)),
		Cancel: key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),
	}
}

// PromptHelp returns the keys for the help, under a title that says what the prompt asks for.
func (k PromptKeys) PromptHelp(title string) []HelpGroup {
	return []HelpGroup{{Title: title, Bindings: []key.Binding{k.Apply, k.Cancel}}}
}

// Prompt is a question or prompt of a screen. While it is open, it takes all key presses.
type Prompt interface {
	Open() bool
	Help() []HelpGroup
}

// OpenHelp returns the keys of the first open prompt. It returns false if none is open.
func OpenHelp(prompts ...Prompt) (keys []HelpGroup, ok bool) {
	for _, p := range prompts {
		if p.Open() {
			return p.Help(), true
		}
	}
	return nil, false
}
