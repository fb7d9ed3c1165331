// Package mask hides amounts in texts for screens and files: it replaces them, percentages and
// numbers of months with dots, and charts with blanks.
package mask

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
)

// Dots replaces an amount. It has the same length whatever the amount, so that it does not reveal
// the size.
const Dots = "•••"

// marks are the signs before incomplete totals. They stay visible when the total is masked.
const marks = figures.Signs

// symbols are those of currencies (money.Symbol).
const symbols = "$€£¥"

const digits = "0123456789"

// amountForms matches text that has the form of an amount: with the symbol of a currency, perhaps
// after a mark; before a currency code; with two or more decimal places; with a sign and thousands
// separators; or cut off at the end. It also matches percentages, numbers of months with a sign or
// a decimal place, and the month after the word zero-cash. Whole numbers of months without a sign
// are periods, which stay visible. The first group that matched is the amount.
var amountForms = regexp.MustCompile(strings.Join([]string{
	`([-+]?[` + marks + `]?[-+]?<?\d[\d,]*(?:\.\d+)? ?%)`,
	`([-+]?[` + marks + `]?[-+]?<?[` + symbols + `]-?\d[\d,]*(?:\.\d+)?[kMBT]?)`,
	`([-+]?[` + marks + `]?[-+]?<?\d[\d,]*(?:\.\d+)?[kMBT]?) {1,6}[A-Z]{3}`,
	`([-+]?\d[\d,]*\.\d{2,})`,
	`([-+]\d{1,3}(?:,\d{3})+)`,
	`([-+]?\d[\d,.]*)…`,
	`([-+]?[` + marks + `]?[-+]?\d+\.\d+) (?:months?|mo)\b`,
	`([-+]\d+) (?:months?|mo)\b`,
	`\bfrom ([` + marks + `]?\d+\.\d+) to\b`, // of months, which may stand in the next line
	`([-+]\d+\.\d+)(?: because\b|$)`,
	`[Zz]ero-cash[^\d\n]{0,24}(\d{4}-\d{2}(?:-\d{2})?)`,
}, "|"))

// jsonNumber matches a number in a field of a JSON object. An amount in minor units has neither a
// currency sign nor decimal places, so only the name of the field shows that it is an amount.
var jsonNumber = regexp.MustCompile(`([A-Za-z][A-Za-z_]*)("?): *"?(-?\d[\d,.]*)`)

// A field is an amount if its name contains one of moneyWords, unless the name ends with one of
// countWords.
var (
	moneyWords = words(
		"amount amounts balance burn cash cents charge cost credit debit fee fees gross inflow minor net outflow paid " +
			"percent price refund share subtotal sum tax taxes total totals value",
	)
	countWords = words("at code count currency date days id months number rate status type version")
	parts      = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
)

func words(list string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(list) {
		all[w] = true
	}
	return all
}

// isAmountName reports whether an API field with this name is an amount.
func isAmountName(name string) bool {
	all := parts.FindAllString(name, -1)
	if name == "runway_months" {
		return true
	}
	if len(all) == 0 || countWords[strings.ToLower(all[len(all)-1])] {
		return false
	}
	return slices.ContainsFunc(all, func(w string) bool { return moneyWords[strings.ToLower(w)] })
}

// exemption precedes and follows text that must not be masked. It is the terminal sequence that
// turns concealment off, and has no effect on the screen.
const exemption = "\x1b[28m"

// Exempt marks text that the function Text must not mask, such as text that the user is typing.
func Exempt(text string) string { return exemption + text + exemption }

// Field masks the value of an API field if the name of the field or the form of the value shows
// that it is an amount.
func Field(name, value string) string {
	if value != "" && isAmountName(name) {
		return Dots
	}
	return Text(value)
}

// Text masks all amounts, percentages and numbers of months in text, which may contain styles and
// several lines, and replaces the characters that charts are drawn with by spaces. It preserves
// dates, times, counts and IDs, and the width of each line. It is applied to whole screens, so that
// no screen can forget to mask an amount.
func Text(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = maskLine(line)
	}
	return strings.Join(lines, "\n")
}

// Unpadded masks text as Text does, but each amount becomes equally wide and no line keeps its
// width. It is for text that is laid out after it was masked, so that no column is as wide as a
// hidden amount.
func Unpadded(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = maskUnpadded(line)
	}
	return strings.Join(lines, "\n")
}

// isShape reports whether charts are drawn with r: heavy lines, blocks, shades, braille.
func isShape(r rune) bool {
	switch {
	case strings.ContainsRune("━╸╺╼╾", r), r >= '▀' && r <= '▟', r >= '⠀' && r <= '⣿':
		return true
	}
	return r >= '\U0001FB00' && r <= '\U0001FBFF'
}

// span is the place of an amount in a line without styles, as the byte range [from, to).
type span struct{ from, to int }

// amounts returns the places of all amounts in a line without styles, from left to right.
func amounts(line string) []span {
	found := amountsByForm(line)
	if !strings.Contains(line, ":") {
		return found
	}
	for _, match := range jsonNumber.FindAllStringSubmatchIndex(line, -1) {
		name, s := line[match[2]:match[3]], span{match[6], match[7]}
		s.to -= len(line[s.from:s.to]) - len(strings.TrimRight(line[s.from:s.to], ",."))
		// A word without quotes counts as the name of a field only if it contains an underscore, as
		// names in the API do.
		quoted := match[4] < match[5]
		if !isAmountName(name) || !quoted && !strings.Contains(name, "_") {
			continue
		}
		found = slices.DeleteFunc(found, func(other span) bool { return other.from < s.to && s.from < other.to })
		found = append(found, s)
	}
	slices.SortFunc(found, func(a, b span) int { return a.from - b.from })
	return found
}

// amountsByForm returns the places of the amounts that amountForms matches.
func amountsByForm(line string) []span {
	var found []span
	for at := 0; strings.ContainsAny(line[at:], digits); { // every form has one; most lines have none
		match := amountForms.FindStringSubmatchIndex(line[at:])
		if match == nil {
			break
		}
		group := 2
		for match[group] < 0 {
			group += 2
		}
		s := span{at + match[group], at + match[group+1]}
		if isAmount(line, s, at+match[1]) {
			found = append(found, s)
		}
		at = s.to
	}
	return found
}

// isAmount reports whether s is the place of an amount, rather than of part of a date, time, IP
// address, version or percentage. whole is the end of the text matched by amountForms.
func isAmount(line string, s span, whole int) bool {
	text := line[s.from:s.to]
	if strings.ContainsAny(text, symbols) {
		return true
	}
	before, size := utf8.DecodeLastRuneInString(line[:s.from])
	earlier, _ := utf8.DecodeLastRuneInString(line[:s.from-size])
	switch {
	case unicode.IsLetter(before), unicode.IsDigit(before), strings.ContainsRune("._-/,#", before) && size > 0:
		return false
	case before == ':' && unicode.IsDigit(earlier):
		return false
	}
	after, size := utf8.DecodeRuneInString(line[whole:])
	next, _ := utf8.DecodeRuneInString(line[whole+size:])
	switch {
	case unicode.IsLetter(after), unicode.IsDigit(after), after == '%':
		return false
	case strings.ContainsRune(".-_", after) && size > 0 && (unicode.IsDigit(next) || unicode.IsLetter(next)):
		return false
	}
	return !strings.HasSuffix(line[s.to:whole], " UTC")
}

// token is one character of a line, or one style sequence.
type token struct {
	text  string
	style bool
}

// tokens splits a line into characters and style sequences. plain is the line without styles.
// exempt lists the spans of plain that Exempt has marked.
func tokens(line string) (all []token, plain string, exempt []span) {
	var b strings.Builder
	var state byte
	marks := 0
	for len(line) > 0 {
		text, width, n, next := ansi.DecodeSequence(line, state, nil)
		if n == 0 {
			break
		}
		t := token{text: text, style: width == 0 && (text[0] < ' ' || text[0] == 0x7f)}
		switch {
		case text == exemption && marks%2 == 0:
			exempt = append(exempt, span{b.Len(), len(line) + b.Len()})
			marks++
		case text == exemption:
			exempt[len(exempt)-1].to = b.Len()
			marks++
		case !t.style:
			b.WriteString(text)
		}
		all, line, state = append(all, t), line[n:], next
	}
	return all, b.String(), exempt
}

// maskable returns the places of all amounts in a line without styles that are not in one of the
// kept spans.
func maskable(plain string, kept []span) []span {
	return slices.DeleteFunc(amounts(plain), func(s span) bool {
		return slices.ContainsFunc(kept, func(k span) bool { return s.from < k.to && k.from < s.to })
	})
}

func maskUnpadded(line string) string {
	all, plain, kept := tokens(line)
	spans := maskable(plain, kept)
	var b strings.Builder
	at := 0
	for _, t := range all {
		if t.style {
			b.WriteString(t.text)
			continue
		}
		for len(spans) > 0 && at >= spans[0].to {
			spans = spans[1:]
		}
		switch {
		case len(spans) > 0 && at == spans[0].from:
			b.WriteString(markOf(plain[spans[0].from:spans[0].to]) + Dots)
		case len(spans) == 0 || at < spans[0].from:
			b.WriteString(shapeless(t.text, at, kept))
		}
		at += len(t.text)
	}
	return b.String()
}

// markOf returns the mark of an incomplete total, or "" if the amount has none.
func markOf(amount string) string {
	if i := strings.IndexAny(amount, marks); i >= 0 {
		mark, _ := utf8.DecodeRuneInString(amount[i:])
		return string(mark)
	}
	return ""
}

// maskLine masks the amounts in a line and preserves the width of the line. Dots are usually
// shorter than the amount. A right-aligned amount is therefore padded on its left. Other amounts
// are padded at the end of their sentence or column.
func maskLine(line string) string {
	all, plain, kept := tokens(line)
	spans := maskable(plain, kept)
	if len(spans) == 0 && !strings.ContainsFunc(plain, isShape) {
		return line
	}
	var b strings.Builder
	at, padding := 0, 0
	for _, t := range all {
		if t.style {
			b.WriteString(t.text)
			continue
		}
		for len(spans) > 0 && at >= spans[0].to {
			spans = spans[1:]
		}
		if len(spans) > 0 && at >= spans[0].from {
			padding += maskRune(&b, plain, spans[0], at)
		} else {
			if padding > 0 && columnEnds(plain[at:]) {
				b.WriteString(strings.Repeat(" ", padding))
				padding = 0
			}
			b.WriteString(shapeless(t.text, at, kept))
		}
		at += len(t.text)
	}
	return b.String() + strings.Repeat(" ", padding)
}

// shapeless returns the character at byte offset at of a line, or a space for a character that
// charts are drawn with and that is not in one of the kept spans.
func shapeless(character string, at int, kept []span) string {
	r, size := utf8.DecodeRuneInString(character)
	isKept := slices.ContainsFunc(kept, func(k span) bool { return k.from <= at && at < k.to })
	if isKept || size < len(character) || !isShape(r) {
		return character
	}
	return " "
}

// maskRune writes the replacement for one character of the amount s, the character at byte offset
// at of plain. It returns 0 if it wrote something, and otherwise 1, the number of spaces that
// maskLine must add later.
func maskRune(b *strings.Builder, plain string, s span, at int) int {
	text := plain[s.from:s.to] // each character of an amount takes one cell
	width := utf8.RuneCountInString(text)
	dots := []rune(markOf(text) + Dots)
	dots = dots[:min(width, len(dots))]
	from := 0
	aligned := strings.HasSuffix(plain[:s.from], "  ")
	if aligned {
		from = width - len(dots)
	}
	switch i := utf8.RuneCountInString(plain[s.from:at]); {
	case i >= from && i < from+len(dots):
		b.WriteRune(dots[i-from])
	case aligned:
		b.WriteByte(' ')
	default:
		return 1
	}
	return 0
}

// columnEnds reports whether text begins with two spaces or with a character that draws a frame.
func columnEnds(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return strings.HasPrefix(text, "  ") || r >= '─' && r <= '╿'
}
