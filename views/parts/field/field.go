// Package field holds the fields of forms: a line of text, an amount of money, a quantity, a date.
// A field stores the text as typed and parses it only on request, so that a half-typed amount is
// not an error.
package field

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"tarmac/internal/termtext"
)

// slack is how many characters a field accepts beyond its limit, so that the user sees that a text
// is too long.
const slack = 50

// pasted is the maximum number of bytes read from a paste.
const pasted = 64 << 10

// Text is a field for one line of text. It is not safe for concurrent use.
type Text struct {
	in   textinput.Model
	hint string
}

// NewText returns an empty field for at most limit characters. It shows the hint while it is empty.
func NewText(hint string, limit int) Text {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = limit + slack
	// The terminal sends pastes as messages. Over SSH the program's own clipboard would belong to
	// another machine.
	in.KeyMap.Paste = key.NewBinding(key.WithDisabled())
	return Text{in: in, hint: hint}
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
	// Ignore the command: it only makes the cursor blink.
	t.in.Focus()
}

// Blur takes the focus from the field.
func (t *Text) Blur() { t.in.Blur() }

// Focused reports whether the field has the focus.
func (t *Text) Focused() bool { return t.in.Focused() }

// Update handles a key or a paste while the field has the focus, and reports whether the text
// changed. It turns line breaks of a paste into blanks and removes invisible characters.
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

// oneLine makes pasted text safe to draw and removes what cannot be seen.
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
