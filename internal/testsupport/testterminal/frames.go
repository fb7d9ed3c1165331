//go:build unix

package testterminal

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// wholeFrames holds back a frame until it is complete, like terminals with synchronized output.
// A pty passes on a few kilobytes at a time, and half-drawn screens are never visible.
type wholeFrames struct{ begun []byte }

func (w *wholeFrames) of(output []byte) []byte {
	output = append(w.begun, output...)
	w.begun = nil
	begin, end := []byte(ansi.SetModeSynchronizedOutput), []byte(ansi.ResetModeSynchronizedOutput)
	until := len(output)
	if at := bytes.LastIndex(output, begin); at > bytes.LastIndex(output, end) {
		until = at
	} else {
		for n := min(len(begin)-1, len(output)); n > 0; n-- {
			if bytes.HasSuffix(output, begin[:n]) {
				until = len(output) - n
				break
			}
		}
	}
	w.begun = slices.Clone(output[until:])
	return output[:until]
}

// unmarked removes combining marks from the output. The emulator wrongly wraps at a mark in the
// second-to-last column.
type unmarked struct{ begun []byte } // an incomplete character

func (u *unmarked) of(output []byte) []byte {
	output = append(u.begun, output...)
	u.begun = nil
	shown := make([]byte, 0, len(output))
	for len(output) > 0 {
		if !utf8.FullRune(output) {
			u.begun = slices.Clone(output)
			break
		}
		r, size := utf8.DecodeRune(output)
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			shown = append(shown, output[:size]...)
		}
		output = output[size:]
	}
	return shown
}
