package listdetail

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Asked is a prompt for a text that is used when enter is pressed. It is a views.Layer.
type Asked struct {
	Prompt
	what    Wanted
	problem string
	actions views.Actions
}

// Wanted describes the text of a prompt.
type Wanted struct {
	Title, Label, Hint string // title in the help, label of the prompt, hint while it is empty
	Enter              string // what enter does, for the help
	Limit              int    // maximum length in characters
	// Use uses the text. If it returns an error, the prompt stays open.
	Use func(text string) (tea.Cmd, error)
}

// NewAsked returns a closed prompt.
func NewAsked(what Wanted) *Asked {
	a := &Asked{what: what}
	a.actions = views.PromptActions(what.Enter, a.use, a.Cancel)
	return a
}

// Ask opens the prompt with a text.
func (a *Asked) Ask(text string) { a.AskWith(a.what.Hint, text) }

// AskWith opens the prompt with another hint and a text.
func (a *Asked) AskWith(hint, text string) {
	a.problem = ""
	a.Prompt.Open(a.what.Label, hint, a.what.Limit, text)
}

func (a *Asked) use() tea.Cmd {
	cmd, err := a.what.Use(a.Text())
	if err != nil {
		a.problem = err.Error()
		return nil
	}
	a.Close()
	return cmd
}

// Problem says why the text could not be used. It is "" after the next key.
func (a *Asked) Problem() string { return a.problem }

// Open reports whether the prompt is open.
func (a *Asked) Open() bool { return a.Typing() }

// Press handles a key press: enter uses the text, esc cancels, any other key edits it.
func (a *Asked) Press(press tea.KeyPressMsg) tea.Cmd {
	a.problem = ""
	cmd, taken := a.actions.Press(press)
	if !taken {
		a.Prompt.Press(press)
	}
	return cmd
}

// Cancel closes the prompt.
func (a *Asked) Cancel() {
	a.problem = ""
	a.Close()
}

// Help returns the keys of the prompt.
func (a *Asked) Help() []views.HelpGroup { return []views.HelpGroup{a.actions.Help(a.what.Title)} }

// Draw draws the prompt in one line.
func (a *Asked) Draw() string { return a.Line() }
