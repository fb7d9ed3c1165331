// Package field holds the fields of forms: a line of text, an amount of money, a
// quantity, a date. A field keeps what was typed as it was typed; what it means is
// read when it is asked for, so that half an amount is no error yet.
package field

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"tarmac/internal/termtext"
)

// slack is how many characters more than its limit a field takes: text that is too
// long is seen to be too long, rather than cut in silence.
const slack = 50

// pasted is how many bytes of a paste are looked at.
const pasted = 64 << 10

// Text is one line of text that is typed. It is used by pointer, from the one
// goroutine that runs the program.
type Text struct {
	in   textinput.Model
	hint string
}

// NewText returns an empty field that is meant for at most limit characters. The
// hint stands in it while it is empty.
func NewText(hint string, limit int) Text {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = limit + slack
	// The terminal pastes, by a message of its own; the clipboard of the machine that
	// the program runs on is somebody else's.
	in.KeyMap.Paste = key.NewBinding(key.WithDisabled())
	return Text{in: in, hint: hint}
}

// Value returns what was typed.
func (t *Text) Value() string { return t.in.Value() }

// Set replaces what was typed and puts the cursor at its end.
func (t *Text) Set(value string) {
	t.in.SetValue(oneLine(value))
	t.in.CursorEnd()
}

// Focus puts the cursor into the field.
func (t *Text) Focus() {
	// The command that Focus returns makes the cursor blink: bytes for nothing.
	t.in.Focus()
}

// Blur takes the cursor out of the field.
func (t *Text) Blur() { t.in.Blur() }

// Focused reports whether the cursor is in the field.
func (t *Text) Focused() bool { return t.in.Focused() }

// Update takes a key or a paste while the cursor is in the field, and reports
// whether the text has changed. Of a paste, line ends become blanks and what cannot
// be seen is left out.
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

// oneLine makes text from elsewhere safe to draw, and what is drawn all there is.
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
