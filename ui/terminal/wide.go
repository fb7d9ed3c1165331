package terminal

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Bubble Tea's renderer does not know how many cells a terminal draws for a wide character. It
// therefore sends every row with a wide character again in each frame. But terminals agree about
// the width of East Asian scripts. For each of these characters, the renderer gets two private
// characters of one cell each, which output joins to the original character. Emoji are left as they
// are.

// The left half of a wide character r is heads+r, its right half tails+r. Both are private-use
// characters, which text from the server never contains (see termtext).
const (
	heads = 0xF0000
	tails = 0x100000
)

func isHalf(r rune) bool { return r >= heads }

// isWide reports whether all terminals draw the character in two cells.
func isWide(r rune) bool {
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

// combines reports whether a terminal may draw the character in one cell with the character beside
// it.
func combines(r rune) bool {
	return unicode.In(r, unicode.M, unicode.Cf) ||
		r >= 0x1100 && r <= 0x11FF || r >= 0xA960 && r <= 0xA97F || r >= 0xD7B0 && r <= 0xD7FF
}

// halve replaces each wide character in a frame with its two halves.
func halve(frame string) string {
	at := strings.IndexFunc(frame, func(r rune) bool { return isWide(r) || isHalf(r) })
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
		case isHalf(r):
			b.WriteRune(utf8.RuneError)
		case isWide(r) && !combines(last) && !combines(next):
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

// join appends output to dst and replaces each pair of halves with its wide character. A single
// half, for example at the edge of a window that has just become narrower, becomes a space.
func join(dst, output []byte) []byte {
	for {
		at := bytes.IndexFunc(output, isHalf)
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

// halvesAreOneCell reports whether the renderer counts half a character as one cell. That depends
// on the locale.
func halvesAreOneCell() bool {
	for _, half := range []string{string(rune(heads + 0x4E00)), string(rune(tails + 0x4E00))} {
		if ansi.StringWidth(half) != 1 || ansi.StringWidthWc(half) != 1 {
			return false
		}
	}
	return true
}

// terminalFile is an output that Bubble Tea recognizes as a terminal.
type terminalFile interface {
	io.ReadWriteCloser
	Fd() uintptr
}
