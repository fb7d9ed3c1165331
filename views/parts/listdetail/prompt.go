package listdetail

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/internal/termtext"
	"tarmac/theme"
)

// Prompt is the input line above a list.
type Prompt struct {
	input textinput.Model
	label string
	looks theme.Theme
	width int
}

// NewPrompt returns a closed prompt.
func NewPrompt() Prompt {
	p := Prompt{input: textinput.New()}
	p.input.Prompt = ""
	return p
}

// SetTheme sets the colours and styles.
func (p *Prompt) SetTheme(t theme.Theme) {
	p.looks = t
	state := textinput.StyleState{Text: t.Text, Placeholder: t.Faint, Suggestion: t.Faint, Prompt: t.Text}
	p.input.SetStyles(textinput.Styles{Focused: state, Blurred: state})
}

// SetWidth sets the width including the label.
func (p *Prompt) SetWidth(width int) {
	p.width = width
	p.input.SetWidth(max(1, width-termtext.Width(p.label)-1))
}

// Open opens the prompt with a text of at most limit characters. The label stands before it; the
// hint shows while it is empty.
func (p *Prompt) Open(label, hint string, limit int, text string) {
	p.Relabel(label)
	p.input.Placeholder, p.input.CharLimit = hint, limit
	p.input.SetValue(text)
	p.input.CursorEnd()
	// Ignore the command: it only makes the cursor blink.
	p.input.Focus()
}

// Relabel changes the label.
func (p *Prompt) Relabel(label string) {
	p.label = label
	p.SetWidth(p.width)
}

// Close closes the prompt and keeps its text.
func (p *Prompt) Close() { p.input.Blur() }

// Typing reports whether the prompt is open.
func (p *Prompt) Typing() bool { return p.input.Focused() }

// Press handles a key.
func (p *Prompt) Press(msg tea.KeyPressMsg) { p.input, _ = p.input.Update(msg) }

// Paste inserts pasted text as one clean line.
func (p *Prompt) Paste(msg tea.PasteMsg) {
	msg.Content = termtext.Line(msg.Content)
	p.input, _ = p.input.Update(msg)
}

// Text returns the text as one clean line.
func (p *Prompt) Text() string { return strings.TrimSpace(termtext.Line(p.input.Value())) }

// Line draws the prompt. The typed text is never masked.
func (p *Prompt) Line() string {
	text := p.input.View()
	if p.looks.Masked {
		text = mask.Exempt(text)
	}
	return Fit(p.looks.KeyName.Render(p.label)+text, p.width)
}
