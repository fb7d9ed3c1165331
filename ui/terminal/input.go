package terminal

import (
	"io"
	"time"
	"unicode/utf8"
)

// Limits of the input from a remote terminal. A real terminal needs far less.
const (
	maxControl = 256     // parameters of a control sequence, in bytes
	maxString  = 4 << 10 // control string, such as the answer to a question about colors, in bytes
	maxPaste   = 1 << 20 // pasted text, in bytes
)

// sequenceTimeout is the time after which Bubble Tea takes an incomplete sequence for keys.
const sequenceTimeout = 50 * time.Millisecond

// inputFilter bounds what Bubble Tea's decoder makes of the input of a remote terminal. The decoder
// keeps sequences and pasted texts of any length, and one kind of sequence (CSI … _, keys of the
// Windows console) stands for up to 65,535 events. The filter shortens sequences and texts that are
// too long, and turns that kind into one without a meaning.
type inputFilter struct {
	in   io.Reader
	now  func() time.Time
	last time.Time // when the last input arrived

	state     inputState
	length    int    // length of the current sequence or text so far, in bytes
	params    []byte // parameters of the current control sequence
	isOSC     bool   // the current control string may end with BEL
	end       []byte // the beginning of the end of a paste that has arrived
	character []byte // the beginning of a UTF-8 character that has arrived
}

// inputState says which part of a sequence the next byte belongs to.
type inputState int

const (
	textInput    inputState = iota
	escapeInput             // after ESC
	controlInput            // in a control sequence, after CSI
	stringInput             // in a control string
	pasteInput              // in a pasted text
)

const (
	escapeByte = 0x1b
	bell       = 0x07
	pasteEnd   = "\x1b[201~"
)

// Read implements io.Reader.
func (f *inputFilter) Read(p []byte) (int, error) {
	for {
		// The output for n bytes of input has at most n bytes, and those of the end of a paste.
		n, err := f.in.Read(p[:max(1, len(p)-len(pasteEnd))])
		now := f.now()
		if f.state != pasteInput && now.Sub(f.last) > sequenceTimeout {
			f.state = textInput
		}
		f.last = now
		out := f.filter(make([]byte, 0, n+len(pasteEnd)), p[:n])
		if len(out) > 0 || err != nil {
			return copy(p, out), err
		}
	}
}

func (f *inputFilter) filter(out, in []byte) []byte {
	for _, b := range in {
		switch f.state {
		case textInput:
			out = f.text(out, b)
		case escapeInput:
			out = f.escape(out, b)
		case controlInput:
			out = f.control(out, b)
		case stringInput:
			out = f.controlString(out, b)
		case pasteInput:
			out = f.paste(out, b)
		}
	}
	return out
}

// text replaces what is not UTF-8 with question marks. The decoder would take some of these bytes
// for the beginning of a sequence.
func (f *inputFilter) text(out []byte, b byte) []byte {
	if len(f.character) > 0 && utf8.RuneStart(b) {
		f.character = f.character[:0]
		out = append(out, '?')
	}
	if b < utf8.RuneSelf {
		if b == escapeByte {
			f.state = escapeInput
		}
		return append(out, b)
	}
	f.character = append(f.character, b)
	if !utf8.FullRune(f.character) {
		return out
	}
	whole := f.character
	f.character = f.character[:0]
	if !utf8.Valid(whole) {
		return append(out, '?')
	}
	return append(out, whole...)
}

func (f *inputFilter) escape(out []byte, b byte) []byte {
	f.length = 0
	switch b {
	case escapeByte:
	case '[':
		f.state, f.params = controlInput, f.params[:0]
	case ']', 'P', '_', '^', 'X':
		f.state, f.isOSC = stringInput, b == ']'
	default:
		f.state = textInput
		return f.text(out, b)
	}
	return append(out, b)
}

func (f *inputFilter) control(out []byte, b byte) []byte {
	switch {
	case b == escapeByte:
		f.state = escapeInput
	case b >= 0x80:
		f.state = textInput
		return f.text(out, b)
	case b < 0x40 && f.length >= maxControl:
		return out
	case b < 0x40:
		f.length++
		f.params = append(f.params, b)
	default:
		f.state = textInput
		if b == '_' {
			return append(out, 'z') // no terminal sends CSI … z
		}
		if b == '~' && string(f.params) == "200" {
			f.state, f.length, f.end = pasteInput, 0, f.end[:0]
		}
	}
	return append(out, b)
}

func (f *inputFilter) controlString(out []byte, b byte) []byte {
	f.length++
	switch {
	case b == escapeByte:
		f.state = escapeInput // of ST, which ends the string, or of another sequence
	case b == bell && f.isOSC:
		f.state = textInput
	case f.length > maxString:
		return out
	}
	return append(out, b)
}

// paste passes on a pasted text without its escape characters, which mean nothing in a text.
func (f *inputFilter) paste(out []byte, b byte) []byte {
	switch {
	case b == pasteEnd[len(f.end)]:
		if f.end = append(f.end, b); len(f.end) == len(pasteEnd) {
			f.state = textInput
			return append(out, pasteEnd...)
		}
		return out
	case len(f.end) > 0:
		begun := f.end[1:]
		f.end = f.end[:0]
		for _, earlier := range begun {
			out = f.pasted(out, earlier)
		}
		return f.paste(out, b)
	}
	return f.pasted(out, b)
}

func (f *inputFilter) pasted(out []byte, b byte) []byte {
	f.length++
	if f.length > maxPaste || b == escapeByte {
		return out
	}
	return append(out, b)
}
