package invoicepdf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const ellipsis = "…"

// wrap breaks text into lines no wider than width: at its line ends, at blanks,
// beside Chinese and Japanese characters, and inside a word that fills a line by
// itself. A character wider than width
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
		for i, piece := range breakable(word) {
			separated := piece
			if line != "" && i == 0 {
				separated = " " + piece
			}
			if w := measure(separated); used+w <= width {
				line, used = line+separated, used+w
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			var whole []string
			whole, line = chop(piece, width, measure)
			lines, used = append(lines, whole...), measure(line)
		}
	}
	return append(lines, line)
}

// Signs that no line begins with, and signs that no line ends with, where it could
// end at every character.
const (
	notFirst = "、。，．・：；？！‐–—…‥ー々〻ヽヾゝゞ’”）〕］｝〉》」』】〙〗〟゛゜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％℃,.;:!?%)]}"
	notLast  = "‘“（〔［｛〈《「『【〘〖〝＄￥￡$£¥([{"
)

// breakable parts a word where a line may end within it: beside Chinese and Japanese
// characters. Korean is written with blanks.
func breakable(word string) []string {
	if !strings.ContainsFunc(word, withoutBlanks) {
		return []string{word}
	}
	var pieces []string
	from, before := 0, rune(0)
	for i, r := range word {
		if i > 0 && (withoutBlanks(before) || withoutBlanks(r)) && !unicode.Is(unicode.M, r) &&
			!strings.ContainsRune(notFirst, r) && !strings.ContainsRune(notLast, before) {
			pieces = append(pieces, word[from:i])
			from = i
		}
		before = r
	}
	return append(pieces, word[from:])
}

// withoutBlanks reports whether r is of a script without blanks between its words.
func withoutBlanks(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60
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
