// Package written infers how a file writes amounts and dates: its decimal mark, and the order of
// day, month and year. Each value excludes the ways that do not fit it. A way that is left is
// decided by what the format or the currency makes likely, by an option, or by a question to the
// user.
package written

import (
	"strconv"
	"strings"

	"tarmac/service/statements/bank"
)

// Marks is a set of decimal marks.
type Marks uint8

// The decimal marks.
const (
	Point Marks = 1 << iota
	Comma
	AnyMark = Point | Comma
)

// Decided reports whether the set has one mark.
func (m Marks) Decided() bool { return m == Point || m == Comma }

// Byte returns the decimal mark of the set. It returns the point if the set has both, because then
// no amount has decimals.
func (m Marks) Byte() byte {
	if m == Comma {
		return ','
	}
	return '.'
}

// MarksOf returns the decimal marks that fit an amount: the comma for 1.234,50, 0,500 and 1234,567,
// the point for 12.5, and both for 1,500 and 1500. The text is a number without words.
func MarksOf(number string) Marks {
	at, other := strings.LastIndexByte(number, '.'), strings.LastIndexByte(number, ',')
	mark, reverse := Point, Comma
	if other > at {
		at, other, mark, reverse = other, at, Comma, Point
	}
	switch {
	case at < 0:
		return AnyMark
	case other >= 0:
		return mark
	case strings.Count(number, number[at:at+1]) > 1:
		return reverse
	case groupsThousands(number, at):
		return AnyMark
	}
	return mark
}

// IsOpen reports whether the one separator of an amount may be a decimal mark or a separator of
// thousands, as in 1,500.
func IsOpen(number string) bool {
	return MarksOf(number) == AnyMark && strings.ContainsAny(number, ".,")
}

// groupsThousands reports whether the separator at the index at may be a thousands separator: one
// to three digits stand before it, of which the first is not zero, and three after it.
func groupsThousands(number string, at int) bool {
	before := strings.TrimLeft(number[:at], "+-−( ")
	after := strings.TrimLeft(number[at+1:], digits)
	return before != "" && len(before) <= 3 && before[0] != '0' && strings.Trim(before, digits) == "" &&
		len(number)-at-1-len(after) == 3 && !strings.ContainsAny(after, digits)
}

const digits = "0123456789"

// Place is where a value stands in a file, and its text.
type Place struct {
	Line int // from 1; 0 if there is no value
	Text string
}

func (p *Place) set(line int, text string) {
	if p.Line == 0 {
		*p = Place{line, strings.Clone(text)}
	}
}

// Amounts collects the decimal marks that fit all amounts of a file so far.
type Amounts struct {
	excluded Marks
	decided  Place // first amount that excludes a mark
	open     Place // first amount whose separator may be either
}

// See excludes the marks that do not fit an amount, which number is without its currency. The set
// likely decides the mark of an open amount; AnyMark if neither the format nor the currency does.
// The error is that of an amount with another mark than one before it.
func (a *Amounts) See(line int, text, number string, likely Marks) error {
	possible := MarksOf(number)
	if IsOpen(number) {
		if possible = likely; possible == AnyMark {
			a.open.set(line, text)
		}
	}
	if possible&^a.excluded == 0 {
		return bank.Errorf(line, "the amount %q has another decimal mark than that in line %d", bank.Short(text),
			a.decided.Line)
	}
	if possible != AnyMark {
		a.decided.set(line, text)
		a.excluded = AnyMark &^ possible
	}
	return nil
}

// Mark returns the decimal mark of the file. If the amounts leave it open, it is the option; 0 asks
// the user with a *bank.Question.
func (a *Amounts) Mark(option byte) (byte, error) {
	switch left := AnyMark &^ a.excluded; {
	case left.Decided():
		return left.Byte(), nil
	case option != 0:
		return option, nil
	case a.open.Line == 0:
		return left.Byte(), nil
	}
	return 0, AskMark(a.open)
}

// AskMark asks for the decimal mark of an open amount.
func AskMark(p Place) error {
	return &bank.Question{
		Place: p.Line, Reason: strconv.Quote(bank.Short(p.Text)) + " may have decimals or thousands", Flag: "--decimal",
		Choices: []string{"point", "comma"},
	}
}
