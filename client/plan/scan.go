package plan

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// token is a word, a quoted name, a comma or a colon.
type token struct {
	text   string
	quoted bool
	column int
}

// scanner reads the tokens of a line.
type scanner struct {
	number int
	tokens []token
	at     int
	end    int // column behind the line
}

// scan divides a line into tokens. A comma or a colon before a space or at the end of the line is a
// token of its own. A # at the beginning of the line or after a space begins a comment.
func scan(number int, line string) (*scanner, error) {
	s := &scanner{number: number, end: utf8.RuneCountInString(line) + 1}
	hidden := func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) }
	if !utf8.ValidString(line) || strings.ContainsFunc(line, hidden) {
		return nil, &Error{number, 1, "expected text without control characters"}
	}
	runes := []rune(line)
	for i := 0; i < len(runes); {
		r := runes[i]
		switch {
		case unicode.IsSpace(r):
			i++
		case r == '#':
			s.end = i + 1
			return s, nil
		case r == '"':
			text, length, ok := quoted(runes[i:])
			if !ok {
				return nil, &Error{number, i + 1, "expected a closing quotation mark"}
			}
			s.tokens = append(s.tokens, token{text, true, i + 1})
			i += length
		case isMark(runes, i):
			s.tokens = append(s.tokens, token{string(r), false, i + 1})
			i++
		default:
			begin := i
			for i < len(runes) && !unicode.IsSpace(runes[i]) && !isMark(runes, i) && runes[i] != '"' {
				i++
			}
			s.tokens = append(s.tokens, token{string(runes[begin:i]), false, begin + 1})
		}
	}
	return s, nil
}

// isMark reports whether a comma or colon stands alone: before a space or quotation mark, and at
// the end.
func isMark(runes []rune, i int) bool {
	return (runes[i] == ',' || runes[i] == ':') &&
		(i+1 == len(runes) || unicode.IsSpace(runes[i+1]) || runes[i+1] == '"')
}

// quoted returns the name between quotation marks and the number of runes with them. A quotation
// mark in a name is written twice.
func quoted(runes []rune) (text string, length int, ok bool) {
	var b strings.Builder
	for i := 1; i < len(runes); i++ {
		if runes[i] != '"' {
			b.WriteRune(runes[i])
			continue
		}
		if i+1 == len(runes) || runes[i+1] != '"' {
			return b.String(), i + 1, true
		}
		b.WriteRune('"')
		i++
	}
	return "", 0, false
}

func (s *scanner) done() bool { return s.at >= len(s.tokens) }

// peek returns the next word, or "" at the end and before a quoted name.
func (s *scanner) peek() string {
	if s.done() || s.tokens[s.at].quoted {
		return ""
	}
	return s.tokens[s.at].text
}

// next returns the next word in lower case and goes on.
func (s *scanner) next() string {
	word := strings.ToLower(s.peek())
	s.at = min(s.at+1, len(s.tokens))
	return word
}

// word goes on if the next word is the given one.
func (s *scanner) word(want string) bool {
	if strings.ToLower(s.peek()) != want {
		return false
	}
	s.at++
	return true
}

// fail returns an error at a token.
func (s *scanner) fail(at int, format string, args ...any) error {
	column := s.end
	if at < len(s.tokens) {
		column = s.tokens[at].column
	}
	return &Error{s.number, column, fmt.Sprintf(format, args...)}
}

// mostName is the largest length of a name, in characters.
const mostName = 100

// name reads a quoted name.
func (s *scanner) name() (string, error) {
	if s.done() || !s.tokens[s.at].quoted || strings.TrimSpace(s.tokens[s.at].text) == "" {
		return "", s.fail(s.at, `expected a name in quotation marks, such as "Payroll"`)
	}
	name := strings.Join(strings.Fields(s.tokens[s.at].text), " ")
	if utf8.RuneCountInString(name) > mostName {
		return "", s.fail(s.at, "a name has at most %d characters", mostName)
	}
	s.at++
	return name, nil
}

// number reads a whole number without a sign.
func number(text string, most int) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= most && text[0] != '+'
}

func percentOf(text string) (int64, bool) {
	digits, ok := strings.CutSuffix(text, "%")
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, ok && err == nil && n >= -100 && n <= 1000
}

// readAmount reads an amount, with its currency and "/week" or "/month" behind it.
func (p *Plan) readAmount(s *scanner, l *Line) error {
	at := s.at
	text, per, slash := strings.Cut(s.next(), "/")
	if code, after, found := strings.Cut(s.peek(), "/"); !slash && money.IsCode(strings.ToUpper(code)) {
		text, per, slash = text+" "+code, strings.ToLower(after), found
		s.at++
	}
	typed, err := money.ParseTyped(text)
	if err != nil {
		return s.fail(at, "%q %s", text, money.ErrAmount)
	}
	l.Amount.Currency = typed.CurrencyOr(p.Currency)
	if l.Amount.Minor, err = typed.In(l.Amount.Currency); err != nil {
		return s.fail(at, "%q %s", text, err)
	}
	switch {
	case l.Amount.Minor > largest:
		return s.fail(at, "the amount is too large")
	case l.Amount.Minor == 0 && l.Kind != Floor:
		return s.fail(at, "expected an amount above 0")
	case slash && per == "week":
		l.Rhythm = Weekly
	case slash && per == "month":
		l.Rhythm = Monthly
	case slash:
		return s.fail(at, "expected /week or /month, or every quarter or every year")
	}
	return nil
}

func (l *Line) readEvery(s *scanner, at int) error {
	rhythm, known := map[string]Rhythm{
		"week": Weekly, "month": Monthly, "quarter": Quarterly, "year": Yearly,
	}[s.next()]
	if !known || l.Rhythm != Once {
		return s.fail(at, "expected one rhythm: every week, month, quarter or year")
	}
	l.Rhythm = rhythm
	return nil
}

// readDays reads what follows the word on: the day of an amount that comes once, or the days of a
// month or week.
func (p *Plan) readDays(s *scanner, l *Line) error {
	at := s.at
	if !l.On.IsZero() || l.Days != nil || l.Weekday != nil {
		return s.fail(at-1, "it has days already")
	}
	word := s.peek()
	if day, err := civil.Parse(word); err == nil {
		if day.Before(p.First) {
			return s.fail(at, "%s is before the plan", word)
		}
		l.On = day
		s.at++
		return nil
	}
	if weekday, known := weekdays[strings.ToLower(word)]; known && l.Rhythm == Weekly {
		l.Weekday = &weekday
		s.at++
		return nil
	}
	const want = "expected a day such as 2027-02-10, or days of a month such as 15 and last"
	for {
		word := s.next()
		day, ok := number(word, 31)
		switch {
		case word == "last":
			day = Last
		case !ok || day == 0 || l.Rhythm == Weekly:
			return s.fail(s.at-1, want)
		}
		if containsDay(l.Days, day) {
			return s.fail(s.at-1, "the day is there already")
		}
		l.Days = append(l.Days, day)
		if !s.word("and") && !s.comma() {
			return nil
		}
	}
}

// comma goes on behind a comma before another day of the month.
func (s *scanner) comma() bool {
	if s.peek() != "," || s.at+1 >= len(s.tokens) {
		return false
	}
	_, isDay := number(s.tokens[s.at+1].text, 31)
	if isDay || s.tokens[s.at+1].text == "last" {
		s.at++
		return true
	}
	return false
}

func containsDay(days []int, day int) bool {
	for _, other := range days {
		if other == day {
			return true
		}
	}
	return false
}

var weekdays = map[string]time.Weekday{
	"monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday, "thursday": time.Thursday,
	"friday": time.Friday, "saturday": time.Saturday, "sunday": time.Sunday,
}

// keywords end a month in words.
var keywords = []string{"on", "from", "to", "in", "every", ":", ","}

// month reads a month, which is not before the first one. A month without a year is the next such
// month from the first one on.
func (p *Plan) month(s *scanner, first civil.Date) (civil.Date, error) {
	at, words := s.at, []string{}
	for !s.done() && !s.tokens[s.at].quoted && !contains(keywords, strings.ToLower(s.peek())) {
		words = append(words, s.next())
	}
	month, err := civil.ParseMonth(strings.Join(words, " "), first)
	switch {
	case len(words) == 0:
		return month, s.fail(at, "expected a month such as 2027-01 or January")
	case err != nil && first == p.First:
		return month, s.fail(at, "%q %s; the plan begins in %s", strings.Join(words, " "), err, first.String()[:7])
	case err != nil:
		return month, s.fail(at, "%q %s; it begins in %s", strings.Join(words, " "), err, first.String()[:7])
	}
	return month, nil
}

// readNames reads counterparties, divided by commas. One with a comma is quoted.
func (l *Line) readNames(s *scanner) error {
	for {
		at, words, isQuoted := s.at, []string{}, !s.done() && s.tokens[s.at].quoted
		for !s.done() && s.peek() != "," {
			if s.peek() == ":" || s.at > at && s.tokens[s.at].quoted != isQuoted || s.at > at && isQuoted {
				return s.fail(s.at, "expected a comma; names with signs are written in quotation marks")
			}
			words = append(words, s.tokens[s.at].text)
			s.at++
		}
		name := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
		if name == "" || utf8.RuneCountInString(name) > mostName {
			return s.fail(at, "expected the name of a counterparty")
		}
		l.Names = append(l.Names, name)
		if s.done() || s.isClause() {
			return nil
		}
		s.at++ // the comma
	}
}

// isClause reports whether "since" or "takes" follows the comma.
func (s *scanner) isClause() bool {
	if s.at+1 >= len(s.tokens) || s.tokens[s.at+1].quoted {
		return false
	}
	word := strings.ToLower(s.tokens[s.at+1].text)
	return word == "since" || word == "takes"
}

// readClause reads "takes 10 weeks" or "since 2027-03-02 as "Gusto"" behind a comma.
func (p *Plan) readClause(s *scanner, l *Line) error {
	at := s.at
	switch s.next() {
	case "takes":
		count, ok := number(s.next(), 1000)
		unit := strings.TrimSuffix(s.next(), "s")
		if !ok || count == 0 || unit != "day" && unit != "week" && unit != "month" {
			return s.fail(at+1, "expected how long it takes, such as 10 weeks")
		}
		l.Takes = Span{count, unit}
		return nil
	case "since":
		day, err := civil.Parse(s.next())
		if err != nil || !s.word("as") {
			return s.fail(at+1, `expected a day and a counterparty, such as since 2027-03-02 as "Gusto"`)
		}
		l.Since = day
		l.As, err = s.name()
		return err
	}
	return s.fail(at, "expected takes or since")
}
