package events

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/table"
)

// envelope returns an event as indented JSON, as the API sends it (docs/api.md, Event
// envelope). It returns false if the event is too large to show whole.
func envelope(e *apiclient.Event) (string, bool) {
	if e.Omitted > 0 {
		return "", false
	}
	raw, err := record.Event(*e).AppendJSON(nil)
	var text bytes.Buffer
	if err != nil || json.Indent(&text, raw, "", "  ") != nil {
		return "", false
	}
	clean := termtext.Block(text.String()) // truncates long text
	return clean, json.Valid([]byte(clean))
}

// inFull returns all lines about an event: a summary, then the envelope.
func (s *Screen) inFull(e *apiclient.Event) []line {
	o := record.Event(*e)
	if e.Unreadable != nil {
		lines := s.lines(o.Pick("id", "type", "occurred_at"), table.Ink{})
		problem := table.Problem(e.Unreadable, s.inks.caution)
		return append(lines, s.line(problem.Label, problem.Text, problem.Ink))
	}
	facts := o.Pick("type", "occurred_at")
	if what := s.about(e); what != "" && what != money.Dash {
		o.Say("data", what)
		facts = append(facts, o.Get("data"))
	}
	if a, ok := record.EventAmount(e); ok {
		facts = append(facts, record.Field{Label: "Amount", Kind: record.KindAmount, Amount: a})
	}
	lines := s.lines(facts, s.ink(e.Type))
	text, ok := envelope(e)
	if !ok {
		lines = append(lines, s.lines(o.Pick("id"), table.Ink{})...)
		return append(lines, line{}, line{text: masked.Text(s.theme, e.PrettyData()), ink: s.inks.faint})
	}
	lines = append(lines, line{})
	for l := range strings.SplitSeq(masked.Text(s.theme, text), "\n") {
		m := member(l)
		m.label = s.inks.key
		lines = append(lines, m)
	}
	return lines
}

// lines returns a line for each field. The type has its own color.
func (s *Screen) lines(fields record.Object, ink table.Ink) []line {
	lines := make([]line, len(fields))
	for i := range fields {
		f := &fields[i]
		text := termtext.Line(cmp.Or(f.Full(), money.Dash))
		lines[i] = s.line(f.Label, masked.Text(s.theme, text), table.Ink{})
		lines[i].whole = f.Kind == record.KindAmount
		if f.Name == "type" {
			lines[i].ink = ink
		}
	}
	return lines
}

// labels is the width of the label column, with the gap.
const labels = len("Occurred  ")

func (s *Screen) line(label, text string, ink table.Ink) line {
	return line{name: fmt.Sprintf("%-*s", labels, label), text: text, label: s.inks.faint, ink: ink}
}

// member splits a line of indented JSON after its key. Array elements and brackets have no key.
func member(text string) line {
	start := len(text) - len(strings.TrimLeft(text, " "))
	name := start + quoted(text[start:])
	if name == start || !strings.HasPrefix(text[name:], ": ") {
		return line{name: text[:start], text: text[start:], whole: quoted(text[start:]) == 0}
	}
	name += len(": ")
	return line{name: text[:name], text: text[name:], whole: quoted(text[name:]) == 0}
}

// quoted returns the length of the JSON string at the start of a text, or 0 if there is none.
func quoted(text string) int {
	if !strings.HasPrefix(text, `"`) {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}
