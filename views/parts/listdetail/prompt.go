package listdetail

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/internal/termtext"
	"tarmac/theme"
)

// Prompt is the line above a list in which the user types a filter, an ID or a file name.
// The zero value is a closed prompt.
type Prompt struct {
	input *textinput.Model // nil until the prompt is first opened, because it takes 8 kB
	label string
	looks theme.Theme
	width int
	// complete returns the typed text as tab completes it, and the word that it completes; nil if
	// nothing is completed.
	complete func(typed string) (text, word string, ok bool)
}

// SetTheme sets the colours and styles.
func (p *Prompt) SetTheme(t theme.Theme) {
	p.looks = t
	if p.input == nil {
		return
	}
	state := textinput.StyleState{Text: t.Text, Placeholder: t.Faint, Suggestion: t.Faint, Prompt: t.Text}
	p.input.SetStyles(textinput.Styles{Focused: state, Blurred: state})
}

// SetWidth sets the width in cells, including the label.
func (p *Prompt) SetWidth(width int) {
	p.width = width
	if p.input == nil {
		return
	}
	p.input.SetWidth(max(1, width-termtext.Width(p.label)-1))
}

// Open opens the prompt with a label and an initial text. The hint shows while the text is empty.
// limit is the maximum length of the text in characters.
func (p *Prompt) Open(label, hint string, limit int, text string) {
	if p.input == nil {
		input := textinput.New()
		input.Prompt = ""
		p.input = &input
		p.SetTheme(p.looks)
	}
	p.Relabel(label)
	p.input.Placeholder, p.input.CharLimit = hint, limit
	p.input.SetValue(text)
	p.input.CursorEnd()
	p.complete = nil
	// Ignore the returned command, which only makes the cursor blink.
	p.input.Focus()
}

// CompleteWith makes tab complete the typed text until the prompt is opened again. complete returns
// the whole text and the word in it that it completes, which is shown behind the text.
func (p *Prompt) CompleteWith(complete func(typed string) (text, word string, ok bool)) {
	p.complete = complete
}

// completion returns what tab completes.
func (p *Prompt) completion() (text, word string, ok bool) {
	if p.complete == nil || p.input == nil {
		return "", "", false
	}
	typed := termtext.Line(p.input.Value())
	text, word, ok = p.complete(typed)
	return text, word, ok && text != typed
}

// Relabel changes the label of the prompt, which may be open.
func (p *Prompt) Relabel(label string) {
	p.label = label
	p.SetWidth(p.width)
}

// Close closes the prompt and keeps its text.
func (p *Prompt) Close() {
	if p.input != nil {
		p.input.Blur()
	}
}

// Typing reports whether the prompt is open, so that key presses belong to it.
func (p *Prompt) Typing() bool { return p.input != nil && p.input.Focused() }

// Press passes a key press to the prompt's text, for keys that edit it or move in it.
func (p *Prompt) Press(msg tea.KeyPressMsg) {
	if msg.String() != "tab" {
		p.update(msg)
	} else if text, _, ok := p.completion(); ok {
		p.input.SetValue(text)
		p.input.CursorEnd()
	}
}

func (p *Prompt) update(msg tea.Msg) {
	if p.input != nil {
		*p.input, _ = p.input.Update(msg)
	}
}

// Paste inserts pasted text. Line breaks become spaces, and invisible characters are removed.
func (p *Prompt) Paste(msg tea.PasteMsg) {
	msg.Content = termtext.Line(msg.Content)
	p.update(msg)
}

// Text returns the typed text without leading and trailing spaces and without invisible characters.
func (p *Prompt) Text() string {
	if p.input == nil {
		return ""
	}
	return strings.TrimSpace(termtext.Line(p.input.Value()))
}

// Line draws the prompt. It never masks amounts in the typed text, even if the theme hides amounts.
func (p *Prompt) Line() string {
	if p.input == nil {
		return Fit("", p.width)
	}
	text := p.input.View()
	if p.looks.Masked {
		text = mask.Exempt(text)
	}
	line := p.looks.KeyName.Render(p.label) + text
	if _, word, ok := p.completion(); ok {
		hint := p.looks.Faint.Render("tab " + word)
		if room := p.width - termtext.Width(hint); termtext.Width(p.label+p.input.Value())+2 < room {
			return Fit(line, room) + hint
		}
	}
	return Fit(line, p.width)
}
