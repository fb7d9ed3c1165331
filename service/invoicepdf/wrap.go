package invoicepdf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const ellipsis = "…"

// wrap breaks text into lines no wider than width: at its line ends, at blanks,
// and inside a word that fills a line by itself. A character wider than width
// has a line of its own. Blank text has no lines; width adds up over a text's
// parts, as measure has it.
func wrap(text string, width float64, measure func(string) float64) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(strings.Trim(text, " \n"), "\n") {
		lines = append(lines, wrapParagraph(strings.TrimRight(paragraph, " "), width, measure)...)
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines
}

func wrapParagraph(text string, width float64, measure func(string) float64) []string {
	var lines []string
	var line string
	var used float64
	for word := range strings.SplitSeq(text, " ") {
		separated := word
		if line != "" {
			separated = " " + word
		}
		if w := measure(separated); used+w <= width {
			line, used = line+separated, used+w
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		var whole []string
		whole, line = chop(word, width, measure)
		lines, used = append(lines, whole...), measure(line)
	}
	return append(lines, line)
}

// chop cuts a word into full lines and what is left, which fits one.
func chop(word string, width float64, measure func(string) float64) (full []string, rest string) {
	from, used := 0, 0.0
	for i, r := range word {
		w := measure(word[i : i+utf8.RuneLen(r)])
		// A mark stays with its character.
		if used+w > width && i > from && !unicode.Is(unicode.M, r) {
			full = append(full, word[from:i])
			from, used = i, 0
		}
		used += w
	}
	return full, word[from:]
}

// atMost keeps n lines; of more, the last ends in "…".
func atMost(n int, lines []string) []string {
	if len(lines) <= n {
		return lines
	}
	kept := lines[:n:n]
	kept[n-1] += ellipsis
	return kept
}

// shorten cuts text to width, with "…" where something is gone.
func shorten(text string, width float64, measure func(string) float64) string {
	if measure(text) <= width {
		return text
	}
	width -= measure(ellipsis)
	end, used := 0, 0.0
	for i, r := range text {
		if used += measure(string(r)); used > width {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return strings.TrimRight(text[:end], " ") + ellipsis
}
