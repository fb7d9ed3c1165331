package fold

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Find returns the byte offsets in text of the first match of needle. It ignores the same
// differences as Fold. If only part of a character matches, the offsets include the whole
// character. If there is no match or needle is empty, Find returns -1, -1.
func Find(text, needle string) (from, to int) {
	if needle = String(needle); needle == "" {
		return -1, -1
	}
	if folded, ok := foldASCII(text); ok {
		if from = strings.Index(folded, needle); from < 0 {
			return -1, -1
		}
		return from, from + len(needle)
	}
	folder := New()
	if !strings.Contains(folder.Fold(text), needle) {
		return -1, -1
	}
	var folded strings.Builder
	var ends []end
	for at := 0; at < len(text); {
		next := at + segment(text[at:])
		folded.WriteString(folder.Fold(text[at:next]))
		ends = append(ends, end{folded.Len(), next})
		at = next
	}
	first := strings.Index(folded.String(), needle)
	if first < 0 {
		return -1, -1 // not reached if the folded segments together equal the folded text
	}
	last := first + len(needle)
	for _, e := range ends {
		if e.folded <= first {
			from = e.text
		}
		if e.folded >= last {
			return from, e.text
		}
	}
	return from, len(text)
}

// end is the end of a segment (see the function segment), as an offset in the folded text and as an
// offset in the original text.
type end struct{ folded, text int }

// segment returns the length in bytes of the first segment of text that can be folded alone: a
// letter with its marks and the invisible characters that follow.
func segment(text string) int {
	n := 0
	for {
		next := norm.NFKC.NextBoundaryInString(text[n:], true)
		if next <= 0 {
			return len(text)
		}
		n += next
		r, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || !ignorable(r) {
			return n
		}
	}
}
