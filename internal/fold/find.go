package fold

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Find returns where needle first stands in text, both folded, as byte offsets of text;
// -1, -1 when it does not, or is empty. Characters of which a part is found are found
// whole.
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
		next := at + apart(text[at:])
		folded.WriteString(folder.Fold(text[at:next]))
		ends = append(ends, end{folded.Len(), next})
		at = next
	}
	first := strings.Index(folded.String(), needle)
	if first < 0 {
		return -1, -1 // nothing that was tried gets here: parts are folded as the whole is
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

// end is where a part of a text ends, in the folded text and in the text.
type end struct{ folded, text int }

// apart returns how many bytes of text are folded as they would be by themselves:
// a letter with its marks and what shows nothing behind it.
func apart(text string) int {
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
