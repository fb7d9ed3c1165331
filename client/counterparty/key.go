// Package counterparty finds out which names of a ledger mean the same counterparty.
package counterparty

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Unknown is the name that the API gives to a counterparty that the server does not know
// (docs/api.md, Transaction).
const Unknown = "(unknown)"

// Display returns the name as people read it. Programs get the name of the API.
func Display(name string) string {
	if name == Unknown {
		return "no name"
	}
	return name
}

// legalForms are abbreviations for kinds of companies, in the form in which Key compares words: in
// lower case and without dots.
var legalForms = []string{
	"ab", "ag", "as", "aps", "bv", "co", "company", "corp", "corporation", "eood", "gmbh", "inc", "incorporated",
	"kg", "kk", "limited", "llc", "llp", "ltd", "ltda", "nv", "ood", "ou", "oy", "oyj", "plc", "pte", "pty", "sa",
	"sarl", "sas", "se", "sl", "spa", "spzoo", "srl", "ug",
}

// Key returns a form of the name that is equal for names that differ only in case, spaces,
// punctuation between words, Unicode form or legal form. It is for grouping rows, not for display.
// Do not use it to merge debtors, who may be different companies with such names.
func Key(name string) string {
	folded := cases.Fold().String(norm.NFKC.String(name))
	folded = strings.Map(func(r rune) rune {
		switch {
		case r == '.' || r == '\'' || r == '’':
			return -1 // "S.A." becomes "SA", and "Rook's" becomes "Rooks"
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '&', r == '+':
			return r
		}
		return ' '
	}, folded)
	words := strings.Fields(spacedForms.Replace(strings.Join(strings.Fields(folded), " ") + " "))
	for len(words) > 1 && slices.Contains(legalForms, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	key := strings.Join(words, " ")
	if key == "" || name == Unknown {
		return name
	}
	return key
}

// spacedForms maps legal forms of several words to forms of one word.
var spacedForms = strings.NewReplacer(
	" sp z oo ", " spzoo ", " sp z o o ", " spzoo ", " pty ltd ", " ltd ", " pte ltd ", " ltd ",
	" gmbh & co kg ", " gmbh ", " a s ", " as ", "株式会社", " ", "有限会社", " ",
)

// A name that others may begin with has at least leastWords words, leastLetters letters and
// LeastRows rows.
const (
	leastWords   = 2
	leastLetters = 8
	// LeastRows is the number of rows from which on a name is that of longer names too.
	LeastRows = 3
)

// Base returns the key that a key begins with, in whole words, if it is that of the same
// counterparty with a shorter name: "seabrook hotels" for "seabrook hotels retainer". The shorter
// name must have two words, eight letters and three rows. isName reports whether a key has that
// many rows. Base returns the key itself if there is no such name.
func Base(key string, isName func(key string) bool) string {
	words, letters, inWord := 0, 0, false
	for at, r := range key {
		if r == ' ' {
			if words >= leastWords && letters >= leastLetters && isName(key[:at]) {
				return key[:at]
			}
			inWord = false
			continue
		}
		if unicode.IsLetter(r) {
			letters++
			if !inWord {
				words++
			}
			inWord = true
		}
	}
	return key
}
