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
	"tarmac/internal/termtext"
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

// worth returns an amount in words, without a direction.
func worth(a apiclient.Amount) string {
	if !a.Known() {
		return unknown
	}
	return signless(a.String())
}

// usd formats USD cents: "$5.00", "minus $5.00".
func usd(cents int64) string { return signless(money.USD(cents)) }

// total returns a sum in words and marks an incomplete one: "at least $5.00", "plus $5.00
// (partial)".
func total(sum figures.Total) string {
	text := signless(strings.TrimPrefix(sum.String(), sum.Mark()))
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

// flows returns the totals of a ledger summary for a direction, "" for both.
func flows(summary apiclient.Summary, of apiclient.Direction) string {
	sums := figures.FlowsOf(summary, of)
	return "in " + total(sums.In) + ", out " + total(sums.Out) + ", net " + total(sums.Net)
}

// about writes a share, marked as approximate if rows are left out.
func about(share string) string {
	if rest, marked := strings.CutPrefix(share, figures.Partial); marked {
		return "about " + rest
	}
	return share
}

func signless(text string) string {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return "minus " + rest
	}
	if rest, ok := strings.CutPrefix(text, "+"); ok {
		return "plus " + rest
	}
	return text
}

// withDirection returns an amount with its direction: "in $5.00", "out, amount unknown".
func withDirection(a apiclient.Amount, d apiclient.Direction) string {
	way := map[apiclient.Direction]string{apiclient.Inflow: "in", apiclient.Outflow: "out"}[d]
	switch {
	case way == "":
		return worth(a)
	case !a.Known():
		return way + ", amount unknown"
	}
	return way + " " + worth(a)
}

// ago returns an age in words: "3 minutes".
func ago(d time.Duration) string { return plural.Count(plural.Span(d)) }

func moment(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }

func maybeMoment(at *time.Time) string {
	if at == nil || at.IsZero() {
		return unknown
	}
	return moment(*at)
}

// day returns a date with its distance from today: "2026-12-01, in 5 days".
func (s *session) day(d civil.Date) string {
	return d.String() + ", " + d.Relative(s.today())
}

// sentence capitalizes the first letter and adds a full stop.
func sentence(text string) string {
	text = strings.TrimRight(termtext.Line(text), ".")
	return upperFirst(text) + "."
}

func upperFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}
