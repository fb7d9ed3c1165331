package table

import (
	"unicode"
	"unicode/utf8"
)

// Find returns where needle first stands in text, letters of either case being
// the same, as byte offsets; -1, -1 when it does not, or is empty.
func Find(text, needle string) (from, to int) {
	if needle == "" {
		return -1, -1
	}
	for from := range text {
		if n := prefix(text[from:], needle); n > 0 {
			return from, from + n
		}
	}
	return -1, -1
}

// prefix returns how many bytes of text match the needle at its beginning; 0 when
// they do not. Comparing rune by rune keeps the offsets those of text: a lowered
// copy can be longer or shorter.
func prefix(text, needle string) int {
	n := 0
	for _, want := range needle {
		if n >= len(text) {
			return 0
		}
		r, size := rune(text[n]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[n:])
		}
		if r != want && unicode.ToLower(r) != unicode.ToLower(want) {
			return 0
		}
		n += size
	}
	return n
}
