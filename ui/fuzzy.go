package ui

import (
	"strings"
	"unicode"
)

// What a letter that is found counts: more where a word begins, and most
// right behind the letter before it.
const (
	foundLetter  = 1
	foundInARow  = 9
	foundAtStart = 8
)

// fuzzy reports whether every word of what was typed is in text: its letters one
// after the other, in any case, with others between them. Of two texts the better
// match scores higher.
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

// fuzzyWord finds the way through text that scores most. ends holds, for each
// place, the most that the letters so far score when the last of them is there; 0
// is that it cannot be.
func fuzzyWord(letters, text []rune, starts []bool) (score int, ok bool) {
	var ends []int
	for n, letter := range letters {
		next := make([]int, len(text))
		before := 0 // the most that any earlier place scores
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
