package invoicepdf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const ellipsis = "…"

// wrap breaks text into lines that are at most width wide. Lines end at line ends of text, at
// spaces, beside Chinese and Japanese characters, and inside words that are wider than a line. A
// character wider than width gets a line of its own. Blank text gives no lines. measure must return
// the sum of the widths of a text's characters.
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
		for i, piece := range splitBreakable(word) {
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
			whole, line = breakWord(piece, width, measure)
			lines, used = append(lines, whole...), measure(line)
		}
	}
	return append(lines, line)
}

// Characters that must not start a line and characters that must not end one, in scripts without
// spaces between words.
const (
	noLineStart = "、。，．・：；？！‐–—…‥ー" +
		"々〻ヽヾゝゞ’”）〕］｝〉》」』】〙〗〟゛゜" +
		"ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％℃,.;:!?%)]}"
	noLineEnd = "‘“（〔［｛〈《「『【〘〖〝＄￥￡$£¥([{"
)

// splitBreakable splits a word at the places where a line may end, which are beside Chinese and
// Japanese characters. Korean text has spaces between words instead.
func splitBreakable(word string) []string {
	if !strings.ContainsFunc(word, isUnspaced) {
		return []string{word}
	}
	var pieces []string
	from, before := 0, rune(0)
	for i, r := range word {
		if i > 0 && (isUnspaced(before) || isUnspaced(r)) && !unicode.Is(unicode.M, r) &&
			!strings.ContainsRune(noLineStart, r) && !strings.ContainsRune(noLineEnd, before) {
			pieces = append(pieces, word[from:i])
			from = i
		}
		before = r
	}
	return append(pieces, word[from:])
}

// isUnspaced reports whether r belongs to a script without spaces between words.
func isUnspaced(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60
}

// breakWord splits a word that is wider than a line into full lines and a remainder that fits on
// one line.
func breakWord(word string, width float64, measure func(string) float64) (full []string, remainder string) {
	from, used := 0, 0.0
	for i, r := range word {
		w := measure(word[i : i+utf8.RuneLen(r)])
		// A combining mark stays on the line of its character.
		if used+w > width && i > from && !unicode.Is(unicode.M, r) {
			full = append(full, word[from:i])
			from, used = i, 0
		}
		used += w
	}
	return full, word[from:]
}

// truncateLines returns the first n lines. If there are more, the last of them ends with "…".
func truncateLines(n int, lines []string) []string {
	if len(lines) <= n {
		return lines
	}
	kept := lines[:n:n]
	kept[n-1] += ellipsis
	return kept
}

// shorten truncates text to width, with "…" at its end.
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
