package invoicepdf

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The letters of lam and alef, which are written as one, and the line that
// lengthens a word.
const (
	lam    = '\u0644'
	tatwil = '\u0640'
)

// lamAlef are the signs for lam with an alef, which end a word or stand alone; the
// sign that joins a letter before it comes after each.
var lamAlef = map[rune]rune{'\u0622': '\ufef5', '\u0623': '\ufef7', '\u0625': '\ufef9', '\u0627': '\ufefb'}

// arabicForms returns the shapes of each letter: alone, at the end of joined letters,
// at their beginning, and within. A letter with two joins the one before it alone,
// one with a single shape joins none. They are Unicode's presentation forms.
var arabicForms = sync.OnceValue(func() map[rune][]rune {
	forms := map[rune][]rune{}
	for _, block := range [...][2]rune{{0xfe80, 0xfef4}, {0xfb50, 0xfbff}} {
		for form := block[0]; form <= block[1]; form++ {
			if letter := []rune(norm.NFKC.String(string(form))); len(letter) == 1 && letter[0] != form {
				forms[letter[0]] = append(forms[letter[0]], form)
			}
		}
	}
	forms[tatwil] = []rune{tatwil, tatwil, tatwil, tatwil}
	return forms
})

// shape gives Arabic letters the forms that they have beside each other. Text is in
// the order in which it is read.
func shape(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		return text
	}
	forms, runes := arabicForms(), []rune(text)
	var b strings.Builder
	joins := false // the letter before is written on into this one
	for i := 0; i < len(runes); i++ {
		if unicode.Is(unicode.Mn, runes[i]) {
			b.WriteRune(runes[i])
			continue
		}
		of := forms[runes[i]]
		after := letterAfter(runes, i)
		if sign := lamAlef[after]; runes[i] == lam && sign != 0 && i+1 < len(runes) && runes[i+1] == after {
			if joins {
				sign++
			}
			b.WriteRune(sign)
			i, joins = i+1, false
			continue
		}
		back := joins && len(of) > 1
		joins = len(of) == 4 && len(forms[after]) > 1
		b.WriteRune(formOf(runes[i], of, back, joins))
	}
	return b.String()
}

// letterAfter returns the next character that is not a mark, 0 at the end.
func letterAfter(runes []rune, i int) rune {
	for _, r := range runes[i+1:] {
		if !unicode.Is(unicode.Mn, r) {
			return r
		}
	}
	return 0
}

// formOf picks the form of a letter that is joined on those sides.
func formOf(letter rune, forms []rune, back, on bool) rune {
	at := 0
	if back {
		at = 1
	}
	if on {
		at += 2
	}
	if at >= len(forms) {
		return letter
	}
	return forms[at]
}

// unshapableScripts are scripts whose letters change with their neighbours, move around
// them or melt into them, by rules that only a shaper has. Set one by one they are
// not what was written.
var unshapableScripts = [...]struct {
	name    string
	letters *unicode.RangeTable
}{
	{"Syriac", unicode.Syriac}, {"N'Ko", unicode.Nko}, {"Mandaic", unicode.Mandaic}, {"Mongolian", unicode.Mongolian},
	{"Phags-pa", unicode.Phags_Pa}, {"Devanagari", unicode.Devanagari}, {"Bengali", unicode.Bengali}, {"Gurmukhi", unicode.Gurmukhi},
	{"Gujarati", unicode.Gujarati}, {"Odia", unicode.Oriya}, {"Tamil", unicode.Tamil}, {"Telugu", unicode.Telugu},
	{"Kannada", unicode.Kannada}, {"Malayalam", unicode.Malayalam}, {"Sinhala", unicode.Sinhala}, {"Tibetan", unicode.Tibetan},
	{"Burmese", unicode.Myanmar}, {"Khmer", unicode.Khmer}, {"Tai Tham", unicode.Tai_Tham},
	{"Cham", unicode.Cham}, {"Limbu", unicode.Limbu}, {"Lepcha", unicode.Lepcha}, {"Javanese", unicode.Javanese},
	{"Balinese", unicode.Balinese}, {"Sundanese", unicode.Sundanese}, {"Buginese", unicode.Buginese}, {"Meetei Mayek", unicode.Meetei_Mayek},
	{"Syloti Nagri", unicode.Syloti_Nagri}, {"Saurashtra", unicode.Saurashtra}, {"Tagalog", unicode.Tagalog},
}

// unshapableScript returns the name of the script of r that text cannot be set in, ""
// for all others. Arabic letters have their forms already.
func unshapableScript(r rune) string {
	if r < 0x600 {
		return ""
	}
	if unicode.Is(unicode.Arabic, r) {
		// What is left are letters of languages that Unicode made no forms for.
		if r < 0xfb50 && unicode.IsLetter(r) && len(arabicForms()[r]) == 0 {
			return "Arabic"
		}
		return ""
	}
	for _, s := range unshapableScripts {
		if unicode.Is(s.letters, r) {
			return s.name
		}
	}
	return ""
}
