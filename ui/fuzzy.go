package ui

import (
	"strings"
	"unicode"
)

// Points for a matching letter. A letter scores more at the start of a word, and most directly
// after the previous matching letter.
const (
	foundLetter  = 1
	foundInARow  = 9
	foundAtStart = 8
)

// fuzzy reports whether text contains the letters of each typed word in order, ignoring case. Other
// letters may be between them. A better match has a higher score.
func fuzzy(typed, text string) (score int, ok bool) {
	in := []rune(text)
	starts := make([]bool, len(in))
	for i, r := range in {
		starts[i] = word(r) && (i == 0 || !word(in[i-1]) || unicode.IsUpper(r) && unicode.IsLower(in[i-1]))
	}
	for i, r := range in {
		in[i] = unicode.ToLower(r)
	}
	for _, w := range strings.Fields(strings.ToLower(typed)) {
		points, found := fuzzyWord([]rune(w), in, starts)
		if !found {
			return 0, false
		}
		score += points
	}
	return score, true
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// fuzzyWord finds letters in text, in order, and returns the highest possible score. ends[i] is the
// best score for the letters so far if the last of them matches text[i]; 0 means that it does not.
func fuzzyWord(letters, text []rune, starts []bool) (score int, ok bool) {
	var ends []int
	for n, letter := range letters {
		next := make([]int, len(text))
		before := 0 // best score of a match that ends before text[i]
		for i, r := range text {
			if i > 0 && n > 0 {
				before = max(before, ends[i-1])
			}
			if r != letter || n > 0 && before == 0 {
				continue
			}
			most := before
			if n > 0 && i > 0 && ends[i-1] > 0 {
				most = max(most, ends[i-1]+foundInARow)
			}
			next[i] = most + foundLetter
			if starts[i] {
				next[i] += foundAtStart
			}
		}
		ends = next
	}
	for _, points := range ends {
		score = max(score, points)
	}
	return score, score > 0
}
