package amount

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// masked is what stands where an amount was, whatever its size.
const masked = "•••"

// shapes are how an amount is written: with a dollar sign; with two decimal places
// or more; with a currency behind it; with a sign and thousands; cut off at its end;
// as a field of the API. What is masked is the first group that is there.
var shapes = regexp.MustCompile(strings.Join([]string{
	`([-+]?<?\$-?\d[\d,]*(?:\.\d+)?[kMBT]?)`,
	`([-+]?\d[\d,]*\.\d{2,})`,
	`([-+]?\d[\d,]*) {1,6}[A-Z]{3}`,
	`([-+]\d{1,3}(?:,\d{3})+)`,
	`([-+]?\d[\d,.]*)…`,
	`_cents"?: *(-?\d+)`,
}, "|"))

// Mask replaces every amount of a text, which may have styles and many lines, and
// leaves dates, counts, shares, times and ids. Each line keeps its cells. It works
// on what is drawn, so that no screen can forget an amount.
func Mask(text string) string {
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

// amounts finds the amounts of a line without styles.
func amounts(line string) []span {
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
	if strings.Contains(text, "$") || strings.Contains(line[max(0, s.from-8):s.from], "_cents") {
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

func tokens(line string) (all []token, plain string) {
	var b strings.Builder
	var state byte
	for len(line) > 0 {
		text, width, n, next := ansi.DecodeSequence(line, state, nil)
		if n == 0 {
			break
		}
		t := token{text: text, style: width == 0 && (text[0] < ' ' || text[0] == 0x7f)}
		if !t.style {
			b.WriteString(text)
		}
		all, line, state = append(all, t), line[n:], next
	}
	return all, b.String()
}

// maskLine masks the amounts of a line. What stands at the right end of a column
// stays there; in a sentence the room that becomes free goes to its end.
func maskLine(line string) string {
	all, plain := tokens(line)
	spans := amounts(plain)
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
	width := s.to - s.from // all of it is ASCII
	dots := min(width, utf8.RuneCountInString(masked))
	from := 0
	aligned := strings.HasSuffix(plain[:s.from], "  ")
	if aligned {
		from = width - dots
	}
	switch i := at - s.from; {
	case i >= from && i < from+dots:
		b.WriteString("•")
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
