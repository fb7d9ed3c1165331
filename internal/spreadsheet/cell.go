// Package spreadsheet makes text from untrusted sources safe in files that spreadsheets open.
package spreadsheet

import (
	"strings"
	"unicode"
)

// Cell returns text from an untrusted source as a spreadsheet cell. It puts an apostrophe before
// whatever a spreadsheet could evaluate as a formula: at the start of the text, and after each
// separator in it, because spreadsheets of other countries split the text there. Quotes, spaces and
// invisible characters may precede the formula. Do not use Cell for numbers that tarmac formats
// itself, because negative numbers would become text.
func Cell(text string) string {
	if !strings.ContainsFunc(text, isSuspect) {
		return text
	}
	var b strings.Builder
	if text[0] == '\t' || text[0] == '\r' {
		b.WriteByte('\'')
	}
	written, cell, blank := 0, 0, true // blank: only skipped characters since the cell's start
	for i, r := range text {
		switch {
		case strings.ContainsRune(separators, r):
			cell, blank = i+1, true
		case blank && !isSkipped(r):
			blank = false
			if strings.ContainsRune(formulaSigns, r) {
				b.WriteString(text[written:cell] + "'")
				written = cell
			}
		}
	}
	b.WriteString(text[written:])
	return b.String()
}

const (
	// formulaSigns are the characters with which a formula may begin. Some spreadsheets also accept
	// their full-width and small forms.
	formulaSigns = "=+-@" + "＝＋－＠" + "﹦﹢﹣﹫"
	// separators end a cell in some dialect of CSV.
	separators = ",;\t|\r\n"
)

// isSuspect reports whether text with r may need an apostrophe.
func isSuspect(r rune) bool {
	switch r {
	case '=', '+', '-', '@', '\t', '\r':
		return true
	}
	return r >= 0x80
}

// isSkipped reports whether a spreadsheet may ignore r at the start of a cell: a quote, a space, a
// control character, or a character without width such as a byte order mark.
func isSkipped(r rune) bool {
	return r == '"' || unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Z) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
