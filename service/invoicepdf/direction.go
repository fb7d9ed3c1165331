package invoicepdf

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// visual returns a line in the order in which its characters stand on the page,
// from left to right: runs of Hebrew and Arabic turned round, the numbers in
// them not. It is the Unicode bidirectional algorithm for a line that reads left
// to right and has no directional controls, which is what clean text is.
func visual(line string) string {
	if strings.IndexFunc(line, func(r rune) bool { return r >= 0x590 }) < 0 {
		return line
	}
	runes := []rune(line)
	for from := 0; from < len(runes); from++ {
		if !rightToLeft(runes[from]) {
			continue
		}
		end := from + 1 // after the last that belongs to the run
		for i := end; i < len(runes) && class(runes[i]) != bidi.L; i++ {
			if rightToLeft(runes[i]) || number(runes[i]) || class(runes[i]) == bidi.NSM && i == end {
				end = i + 1
			}
		}
		end += closing(runes[from:end], runes[end:])
		turn(runes[from:end])
		from = end - 1
	}
	return string(runes)
}

// closing counts the brackets at the start of rest that close one in the run: a
// pair stands in one direction.
func closing(run, rest []rune) int {
	n := 0
	for n < len(rest) && strings.ContainsRune(")]}", rest[n]) && slices.Contains(run, mirrored(rest[n])) {
		n++
	}
	return n
}

// turn reverses a run and leaves its numbers as they were. Marks get to the left of
// their letters, over which fonts draw them from there.
func turn(run []rune) {
	slices.Reverse(run)
	for i := 0; i < len(run); i++ {
		end := i + 1
		switch {
		case number(run[i]):
			for end < len(run) && (number(run[end]) || separator(run[end]) && end+1 < len(run) && number(run[end+1])) {
				end++
			}
		default:
			run[i] = mirrored(run[i])
		}
		slices.Reverse(run[i:end])
		i = end - 1
	}
}

func class(r rune) bidi.Class {
	p, _ := bidi.LookupRune(r)
	return p.Class()
}

func rightToLeft(r rune) bool { c := class(r); return c == bidi.R || c == bidi.AL }

func number(r rune) bool { c := class(r); return c == bidi.EN || c == bidi.AN }

func separator(r rune) bool { c := class(r); return c == bidi.ES || c == bidi.CS }

func mirrored(r rune) rune {
	const pairs = "()[]{}<>«»‹›"
	at := []rune(pairs)
	if i := slices.Index(at, r); i >= 0 {
		return at[i^1]
	}
	return r
}
