// Package spreadsheet makes text from untrusted sources safe in files that spreadsheets open.
package spreadsheet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cell returns text from an untrusted source as a spreadsheet cell. If a spreadsheet could evaluate
// the text as a formula, Cell puts an apostrophe before it, even if the formula follows invisible
// characters. Do not use Cell for numbers that tarmac formats itself, because negative numbers
// would become text.
func Cell(text string) string {
	if text == "" || 'A' <= text[0] && text[0] <= 'Z' || 'a' <= text[0] && text[0] <= 'z' ||
		'0' <= text[0] && text[0] <= '9' {
		return text // fast path for most texts
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, isInvisible))
	if strings.ContainsRune(formulaSigns, first) || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") {
		return "'" + text
	}
	return text
}

// formulaSigns are the characters with which a formula may begin. Some spreadsheets also accept
// their full-width and small forms.
const formulaSigns = "=+-@" + "＝＋－＠" + "﹦﹢﹣﹫"

// isInvisible reports whether a spreadsheet may ignore r at the start of a cell: a space, a control
// character, or a character without width such as a byte order mark.
func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Z) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
