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

// The words for an unknown amount and for a masked one.
const (
	unknown = "unknown"
	hidden  = "hidden"
)

// say prints a line.
func (s *session) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if s.masked {
		line = hide(line)
	}
	s.write(safe(line) + "\n")
}

// answer prints a line and returns nil, as the end of a command.
func (s *session) answer(format string, args ...any) error {
	s.say(format, args...)
	return nil
}

// verbatim prints a line without masking, for secrets.
func (s *session) verbatim(line string) { s.write(safe(line) + "\n") }

func (s *session) write(text string) {
	if _, err := io.WriteString(s.Out, text); err != nil && s.failure == nil {
		s.failure = err
	}
}

// safe removes characters that a screen reader cannot read: frames, blocks, braille.
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

// hide masks every amount in a line, including those in text from the server.
func hide(line string) string {
	masked := mask.Text(line)
	if masked == line {
		return line
	}
	return strings.TrimRight(gaps.ReplaceAllString(dots.ReplaceAllString(masked, hidden), "$1 "), " ")
}

// amountInWords returns an amount without a direction.
func amountInWords(a apiclient.Amount) string {
	if !a.Known() {
		return unknown
	}
	return signInWords(a.String())
}

// usdInWords returns USD cents: "$5.00", "minus $5.00".
func usdInWords(cents int64) string { return signInWords(money.USD(cents)) }

// sumInWords returns a sum and marks an incomplete one: "at least $5.00", "plus $5.00 (partial)".
func sumInWords(sum figures.Total) string {
	text := signInWords(strings.TrimPrefix(sum.String(), sum.Mark()))
	switch {
	case sum.Unknown:
		return unknown
	case sum.Mark() == figures.AtLeast:
		return "at least " + text
	case sum.Mark() == figures.Partial:
		return text + " (partial)"
	}
	return text
}

// flowsInWords returns the totals of a ledger summary for a direction; "" means both.
func flowsInWords(summary apiclient.Summary, of apiclient.Direction) string {
	sums := figures.FlowsOf(summary, of)
	return "in " + sumInWords(sums.In) + ", out " + sumInWords(sums.Out) + ", net " + sumInWords(sums.Net)
}

// shareInWords returns a share such as "~62.1%" as "about 62.1%".
func shareInWords(share string) string {
	if rest, marked := strings.CutPrefix(share, figures.Partial); marked {
		return "about " + rest
	}
	return share
}

// signInWords replaces a leading sign by minus or plus.
func signInWords(text string) string {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return "minus " + rest
	}
	if rest, ok := strings.CutPrefix(text, "+"); ok {
		return "plus " + rest
	}
	return text
}

// amountWithDirection returns an amount after its direction: "in $5.00", "out, amount unknown".
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

// spanInWords returns a duration in its largest unit: "3 minutes".
func spanInWords(d time.Duration) string { return plural.Count(plural.Span(d)) }

// day returns a date with its distance from today: "2026-12-01, in 5 days".
func (s *session) day(d civil.Date) string { return d.String() + ", " + d.Relative(s.today()) }

func upperFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}
