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
	// in is nil until the field first gets a text or the focus: an input takes 8 kB, and a session
	// has dozens of fields. It is replaced and never changed, because copies of a Text share it.
	in     *textinput.Model
	limit  int // maximum number of characters, including slack
	hint   string
	secret bool
}

// NewText returns an empty field for at most limit characters. It accepts slack more, so that the
// user sees when a text is too long. The hint is drawn while the field is empty.
func NewText(hint string, limit int) Text {
	return Text{limit: limit + slack, hint: hint}
}

// change replaces the input with a changed copy.
func (t *Text) change(fn func(in *textinput.Model)) {
	var in textinput.Model
	if t.in != nil {
		in = *t.in
	} else {
		in = textinput.New()
		in.Prompt = ""
		in.CharLimit = t.limit
		// Disable the key that pastes from the clipboard. Over SSH that would be the clipboard of
		// the machine that runs the program, not the user's. Terminals send pasted text as
		// messages.
		in.KeyMap.Paste = key.Binding{}
	}
	fn(&in)
	t.in = &in
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
		return strings.Repeat("•", utf8.RuneCountInString(t.Value()))
	}
	return t.Value()
}

// Value returns the text as typed.
func (t *Text) Value() string {
	if t.in == nil {
		return ""
	}
	return t.in.Value()
}

// Set replaces the text and puts the cursor at its end.
func (t *Text) Set(value string) {
	if value = oneLine(value); t.in == nil && value == "" {
		return
	}
	t.change(func(in *textinput.Model) {
		in.SetValue(value)
		in.CursorEnd()
	})
}

// Focus gives the field the focus.
func (t *Text) Focus() {
	// Ignore the returned command, which only makes the cursor blink.
	t.change(func(in *textinput.Model) { in.Focus() })
}

// Blur removes the focus from the field.
func (t *Text) Blur() {
	if t.Focused() {
		t.change((*textinput.Model).Blur)
	}
}

// Focused reports whether the field has the focus.
func (t *Text) Focused() bool { return t.in != nil && t.in.Focused() }

// Update handles a key press or a paste and reports whether the text changed. A field without focus
// ignores both. Line breaks become spaces, and invisible characters are removed.
func (t *Text) Update(msg tea.Msg) (changed bool) {
	if !t.Focused() {
		return false
	}
	before := t.Value()
	switch given := msg.(type) {
	case tea.KeyPressMsg:
		given.Text = oneLine(given.Text)
		msg = given
	case tea.PasteMsg:
		given.Content = oneLine(given.Content)
		msg = given
	default:
		return false
	}
	t.change(func(in *textinput.Model) { *in, _ = in.Update(msg) })
	return t.Value() != before
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
