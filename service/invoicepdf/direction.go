package invoicepdf

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// visualOrder returns the characters of a line in the order in which they are drawn from left to
// right. Hebrew and Arabic text is reversed, but the numbers in it are not. It implements the
// Unicode bidirectional algorithm for a left-to-right line without directional control characters.
func visualOrder(line string) string {
	if strings.IndexFunc(line, func(r rune) bool { return r >= 0x590 }) < 0 {
		return line
	}
	runes := []rune(line)
	for from := 0; from < len(runes); from++ {
		if !isRightToLeft(runes[from]) {
			continue
		}
		end := from + 1 // index after the last character of the right-to-left text
		for i := end; i < len(runes) && bidiClass(runes[i]) != bidi.L; i++ {
			if isRightToLeft(runes[i]) || isNumber(runes[i]) || bidiClass(runes[i]) == bidi.NSM && i == end {
				end = i + 1
			}
		}
		end += countClosing(runes[from:end], runes[end:])
		reverseRun(runes[from:end])
		from = end - 1
	}
	return string(runes)
}

// countClosing returns how many brackets at the start of the following text close a bracket in run.
// They belong to the run, because both brackets of a pair must have the same direction.
func countClosing(run, following []rune) int {
	n := 0
	for n < len(following) && strings.ContainsRune(")]}", following[n]) && slices.Contains(run, mirrored(following[n])) {
		n++
	}
	return n
}

// reverseRun reverses right-to-left text in place, except the numbers in it. Combining marks come
// to stand to the left of their letters, where fonts expect them.
func reverseRun(run []rune) {
	slices.Reverse(run)
	for i := 0; i < len(run); i++ {
		end := i + 1
		switch {
		case isNumber(run[i]):
			for end < len(run) && (isNumber(run[end]) || isSeparator(run[end]) && end+1 < len(run) && isNumber(run[end+1])) {
				end++
			}
		default:
			run[i] = mirrored(run[i])
		}
		slices.Reverse(run[i:end])
		i = end - 1
	}
}

func bidiClass(r rune) bidi.Class {
	p, _ := bidi.LookupRune(r)
	return p.Class()
}

func isRightToLeft(r rune) bool { c := bidiClass(r); return c == bidi.R || c == bidi.AL }

func isNumber(r rune) bool { c := bidiClass(r); return c == bidi.EN || c == bidi.AN }

func isSeparator(r rune) bool { c := bidiClass(r); return c == bidi.ES || c == bidi.CS }

func mirrored(r rune) rune {
	const pairs = "()[]{}<>«»‹›"
	at := []rune(pairs)
	if i := slices.Index(at, r); i >= 0 {
		return at[i^1]
	}
	return r
}
