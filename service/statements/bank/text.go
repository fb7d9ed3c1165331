package bank

import (
	"fmt"
	"strings"

	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// Text returns a text from a file in one line, without control characters and without blanks at its
// ends.
func Text(text string) string {
	return strings.TrimSpace(termtext.Line(text))
}

// Short returns a text from a file, cut to a length that fits an error message.
func Short(text string) string {
	count := 0
	for at := range text {
		if count++; count > 40 {
			return text[:at] + "…"
		}
	}
	return text
}

// Masked returns the last characters of an account number after "…", for error messages.
func Masked(number string) string {
	runes := []rune(number)
	if len(runes) == 0 {
		return "without a number"
	}
	return "…" + string(runes[max(0, len(runes)-4):])
}

// Remark counts lines of a statement that the user must know about, such as those without a date.
// Place is the number of the first of these lines.
type Remark struct {
	Count, Place int
}

// Add counts a line, which is at the given place in the file.
func (m *Remark) Add(place int) {
	if m.Count++; m.Count == 1 {
		m.Place = place
	}
}

// Tell passes the count to sink.Problem, in words with the noun and the text. It does nothing if no
// line was counted.
func (m *Remark) Tell(sink Sink, account Account, noun, text string) {
	if m.Count > 0 {
		sink.Problem(m.Place, fmt.Sprintf("account %s: %s %s", Masked(account.Number), plural.Count(m.Count, noun), text))
	}
}
