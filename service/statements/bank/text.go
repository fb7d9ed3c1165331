package bank

import (
	"fmt"
	"strings"

	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// Text returns text of a file for people: one clean line without blanks at its ends.
func Text(text string) string {
	return strings.TrimSpace(termtext.Line(text))
}

// Short returns text that is short enough for a message.
func Short(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}

// Masked returns the end of an account number for a message.
func Masked(number string) string {
	runes := []rune(number)
	if len(runes) == 0 {
		return "without a number"
	}
	return "…" + string(runes[max(0, len(runes)-4):])
}

// Remark counts what a person must know about the lines of a statement, such as those without a
// date, and keeps the place of the first.
type Remark struct {
	Count, Place int
}

// Add counts one more.
func (m *Remark) Add(place int) {
	if m.Count++; m.Count == 1 {
		m.Place = place
	}
}

// Tell gives the remark to a sink, with its count of a noun, unless nothing was counted.
func (m *Remark) Tell(sink Sink, account Account, noun, text string) {
	if m.Count > 0 {
		sink.Problem(m.Place, fmt.Sprintf("account %s: %s %s", Masked(account.Number), plural.Count(m.Count, noun), text))
	}
}
