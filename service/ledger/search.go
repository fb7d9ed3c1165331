package ledger

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fieldSeparator stands between the searched fields of a row. A keyword cannot
// hold it, so a match never spans two fields.
const fieldSeparator = '\x1f'

// Folder brings text into the form that keywords are compared in. Rows and
// keywords must pass the same form, so it is the only one. A Folder is not safe
// for concurrent use: the case mapping underneath keeps state.
type Folder struct {
	caser cases.Caser
	text  strings.Builder
}

// NewFolder returns a folder.
func NewFolder() *Folder { return &Folder{caser: cases.Fold()} }

// Fold returns s case-folded and composed (NFC), so that "STRASSE" finds
// "Straße" and a decomposed "é" finds a composed one. Control characters become
// blanks, and what is not a Unicode character becomes U+FFFD: the search index
// reads a NUL as the end of text and cannot tell noncharacters apart.
func (f *Folder) Fold(s string) string {
	if folded, ok := foldASCII(s); ok {
		return folded
	}
	s = strings.Map(indexable, strings.ToValidUTF8(s, string(utf8.RuneError)))
	f.caser.Reset()
	return norm.NFC.String(f.caser.String(s))
}

func indexable(r rune) rune {
	switch {
	case r < ' ' || r == 0x7f:
		return ' '
	case r&0xfffe == 0xfffe:
		return utf8.RuneError
	}
	return r
}

// foldASCII folds text that is ASCII throughout, as nearly all of it is.
func foldASCII(s string) (string, bool) {
	changed := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return "", false
		}
		changed = changed || 'A' <= c && c <= 'Z' || c < ' ' || c == 0x7f
	}
	if !changed {
		return s, true
	}
	b := []byte(s)
	for i, c := range b {
		switch {
		case 'A' <= c && c <= 'Z':
			b[i] = c + ('a' - 'A')
		case c < ' ' || c == 0x7f:
			b[i] = ' '
		}
	}
	return string(b), true
}

// SearchText returns what keywords are looked for in: counterparty, memo,
// reference and category (specification 4.9), folded, with a character between
// them that no keyword has.
func (f *Folder) SearchText(t *Transaction) string {
	f.text.Reset()
	for i, field := range [...]string{t.Counterparty, t.Memo, t.Reference, t.Category} {
		if i > 0 {
			f.text.WriteByte(fieldSeparator)
		}
		f.text.WriteString(f.Fold(field))
	}
	return f.text.String()
}
