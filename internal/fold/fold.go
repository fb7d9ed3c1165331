// Package fold brings text into the form in which it is searched, so that a name is
// found however it is written: in capitals, composed or decomposed, in full or half
// width. The service's ledger and the client's filters use the same.
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Folder folds text. It is not safe for concurrent use: the case mapping underneath
// keeps state.
type Folder struct{ caser cases.Caser }

// New returns a folder.
func New() *Folder { return &Folder{cases.Fold()} }

// Fold returns Unicode's NFKC_Casefold of s: "STRASSE" and "Straße" are one, "ΣΊΣΥΦΟΣ"
// and "Σίσυφος", a decomposed "é" and a composed one, "ﬁ" and "fi", and characters that
// show nothing, like soft hyphens and joiners, are left out. Accents count.
//
// Beyond that all four letters i are one (i, I, İ, ı). A capital I is a dotless one in
// Turkish and a dotted one elsewhere, and a bank's capitals do not say which.
//
// Control characters become blanks, and what is not a Unicode character becomes U+FFFD:
// the ledger's search index reads a NUL as the end of text and cannot tell
// noncharacters apart.
func (f *Folder) Fold(s string) string {
	if folded, ok := foldASCII(s); ok {
		return folded
	}
	s = norm.NFKD.String(strings.Map(searchable, strings.ToValidUTF8(s, string(utf8.RuneError))))
	f.caser.Reset()
	return norm.NFKC.String(amended(f.caser.String(s)))
}

// String is Fold for text that is folded once.
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

// ignorable reports whether r is one of Unicode's Default_Ignorable_Code_Points
// (UAX 44), which show nothing.
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

// amended returns decomposed text that the library folded with one letter i, without
// its dot, and with Cherokee in capitals, as Unicode folds it: the library swaps the
// case of these letters instead.
func amended(s string) string {
	if !strings.ContainsFunc(
		s,
		func(r rune) bool { return r == dotlessI || r == dotAbove || unicode.Is(unicode.Cherokee, r) },
	) {
		return s
	}
	ofI := false // nothing stands between the letter and a dot above it
	return strings.Map(func(r rune) rune {
		switch {
		case r == dotlessI || r == 'i':
			ofI = true
			return 'i'
		case r == dotAbove && ofI:
			return -1
		}
		class := norm.NFD.PropertiesString(string(r)).CCC()
		ofI = ofI && class != 0 && class != above
		if unicode.Is(unicode.Cherokee, r) {
			return unicode.ToUpper(r)
		}
		return r
	}, s)
}

// above is the combining class of marks above a letter.
const above = 230

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
