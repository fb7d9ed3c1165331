package bookrules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// evidenceText holds the text of a line in three forms. Each form is searched for other evidence:
// numbers, words, or names of banks.
type evidenceText struct {
	upper  string
	words  string   // upper, with a single blank in place of all characters between words
	fields []string // result of fieldWords; nil until namesBank needs it
}

// words returns a text in capitals. Each run of characters other than letters and digits becomes
// one blank.
func words(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	gap := false
	for _, r := range strings.ToUpper(text) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// has reports whether the text contains a phrase as whole words.
func (t *evidenceText) has(phrase string) bool {
	if phrase == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(t.words[from:], phrase)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(phrase)
		if (at == 0 || t.words[at-1] == ' ') && (end == len(t.words) || t.words[end] == ' ') {
			return true
		}
		from = at + 1
	}
}

func (t *evidenceText) hasAny(phrases []string) bool { return slices.ContainsFunc(phrases, t.has) }

// longNumbers returns the numbers in a text of at least eight digits, without zeros in front. Such
// a number is the end of an account number by chance in one of a hundred million texts.
func longNumbers(text string) (numbers []string) {
	const long = 8
	for at := 0; at < len(text); at++ {
		start := at
		for at < len(text) && text[at] >= '0' && text[at] <= '9' {
			at++
		}
		if number := strings.TrimLeft(text[start:at], "0"); len(number) >= long {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// isEnd reports whether the four characters before the index end are the last ones of an account
// number: they follow a mask such as "XX" or "…", or a word such as "account".
func (t *evidenceText) isEnd(end int) bool {
	before, after := t.upper[:end-lastCharacters], t.upper[end:]
	if beginsWithDigit(after) || endsInDigit(before) {
		return false
	}
	mask := strings.TrimRight(before, " ")
	if strings.HasSuffix(mask, "...") || strings.HasSuffix(mask, "…") {
		return true
	}
	if r, _ := utf8.DecodeLastRuneInString(before); strings.ContainsRune("*#•", r) {
		return true
	}
	word := lastWord(before)
	if word != "" && strings.Trim(word, "X") == "" && strings.HasSuffix(mask, word) {
		return true
	}
	return slices.Contains(endHints, word)
}

// lastWord returns the last word of a text, or the last characters of a word that is longer than
// all of endHints. It returns "" if there is none nearby.
func lastWord(text string) string {
	const longest, farthest = 64, 256 // bytes
	isLetter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	text = text[max(0, len(text)-farthest):]
	text = strings.TrimRightFunc(text, func(r rune) bool { return !isLetter(r) })
	text = text[max(0, len(text)-longest):]
	return text[len(strings.TrimRightFunc(text, isLetter)):]
}

func endsInDigit(text string) bool {
	return text != "" && text[len(text)-1] >= '0' && text[len(text)-1] <= '9'
}

func beginsWithDigit(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }
