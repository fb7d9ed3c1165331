package notify

import (
	"regexp"
	"strings"
	"unicode"

	"tarmac/internal/termtext"
)

// unlink breaks the addresses and mentions in text with brackets: "evil[.]example", "https[:]//".
// Strangers choose the names in a message, and chat and mail programs link even bare addresses.
func unlink(text string) string {
	text = ipAddress.ReplaceAllStringFunc(text, func(s string) string { return strings.ReplaceAll(s, ".", "[.]") })
	letters := []rune(text)
	var b strings.Builder
	for i, r := range letters {
		if i > 0 && links(letters[i-1], r, letters[i+1:]) || r == '@' && isWord(letters[i+1:]) {
			b.WriteString("[" + string(r) + "]")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

var ipAddress = regexp.MustCompile(`\d{1,3}(?:\.\d{1,3}){3}`)

// links reports whether r, which follows before, joins the parts of an address.
func links(before, r rune, after []rune) bool {
	switch r {
	case '.', '。', '．', '｡', '․', '﹒': // domain names may be written with any of them
		// All top-level domains begin with a letter and have two or more, so "B.V." and "9.0" stay.
		return !unicode.IsSpace(before) && isWord(after) && unicode.IsLetter(after[0]) && isWord(after[1:])
	case ':':
		follows := len(after) > 0 && !unicode.IsSpace(after[0])
		return follows && (unicode.IsLetter(before) || after[0] == '/')
	case '\\': // \\server\share
		return before == '\\' && isWord(after)
	}
	return false
}

// isWord reports whether text begins with a character of a name in an address.
func isWord(text []rune) bool {
	return len(text) > 0 && (text[0] == '-' || text[0] == '_' || unicode.In(text[0], unicode.L, unicode.M, unicode.N))
}

// unlinkPage applies unlink to the texts between the tags of a page of client/report. The page
// escapes the names in it, so each "<" begins a tag.
func unlinkPage(page string) string {
	var b strings.Builder
	style := false
	for page != "" {
		text, rest, found := strings.Cut(page, "<")
		if style {
			b.WriteString(text)
		} else {
			b.WriteString(unlink(visible(text)))
		}
		tag, after, _ := strings.Cut(rest, ">")
		if found {
			b.WriteString("<" + tag + ">")
		}
		style, page = strings.HasPrefix(tag, "style"), after
	}
	return b.String()
}

// visible returns text without control characters, bidirectional controls and other invisible ones.
func visible(text string) string {
	var marks termtext.Marks
	return strings.Map(func(r rune) rune {
		if r == '\n' || marks.Shown(r) {
			return r
		}
		return -1
	}, text)
}
