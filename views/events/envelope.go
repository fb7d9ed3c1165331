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

// envelope returns an event as indented JSON with the fields that the API sends (docs/api.md, Event
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
	clean := termtext.Block(text.String()) // truncates long text, which is then no valid JSON
	return clean, json.Valid([]byte(clean))
}

// detailLines returns the content of the detail pane: a summary of the event, then its envelope.
// For an unreadable event it returns what could be read and why the rest could not.
func (s *Screen) detailLines(e *apiclient.Event) []line {
	o := record.Event(*e)
	if e.Unreadable != nil {
		lines := s.lines(o.Pick("id", "type", "occurred_at"), table.Ink{})
		problem := table.Problem(e.Unreadable, s.inks.caution)
		return append(lines, s.line(problem.Label, problem.Text, problem.Ink))
	}
	facts := o.Pick("type", "occurred_at")
	if what := s.about(e); what != "" && what != money.Dash {
		o.SetDetail("data", what)
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
		m := splitMember(l)
		m.label = s.inks.key
		lines = append(lines, m)
	}
	return lines
}

// lines returns one line of the pane per field. The value of the field "type" is drawn in the color
// ink.
func (s *Screen) lines(fields record.Object, ink table.Ink) []line {
	lines := make([]line, len(fields))
	for i := range fields {
		f := &fields[i]
		text := termtext.Line(cmp.Or(f.Detail(), money.Dash))
		lines[i] = s.line(f.Label, masked.Text(s.theme, text), table.Ink{})
		lines[i].whole = f.Kind == record.KindAmount
		if f.Name == "type" {
			lines[i].ink = ink
		}
	}
	return lines
}

// labelWidth is the width in cells of the labels in the summary, including the gap after them.
const labelWidth = len("Occurred  ")

func (s *Screen) line(label, text string, ink table.Ink) line {
	return line{name: fmt.Sprintf("%-*s", labelWidth, label), text: text, label: s.inks.faint, ink: ink}
}

// splitMember splits a line of indented JSON into its key and its value. If the line has no key, as
// for an array element or a bracket, the key is only the indent.
func splitMember(text string) line {
	start := len(text) - len(strings.TrimLeft(text, " "))
	name := start + quotedLength(text[start:])
	if name == start || !strings.HasPrefix(text[name:], ": ") {
		return line{name: text[:start], text: text[start:], whole: quotedLength(text[start:]) == 0}
	}
	name += len(": ")
	return line{name: text[:name], text: text[name:], whole: quotedLength(text[name:]) == 0}
}

// quotedLength returns the length in bytes of the JSON string at the start of a text, or 0 if the
// text does not start with one.
func quotedLength(text string) int {
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
