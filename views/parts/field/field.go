// Package field provides the input fields of forms: text, money, quantities and dates. A field
// stores the text as typed and parses it only on request, so that a half-typed amount is not an
// error.
package field

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"tarmac/internal/termtext"
)

// slack is the number of characters that a field accepts beyond its limit. It lets the user see
// that a text is too long instead of cutting the text silently.
const slack = 50

// pasted is the maximum number of bytes that a field takes from a paste.
const pasted = 64 << 10

// Text is a field for one line of text. It is not safe for concurrent use.
type Text struct {
	in     textinput.Model
	hint   string
	secret bool
}

// NewText returns an empty field for at most limit characters. It accepts slack more, so that the
// user sees when a text is too long. The hint is drawn while the field is empty.
func NewText(hint string, limit int) Text {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = limit + slack
	// Disable the key that pastes from the clipboard. Over SSH that would be the clipboard of the
	// machine that runs the program, not the user's. Terminals send pasted text as messages.
	in.KeyMap.Paste = key.NewBinding(key.WithDisabled())
	return Text{in: in, hint: hint}
}

// NewSecret returns an empty field like NewText. It draws a dot in place of each character.
func NewSecret(hint string, limit int) Text {
	t := NewText(hint, limit)
	t.secret = true
	return t
}

// shown returns the text as it is drawn, with as many characters as the value.
func (t *Text) shown() string {
	if t.secret {
		return strings.Repeat("•", utf8.RuneCountInString(t.in.Value()))
	}
	return t.in.Value()
}

// Value returns the text as typed.
func (t *Text) Value() string { return t.in.Value() }

// Set replaces the text and puts the cursor at its end.
func (t *Text) Set(value string) {
	t.in.SetValue(oneLine(value))
	t.in.CursorEnd()
}

// Focus gives the field the focus.
func (t *Text) Focus() {
	// Ignore the returned command, which only makes the cursor blink.
	t.in.Focus()
}

// Blur removes the focus from the field.
func (t *Text) Blur() { t.in.Blur() }

// Focused reports whether the field has the focus.
func (t *Text) Focused() bool { return t.in.Focused() }

// Update handles a key press or a paste and reports whether the text changed. A field without focus
// ignores both. Line breaks become spaces, and invisible characters are removed.
func (t *Text) Update(msg tea.Msg) (changed bool) {
	before := t.in.Value()
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		msg.Text = oneLine(msg.Text)
		t.in, _ = t.in.Update(msg)
	case tea.PasteMsg:
		msg.Content = oneLine(msg.Content)
		t.in, _ = t.in.Update(msg)
	}
	return t.in.Value() != before
}

// oneLine returns text as a single line without invisible characters. It cuts text after the
// maximum size of a paste.
func oneLine(text string) string {
	if len(text) > pasted {
		end := pasted
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return strings.ReplaceAll(termtext.Block(text), "\n", " ")
}
