package plain

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Words printed in place of an unknown and of a masked amount.
const (
	unknown = "unknown"
	hidden  = "hidden"
)

// say prints a line. If amounts are hidden, it masks them.
func (s *session) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if s.masked {
		line = hide(line)
	}
	s.write(safe(line) + "\n")
}

// answer prints a line and returns nil, so that a command can end with it.
func (s *session) answer(format string, args ...any) error {
	s.say(format, args...)
	return nil
}

// verbatim prints a line without masking amounts. It is used for secrets.
func (s *session) verbatim(line string) { s.write(safe(line) + "\n") }

func (s *session) write(text string) {
	if _, err := io.WriteString(s.Out, text); err != nil && s.failure == nil {
		s.failure = err
	}
}

// safe removes characters that a screen reader cannot read aloud: frames, blocks, braille.
func safe(line string) string {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	return line[:indent] + strings.TrimRight(strings.Map(func(r rune) rune {
		switch {
		case r >= '\u2500' && r <= '\u259f', r >= '\u2800' && r <= '\u28ff':
			return '?'
		case r == '\u2013', r == '\u2014':
			return '-'
		}
		return r
	}, oneLine(line[indent:])), " ")
}

var dots, gaps = regexp.MustCompile(`(minus |plus )?•+`), regexp.MustCompile(`(\S) {2,}`)

// hide masks all amounts in a line, even those in text from the server.
func hide(line string) string {
	masked := mask.Text(line)
	if masked == line {
		return line
	}
	return strings.TrimRight(gaps.ReplaceAllString(dots.ReplaceAllString(masked, hidden), "$1 "), " ")
}

// amountInWords returns an amount without a direction, or "unknown".
func amountInWords(a apiclient.Amount) string {
	if !a.Known() {
		return unknown
	}
	return signInWords(a.String())
}

// sumInWords returns a sum as text. It marks incomplete sums: "at least $5.00", "plus $5.00
// (partial)".
func sumInWords(sum figures.Total) string {
	if sum.Unknown {
		return unknown
	}
	return markedInWords(sum.String(), sum.Mark())
}

// markedInWords returns the text of a figure with words in place of its sign and its mark.
func markedInWords(text string, mark figures.Mark) string {
	text = signInWords(strings.TrimPrefix(text, mark.Sign()))
	switch mark {
	case figures.AtLeast:
		return "at least " + text
	case figures.AtMost:
		return "at most " + text
	case figures.Partial:
		return text + " (partial)"
	case figures.Unanswered:
		return text + " (unanswered questions)"
	}
	return text
}

// flowsInWords returns money in, money out and net as text.
func flowsInWords(sums figures.Flows) string {
	return "in " + sumInWords(sums.In) + ", out " + sumInWords(sums.Out) + ", net " + sumInWords(sums.Net)
}

// signInWords replaces a sign at the start of text with the word minus or plus.
func signInWords(text string) string {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return "minus " + rest
	}
	if rest, ok := strings.CutPrefix(text, "+"); ok {
		return "plus " + rest
	}
	return text
}

// amountWithDirection returns an amount with its direction before it: "in $5.00", "out, amount
// unknown".
func amountWithDirection(a apiclient.Amount, d apiclient.Direction) string {
	direction := map[apiclient.Direction]string{apiclient.Inflow: "in", apiclient.Outflow: "out"}[d]
	switch {
	case direction == "":
		return amountInWords(a)
	case !a.Known():
		return direction + ", amount unknown"
	}
	return direction + " " + amountInWords(a)
}

// spanInWords returns a duration in its largest unit, such as "3 minutes".
func spanInWords(d time.Duration) string { return plural.Count(plural.Span(d)) }

// day returns a date and how far it is from today, such as "2026-12-01, in 5 days".
func (s *session) day(d civil.Date) string { return d.String() + ", " + d.Relative(s.today()) }

func upperFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

// sentenceInWords replaces signs and marks in a sentence by words.
func sentenceInWords(text string) string {
	for _, one := range signs {
		text = one.form.ReplaceAllString(text, one.words)
	}
	return text
}

// signs are the signs before amounts, after a mark or a space, and the marks.
var signs = []struct {
	form  *regexp.Regexp
	words string
}{
	{regexp.MustCompile(`( ` + figures.Partial.Sign() + `?)-([\p{Sc}\d])`), "${1}minus ${2}"},
	{regexp.MustCompile(`( ` + figures.Partial.Sign() + `?)\+([\p{Sc}\d])`), "${1}plus ${2}"},
	{regexp.MustCompile(` ` + figures.AtLeast.Sign()), " at least "},
	{regexp.MustCompile(` ` + figures.AtMost.Sign()), " at most "},
	{regexp.MustCompile(` ` + figures.Partial.Sign()), " about "},
	{regexp.MustCompile(` ÷ `), " divided by "},
	{regexp.MustCompile(` ` + money.Dash + `([.,;: ])`), " unknown${1}"},
}

// sayExcluded prints how many transactions and receivables the sums printed before exclude, if any.
func (s *session) sayExcluded(transactions, receivables int64, currency string) {
	if text := figures.Excluded(transactions, receivables, currency); text != "" {
		s.say("%s", text)
	}
}

func lowerFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[size:]
}
