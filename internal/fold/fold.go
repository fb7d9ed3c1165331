// Package fold normalizes text for searching, so that capital and small letters, composed and
// decomposed letters, and full and half width match each other. The ledger of the service and the
// filters of the client share it.
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Folder folds many texts. It has state and is not safe for concurrent use.
type Folder struct{ caser cases.Caser }

// New returns a new Folder.
func New() *Folder { return &Folder{cases.Fold()} }

// Fold returns Unicode's NFKC_Casefold of s. It matches "STRASSE" with "Straße", "ΣΊΣΥΦΟΣ"
// with "Σίσυφος", a decomposed "é" with a composed one, and "ﬁ" with "fi". It drops
// invisible characters, such as soft hyphens and joiners, and keeps accents.
//
// It also folds the four letters i, I, İ and ı to one. A capital I is dotless in Turkish
// and dotted elsewhere, and a bank's capitals do not say which.
//
// Control characters become spaces and noncharacters become U+FFFD: the ledger's search
// index ends text at a NUL and cannot tell noncharacters apart.
func (f *Folder) Fold(s string) string {
	if folded, ok := foldASCII(s); ok {
		return folded
	}
	s = norm.NFKD.String(strings.Map(searchable, strings.ToValidUTF8(s, string(utf8.RuneError))))
	f.caser.Reset()
	return norm.NFKC.String(correctFold(f.caser.String(s)))
}

// String folds a single text. For many texts, a Folder is faster.
func String(s string) string {
	if folded, ok := foldASCII(s); ok {
		return folded
	}
	return New().Fold(s)
}

func searchable(r rune) rune {
	switch {
	case r < ' ' || r == 0x7f:
		return ' '
	case r&0xfffe == 0xfffe:
		return utf8.RuneError
	case ignorable(r):
		return -1
	}
	return r
}

// ignorable reports whether r is one of Unicode's Default_Ignorable_Code_Points (UAX 44), which are
// invisible.
func ignorable(r rune) bool {
	switch {
	case r < 0xad, 0xfff9 <= r && r <= 0xfffb, 0x13430 <= r && r <= 0x13440:
		return false
	case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

const (
	dotlessI = 'ı'
	dotAbove = '\u0307'
)

// correctFold corrects decomposed text that cases.Fold has folded. It merges the four letters i. It
// also folds Cherokee to capital letters, as Unicode requires; cases.Fold returns small ones.
func correctFold(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool {
		return r == dotlessI || r == dotAbove ||
			unicode.Is(unicode.Cherokee, r)
	}) {
		return s
	}
	ofI := false // the last base letter is an i that no mark above it has followed yet
	return strings.Map(func(r rune) rune {
		switch {
		case r == dotlessI || r == 'i':
			ofI = true
			return 'i'
		case r == dotAbove && ofI:
			return -1
		}
		class := norm.NFD.PropertiesString(string(r)).CCC()
		ofI = ofI && class != 0 && class != classAbove
		if unicode.Is(unicode.Cherokee, r) {
			return unicode.ToUpper(r)
		}
		return r
	}, s)
}

// classAbove is the combining class of marks above a letter.
const classAbove = 230

// foldASCII folds s if it consists only of ASCII characters, as most text does.
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
