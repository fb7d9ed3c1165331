package invoicepdf

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Arabic letters with special rules: lam and a following alef are written as one character, and
// tatwil is a line that lengthens a word.
const (
	lam    = '\u0644'
	tatwil = '\u0640'
)

// lamAlef maps each kind of alef to the character for lam and alef that is not joined to the
// previous letter. The next code point is the character that is joined to it.
var lamAlef = map[rune]rune{'\u0622': '\ufef5', '\u0623': '\ufef7', '\u0625': '\ufef9', '\u0627': '\ufefb'}

// arabicForms returns, for each letter, Unicode's presentation forms in the order isolated, final,
// initial, medial. A letter with only two forms joins the previous letter but not the next. A
// letter with one form joins neither.
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

// shapeArabic replaces Arabic letters with the forms that they take beside their neighbors. text
// must be in reading order.
func shapeArabic(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		return text
	}
	forms, runes := arabicForms(), []rune(text)
	var b strings.Builder
	joinsNext := false // true if the previous letter joins this one
	for i := 0; i < len(runes); i++ {
		if unicode.Is(unicode.Mn, runes[i]) {
			b.WriteRune(runes[i])
			continue
		}
		of := forms[runes[i]]
		after := letterAfter(runes, i)
		if sign := lamAlef[after]; runes[i] == lam && sign != 0 && i+1 < len(runes) && runes[i+1] == after {
			if joinsNext {
				sign++
			}
			b.WriteRune(sign)
			i, joinsNext = i+1, false
			continue
		}
		back := joinsNext && len(of) > 1
		joinsNext = len(of) == 4 && len(forms[after]) > 1
		b.WriteRune(pickForm(runes[i], of, back, joinsNext))
	}
	return b.String()
}

// letterAfter returns the next character after runes[i] that is not a combining mark, or 0 at the
// end of the text.
func letterAfter(runes []rune, i int) rune {
	for _, r := range runes[i+1:] {
		if !unicode.Is(unicode.Mn, r) {
			return r
		}
	}
	return 0
}

// pickForm returns the presentation form of an Arabic letter from forms (see arabicForms).
// joinsPrevious and joinsNext say whether the letter joins the letters before and after it.
func pickForm(letter rune, forms []rune, joinsPrevious, joinsNext bool) rune {
	at := 0
	if joinsPrevious {
		at = 1
	}
	if joinsNext {
		at += 2
	}
	if at >= len(forms) {
		return letter
	}
	return forms[at]
}

// unshapableScripts lists scripts whose letters change, move or merge beside each other. This
// package does not implement their rules, and without them the text would be unreadable.
var unshapableScripts = [...]struct {
	name    string
	letters *unicode.RangeTable
}{
	{"Syriac", unicode.Syriac}, {"N'Ko", unicode.Nko}, {"Mandaic", unicode.Mandaic}, {"Mongolian", unicode.Mongolian},
	{"Phags-pa", unicode.Phags_Pa}, {"Devanagari", unicode.Devanagari}, {"Bengali", unicode.Bengali},
	{"Gurmukhi", unicode.Gurmukhi},
	{"Gujarati", unicode.Gujarati}, {"Odia", unicode.Oriya}, {"Tamil", unicode.Tamil}, {"Telugu", unicode.Telugu},
	{"Kannada", unicode.Kannada}, {"Malayalam", unicode.Malayalam}, {"Sinhala", unicode.Sinhala},
	{"Tibetan", unicode.Tibetan},
	{"Burmese", unicode.Myanmar}, {"Khmer", unicode.Khmer}, {"Tai Tham", unicode.Tai_Tham},
	{"Cham", unicode.Cham}, {"Limbu", unicode.Limbu}, {"Lepcha", unicode.Lepcha}, {"Javanese", unicode.Javanese},
	{"Balinese", unicode.Balinese}, {"Sundanese", unicode.Sundanese}, {"Buginese", unicode.Buginese},
	{"Meetei Mayek", unicode.Meetei_Mayek},
	{"Syloti Nagri", unicode.Syloti_Nagri}, {"Saurashtra", unicode.Saurashtra}, {"Tagalog", unicode.Tagalog},
}

// unshapableScript returns the name of the script of r if this package cannot shape it, otherwise
// "". Arabic letters must already be in their presentation forms.
func unshapableScript(r rune) string {
	if r < 0x600 {
		return ""
	}
	if unicode.Is(unicode.Arabic, r) {
		// Unicode has no presentation forms for the Arabic letters of some languages.
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
