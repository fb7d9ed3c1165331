// Package mask hides the amounts in what is drawn or said, and leaves everything else.
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

// Dots is what stands where an amount was, whatever its size.
const Dots = "•••"

// marks stand before a sum that leaves something out; a masked one keeps its own.
const marks = figures.AtLeast + figures.Partial

// shapes are how an amount is written: with a dollar sign, marked perhaps; with two
// decimal places or more; with a currency behind it; with a sign and thousands; cut off
// at its end.
// What is masked is the first group that is there.
var shapes = regexp.MustCompile(strings.Join([]string{
	`([-+]?[` + marks + `]?[-+]?<?\$-?\d[\d,]*(?:\.\d+)?[kMBT]?)`,
	`([-+]?\d[\d,]*\.\d{2,})`,
	`([-+]?\d[\d,]*) {1,6}[A-Z]{3}`,
	`([-+]\d{1,3}(?:,\d{3})+)`,
	`([-+]?\d[\d,.]*)…`,
}, "|"))

// member is a number as JSON has it, behind its name. It says neither its currency
// nor its decimal places, and is told by the name alone.
var member = regexp.MustCompile(`([A-Za-z][A-Za-z_]*)("?): *"?(-?\d[\d,.]*)`)

// moneyWords are the words of which one in a name makes an amount of a number;
// countWords those which, at its end, make something else of it.
var (
	moneyWords = words("amount amounts balance burn cash cents charge cost credit debit fee fees gross inflow minor net outflow paid price refund subtotal sum tax taxes total totals value")
	countWords = words("at code count currency date days id months number percent rate status type version")
	parts      = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
)

func words(list string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(list) {
		all[w] = true
	}
	return all
}

// named reports whether a field of the API is an amount by its name.
func named(name string) bool {
	all := parts.FindAllString(name, -1)
	if len(all) == 0 || countWords[strings.ToLower(all[len(all)-1])] {
		return false
	}
	return slices.ContainsFunc(all, func(w string) bool { return moneyWords[strings.ToLower(w)] })
}

// keep stands at both ends of what stays as it is: the sequence that tells a terminal to
// reveal, which it does anyway.
const keep = "\x1b[28m"

// Keep marks text that Text leaves as it is: what somebody is typing just now.
func Keep(text string) string { return keep + text + keep }

// Field masks the value of a field of the API that is an amount by its name or by how it
// is written.
func Field(name, value string) string {
	if value != "" && named(name) {
		return Dots
	}
	return Text(value)
}

// Text replaces every amount of a text, which may have styles and many lines, and
// leaves dates, counts, shares, times and ids. Each line keeps its cells. It works
// on what is drawn, so that no screen can forget an amount.
func Text(text string) string {
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = maskLine(line)
	}
	return strings.Join(lines, "\n")
}

// span is an amount in a line without its styles.
type span struct{ from, to int }

// amounts finds the amounts of a line without styles, from left to right.
func amounts(line string) []span {
	found := written(line)
	for _, match := range member.FindAllStringSubmatchIndex(line, -1) {
		name, s := line[match[2]:match[3]], span{match[6], match[7]}
		s.to -= len(line[s.from:s.to]) - len(strings.TrimRight(line[s.from:s.to], ",."))
		// Without quotes only a name of the API's own kind is one.
		quoted := match[4] < match[5]
		if !named(name) || !quoted && !strings.Contains(name, "_") {
			continue
		}
		found = slices.DeleteFunc(found, func(other span) bool { return other.from < s.to && s.from < other.to })
		found = append(found, s)
	}
	slices.SortFunc(found, func(a, b span) int { return a.from - b.from })
	return found
}

// written finds the amounts that are told by how they are written.
func written(line string) []span {
	var found []span
	for at := 0; ; {
		match := shapes.FindStringSubmatchIndex(line[at:])
		if match == nil {
			return found
		}
		group := 2
		for match[group] < 0 {
			group += 2
		}
		s := span{at + match[group], at + match[group+1]}
		if amountHere(line, s, at+match[1]) {
			found = append(found, s)
		}
		at = s.to
	}
}

// amountHere tells an amount from a part of a date, a time, an address, a version or
// a share. whole is where its shape ends.
func amountHere(line string, s span, whole int) bool {
	text := line[s.from:s.to]
	if strings.Contains(text, "$") {
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

// token is a character of a line, or a sequence that styles what follows.
type token struct {
	text  string
	style bool
}

// tokens takes a line apart. What is between two marks of Keep is in kept.
func tokens(line string) (all []token, plain string, kept []span) {
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
		case text == keep && marks%2 == 0:
			kept = append(kept, span{b.Len(), len(line) + b.Len()})
			marks++
		case text == keep:
			kept[len(kept)-1].to = b.Len()
			marks++
		case !t.style:
			b.WriteString(text)
		}
		all, line, state = append(all, t), line[n:], next
	}
	return all, b.String(), kept
}

// maskLine masks the amounts of a line. What stands at the right end of a column
// stays there; in a sentence the room that becomes free goes to its end.
func maskLine(line string) string {
	all, plain, kept := tokens(line)
	spans := slices.DeleteFunc(amounts(plain), func(s span) bool {
		return slices.ContainsFunc(kept, func(k span) bool { return s.from < k.to && k.from < s.to })
	})
	if len(spans) == 0 {
		return line
	}
	var b strings.Builder
	at, owed := 0, 0
	for _, t := range all {
		if t.style {
			b.WriteString(t.text)
			continue
		}
		for len(spans) > 0 && at >= spans[0].to {
			spans = spans[1:]
		}
		if len(spans) > 0 && at >= spans[0].from {
			owed += maskAt(&b, plain, spans[0], at)
		} else {
			if owed > 0 && gap(plain[at:]) {
				b.WriteString(strings.Repeat(" ", owed))
				owed = 0
			}
			b.WriteString(t.text)
		}
		at += len(t.text)
	}
	return b.String() + strings.Repeat(" ", owed)
}

// maskAt writes what stands in the place of one character of an amount, and returns
// how many cells it leaves for later.
func maskAt(b *strings.Builder, plain string, s span, at int) int {
	text := plain[s.from:s.to] // a cell for each of its characters
	width := utf8.RuneCountInString(text)
	var dots []rune
	if i := strings.IndexAny(text, marks); i >= 0 {
		mark, _ := utf8.DecodeRuneInString(text[i:])
		dots = append(dots, mark)
	}
	dots = append(dots, []rune(Dots)...)
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

// gap reports whether a line goes on with blanks or a frame.
func gap(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return strings.HasPrefix(rest, "  ") || r >= '─' && r <= '╿'
}
