package bookrules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// evidenceText holds the text of a line in four forms. Each form is searched for other evidence:
// words, names of banks, whole numbers, or numbers written in groups.
type evidenceText struct {
	upper    string
	words    string   // upper, with a single blank in place of all characters between words
	squeezed string   // upper without blanks and punctuation; "" until hasNumber needs it
	fields   []string // result of fieldWords; nil until namesBank needs it
	long     []string // result of longNumbers; nil until hasNumber needs it
}

// words returns a text in capitals. Each run of characters other than letters and digits becomes
// one blank.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
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

// hasNumber reports whether the text contains a whole account number. A number of ten characters or
// more may be written in groups, or without its beginning, as inside a country.
func (t *evidenceText) hasNumber(number string) bool {
	const unmistakable = 10
	if len(number) >= unmistakable {
		if t.squeezed == "" {
			t.squeezed = squeeze(t.upper)
			t.long = longNumbers(t.upper)
		}
		return strings.Contains(t.squeezed, number) ||
			slices.ContainsFunc(t.long, func(end string) bool { return strings.HasSuffix(number, end) })
	}
	return t.find(number, func(before, after string) bool { return !endsInDigit(before) && !beginsWithDigit(after) })
}

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

// hasEnd reports whether the text contains ending, the last characters of an account number, after
// a mask such as "XX" or "…", or after a word such as "account".
func (t *evidenceText) hasEnd(ending string) bool {
	return t.find(ending, func(before, after string) bool {
		if beginsWithDigit(after) || endsInDigit(before) {
			return false
		}
		if mask := strings.TrimRight(before, " "); strings.HasSuffix(mask, "...") || strings.HasSuffix(mask, "…") {
			return true
		}
		if r, _ := utf8.DecodeLastRuneInString(before); strings.ContainsRune("*#•", r) {
			return true
		}
		fields := strings.Fields(words(before))
		if len(fields) == 0 {
			return false
		}
		word := fields[len(fields)-1]
		if strings.Trim(word, "X") == "" && strings.HasSuffix(strings.TrimRight(before, " "), word) {
			return true
		}
		return slices.Contains(endHints, word)
	})
}

// find looks for a part of the text. For each place where it finds the part, it calls accept with
// the text before that place and the text after the part, until accept returns true. It reports
// whether accept returned true.
func (t *evidenceText) find(part string, accept func(before, after string) bool) bool {
	for from := 0; ; {
		at := strings.Index(t.upper[from:], part)
		if at < 0 {
			return false
		}
		at += from
		if accept(t.upper[:at], t.upper[at+len(part):]) {
			return true
		}
		from = at + 1
	}
}

func endsInDigit(text string) bool {
	return text != "" && text[len(text)-1] >= '0' && text[len(text)-1] <= '9'
}

func beginsWithDigit(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }
