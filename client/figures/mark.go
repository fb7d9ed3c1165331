package figures

import "strings"

// Mark says how a figure differs from the exact one. Each front end draws it in its own way.
type Mark uint8

// Values of Mark.
const (
	NoMark     Mark = iota
	AtLeast         // rows are missing that can only increase the figure
	Partial         // what is missing may increase or decrease the figure
	AtMost          // what is missing can only decrease the figure
	Unanswered      // it depends on questions that nobody has answered yet
)

// Sign returns the sign before a marked figure: "≥", "~", "≤" or "?". Without a mark it returns "".
func (m Mark) Sign() string {
	return [...]string{NoMark: "", AtLeast: "≥", Partial: "~", AtMost: "≤", Unanswered: "?"}[m]
}

// Legend explains the signs to the user.
const Legend = "≥ at least, ~ partial"

// Signs are the signs of all marks.
const Signs = "≥~≤?"

// Unmarked returns the text of a figure without the sign of its mark, for front ends that draw
// marks in another way.
func Unmarked(text string) string { return strings.TrimLeft(text, Signs) }
