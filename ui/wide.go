package ui

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// The renderer sends a row with a double-width character again with every frame, as
// it cannot tell how wide a terminal draws it: a step down cost half as much again for
// each such row on the screen. All terminals agree about the scripts of East Asia, so
// that the renderer is given two private characters for one of those, one for each of
// its cells, and the terminal is sent the character itself. Emoji are left alone.

// heads and tails are where the private characters begin that stand for the halves;
// what comes from elsewhere holds no private characters (termtext).
const (
	heads = 0xF0000
	tails = 0x100000
)

func half(r rune) bool { return r >= heads }

// halvable reports whether every terminal draws the character two cells wide.
func halvable(r rune) bool {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3400 && r <= 0x4DBF: // Chinese characters
	case r >= 0x3041 && r <= 0x3096, r >= 0x30A0 && r <= 0x30FF: // kana
	case r >= 0xAC00 && r <= 0xD7A3: // Hangul
	case r >= 0x3001 && r <= 0x3029, r >= 0xFF01 && r <= 0xFF60: // punctuation, full-width Latin
	default:
		return false
	}
	return true
}

// joining reports whether the character may be drawn together with its neighbour.
func joining(r rune) bool {
	return unicode.In(r, unicode.M, unicode.Cf) ||
		r >= 0x1100 && r <= 0x11FF || r >= 0xA960 && r <= 0xA97F || r >= 0xD7B0 && r <= 0xD7FF
}

// halve returns the frame with the halves of wide characters in their place.
func halve(frame string) string {
	at := strings.IndexFunc(frame, func(r rune) bool { return halvable(r) || half(r) })
	if at < 0 {
		return frame
	}
	var b strings.Builder
	b.Grow(len(frame) + 256)
	b.WriteString(frame[:at])
	last, _ := utf8.DecodeLastRuneInString(frame[:at])
	for at < len(frame) {
		r, size := utf8.DecodeRuneInString(frame[at:])
		next, _ := utf8.DecodeRuneInString(frame[at+size:])
		switch {
		case half(r):
			b.WriteRune(utf8.RuneError)
		case halvable(r) && !joining(last) && !joining(next):
			b.WriteRune(heads + r)
			b.WriteRune(tails + r)
		default:
			b.WriteString(frame[at : at+size])
		}
		last = r
		at += size
	}
	return b.String()
}

// join appends output to dst with the wide characters in the place of their halves. A
// half alone, such as one at the edge of a window that has just become narrower, is a
// blank.
func join(dst, output []byte) []byte {
	for {
		at := bytes.IndexFunc(output, half)
		if at < 0 {
			return append(dst, output...)
		}
		dst = append(dst, output[:at]...)
		r, size := utf8.DecodeRune(output[at:])
		output = output[at+size:]
		next, size := utf8.DecodeRune(output)
		if r >= tails || next != r-heads+tails {
			dst = append(dst, ' ')
			continue
		}
		dst = utf8.AppendRune(dst, r-heads)
		output = output[size:]
	}
}

// halvesWork reports whether the renderer takes a half for one cell: private
// characters are of the width that the locale gives them.
func halvesWork() bool {
	return ansi.StringWidth(string(rune(heads+0x4E00))) == 1 && ansi.StringWidthWc(string(rune(heads+0x4E00))) == 1 &&
		ansi.StringWidth(string(rune(tails+0x4E00))) == 1 && ansi.StringWidthWc(string(rune(tails+0x4E00))) == 1
}

// terminalFile is what Bubble Tea knows a terminal by.
type terminalFile interface {
	io.ReadWriteCloser
	Fd() uintptr
}
